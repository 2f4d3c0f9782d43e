import Foundation
package import PulseCore
import PulseStore

/// What was read lately, for somebody who wonders why there is no digest of it.
package struct RecentReading {
    private let app: AppEnvironment

    package init(in app: AppEnvironment) { self.app = app }

    /// How many days back a first digest looks, until there is something.
    package static let stretches = [2, 7, 30, 365]

    /// How many days back there is something; nil where there is nothing.
    package func days() throws(PulseError) -> Int? {
        try app.history.reading { store throws(PulseError) in
            for days in Self.stretches {
                let period = Period(hours: Double(24 * days), endingAt: app.now)
                if try !store.readings(in: period).isEmpty { return days }
            }
            return nil
        }
    }

    /// Why there is no digest of what was read lately: what there is, of when, and the command that shows it.
    package func explanation() throws(PulseError) -> Message {
        let (statistics, waiting, hasFeeds, hasReaders) = try app.history.reading { store throws(PulseError) in
            (
                try store.statistics(), try store.unread().count, try !store.feeds().isEmpty,
                try !store.origins().isEmpty
            )
        }
        if let first = statistics.firstReadAt, let last = statistics.lastReadAt {
            let ends = [first, last].map { Day($0, in: app.timeZone).text }
            let articles = Counted.text(statistics.articles, "article", "articles")
            let came: Message =
                ends[0] == ends[1]
                ? "Nothing was read lately: there are \(articles), read on \(ends[1])."
                : "Nothing was read lately: there are \(articles), read between \(ends[0]) and \(ends[1])."
            let since = try days().map { "\($0)d" } ?? ends[1]
            return [
                came,
                " To sum them up: pulse-digest today --since \(since). What you read from now on counts once it is "
                    + "imported.",
            ].joined()
        }
        if waiting > 0 {
            return "Nothing was read yet, but \(Counted.text(waiting, "entry waits", "entries wait")) in your feeds: "
                + "pulse-digest today --basis unread"
        }
        if hasFeeds {
            return "Nothing was read yet, and nothing has come into your feeds. To ask them: "
                + "pulse-digest feeds refresh"
        }
        return hasReaders
            ? "Nothing is marked as read there yet. To have what is new summed up, follow its feeds here: export them "
                + "from your reader as OPML (newsboat -e > feeds.opml), then call pulse-digest feeds import-opml "
                + "feeds.opml, and pulse-digest feeds refresh."
            : "Nothing was read yet. To bring your reading in: pulse-digest import. To follow a feed: "
                + "pulse-digest feeds add URL"
    }
}
