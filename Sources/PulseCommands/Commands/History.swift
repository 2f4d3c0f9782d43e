import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let history = Command(
        "history", summary: "what was read: list, search, show, stats, clear", implied: "list",
        subcommands: [
            Command(
                "list", summary: "the latest articles", options: [.limit, .since, .ofCategory, .ofSource]
            ) { context throws(Failure) in
                try list(context)
            },
            Command(
                "search", operands: "WORD…", arity: 1...64, summary: "articles that hold all of these words",
                details: """
                    The last word may be the beginning of one. After a long import the first search makes the index, which
                    takes a while.
                    """, options: [.limit]
            ) { context throws(Failure) in
                let words = context.operands.joined(separator: " ")
                let readings = try Searching(context: context).find(words)
                try context.console.write(HistoryText.list(readings, style: context.style))
                if readings.isEmpty { context.noteOnTerminal("No article holds all of: \(words)") }
            },
            Command("show", operands: "<number|id|url>", arity: 1...1, summary: "one article, whole") {
                context throws(Failure) in
                let reading = try ArticleFinder(context: context).find(context.operands[0])
                try context.console.write(HistoryText.show(reading, style: context.style))
            },
            Command("stats", summary: "the history in numbers") { context throws(Failure) in
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = context.timeZone
                let days = calendar
                let statistics = try context.reading { store throws(StoreError) in try store.statistics(calendar: days)
                }
                try context.console.write(StatisticsText.render(statistics, style: context.style))
            },
            Command("clear", summary: "forget everything that was read", options: [.yes]) { context throws(Failure) in
                try clear(context)
            },
        ])

    private static func list(_ context: Context) throws(Failure) {
        let settings = context.settings
        var since: Date?
        // Hours are what a digest is of; a list goes back as far as it is asked to.
        if case .since = settings.window {
            since = try ReadingWindow(settings.window).period(endingAt: context.now, in: context.timeZone).from
        }
        let (from, category, source) = (since, settings.listedCategory, settings.listedSource)
        let isFiltered = from != nil || category != nil || source != nil
        let (readings, all) = try context.reading { store throws(StoreError) in
            let readings = try store.list(limit: settings.limit, since: from, category: category, source: source)
            let isCut = isFiltered && readings.count == settings.limit
            return (readings, isCut ? try store.count(since: from, category: category, source: source) : 0)
        }
        try context.console.write(HistoryText.list(readings, style: context.style))
        // Who asks for certain articles wants them all; who asks for none in particular, the latest.
        if all > readings.count {
            context.note("\(readings.count) of \(all) articles. For all of them: --limit \(all)")
        }
        if readings.isEmpty, isFiltered { context.noteOnTerminal("No article in the history is like that.") }
    }

    private static func clear(_ context: Context) throws(Failure) {
        let articles = try context.reading { store throws(StoreError) in try store.statistics().articles }
        if !context.settings.isConfirmed {
            guard context.console.isInputTerminal else {
                throw Failure(
                    .usage,
                    "This forgets \(Counted.text(articles, "article", "articles")) for good. To do so without being asked: --yes"
                )
            }
            context.console.draw(
                "Forget \(Counted.text(articles, "article", "articles")) in \(PlainText.line(context.storePath)) for good? [y/N] "
            )
            guard readLine()?.lowercased().hasPrefix("y") == true else {
                context.note("Nothing was changed.")
                return
            }
        }
        // What waits to be mailed was made of it.
        let state = try FileManager.default.fileExists(atPath: context.locations.state) ? context.state() : nil
        let lock = try state?.delivery()
        let forgotten = try context.writing { store throws(StoreError) in try store.clear() }
        let unsent = try state.map { state throws(Failure) in try Outbox(in: state).clear() } ?? 0
        withExtendedLifetime(lock) {}
        context.note("\(Counted.text(forgotten, "article", "articles")) forgotten.")
        if unsent > 0 {
            context.note(
                Counted.text(unsent, "digest that was not sent yet is", "digests that were not sent yet are")
                    + " forgotten, too.")
        }
    }
}
