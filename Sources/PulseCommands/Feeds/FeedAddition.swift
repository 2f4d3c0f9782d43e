import Foundation
import PulseCore
import PulseFeeds
import PulseRendering
import PulseStore
import PulseText

/// `feeds add` and `feeds preview`: finds the feed of an address, and looks what is in it.
struct FeedAddition {
    let context: Context

    func add(_ text: String) async throws(PulseError) {
        let address = Self.address(text)
        try refuseDuplicate(address)
        var (feed, answer) = try await find(address)
        // The feed of a page, or the end of a redirect, may be one that is followed.
        try refuseDuplicate(feed.address)
        if let title = context.settings.feedTitle { feed.title = PlainText.line(title, limit: 200) }
        feed.folder = context.settings.feedFolder.map { PlainText.line($0, limit: 200) }
        let asked = feed
        let (row, new) = try context.writing { store throws(PulseError) in
            guard var added = try store.add([asked]).first else { throw Self.duplicate(asked) }
            added.refresh = added.refresh.after(.answered(answer), at: context.now)
            return (added, try store.record([FeedUpdate(feed: added, contents: answer.contents)], at: context.now))
        }
        if !context.settings.isQuiet {
            try context.console.write(
                "\(PlainText.line(row.title)) (\(PlainText.line(row.address))): "
                    + "\(Counted.text(answer.contents?.entries.count ?? 0, "entry", "entries")), \(new) new\n")
        }
    }

    func preview(_ text: String) async throws(PulseError) {
        let (feed, answer) = try await find(Self.address(text))
        let entries = answer.contents?.entries ?? []
        let shown = entries.prefix(context.settings.limit).map { article in
            Reading(
                article: article, readAt: article.publishedAt ?? context.now, origin: "feeds", isExact: false,
                basis: .unread)
        }
        if context.settings.format == .json {
            try context.console.write(HistoryJSON.list(shown))
            return
        }
        let facts = [feed.address, answer.contents?.site].compactMap { $0.map { PlainText.line($0) + "\n" } }
        try context.console.write(
            PlainText.line(feed.title) + "\n" + facts.joined()
                + Counted.text(entries.count, "entry", "entries") + "\n"
                + HistoryText.list(shown, style: context.style))
    }

    private func refuseDuplicate(_ address: String) throws(PulseError) {
        guard FileManager.default.fileExists(atPath: context.storePath) else { return }
        let known = try context.reading { store throws(PulseError) in try store.feed(at: address) }
        if let known { throw Self.duplicate(known) }
    }

    private static func duplicate(_ feed: Feed) -> PulseError {
        PulseError(
            .usage, "You follow this feed already: \(PlainText.line(feed.title)) (\(PlainText.line(feed.address))).",
            hint: "To ask it for what is new: pulse-digest feeds refresh \(feed.id)")
    }

    /// The feed at an address, or the one that the page there names.
    private func find(_ address: String) async throws(PulseError) -> (Feed, FeedAnswer) {
        let status = context.statusLine()
        defer { status.clear() }
        status.show("Asking \(address)")
        let refresher = FeedRefresher(services: context.feedServices, now: context.now)
        var feed = Feed(address: address, addedAt: context.now, isNamed: true)
        let answer = try await refresher.ask(feed)
        if let refusal = answer.refusal { throw refusal }
        guard !answer.isGone, answer.contents != nil else {
            throw PulseError(.noInput, "\(PlainText.line(address)) is gone for good (410).")
        }
        feed.take(answer)
        return (feed, answer)
    }

    /// As people write it: without a scheme, or with that of programs that read feeds.
    static func address(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .whitespaces)
        let start = text.lowercased()
        if start.hasPrefix("feed://") { text = "https://" + text.dropFirst(7) }
        if start.hasPrefix("feed:http") { text = String(text.dropFirst(5)) }
        let hasScheme = text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])/) != nil
        return hasScheme ? text : "https://" + text
    }

    /// `web`, or the service that an address names.
    static func kind(of address: String) -> String {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(scheme) ? "web" : scheme
    }
}

/// Lists of feeds as other programs have them.
struct FeedList {
    let context: Context

    func read(_ path: String) throws(PulseError) {
        throw PulseError(.unavailable, "Not yet.")
    }

    func write() throws(PulseError) {
        throw PulseError(.unavailable, "Not yet.")
    }
}
