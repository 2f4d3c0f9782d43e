import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let history = Command(
        "history", summary: "what you read: list, search, show, export, remove", implied: "list",
        subcommands: [
            Command(
                "list", summary: "list the latest articles",
                options: [.limit, .since, .ofCategory, .ofSource, .format([.text, .json])],
                resolving: { context in (context.list, try context.filter()) }, run: list),
            Command(
                "search", operands: "WORD…", arity: 1...64,
                summary: "find articles by their words and by their meaning",
                details: """
                    Articles that contain all of the words come first, in any order; each word may be the beginning of \
                    a word. Then come those with a similar meaning, as far as they were prepared for questions (see \
                    pulse-digest ask). Words in quotation marks must occur in the article exactly as written.
                    """, options: [.limit, .format([.text, .json])], resolving: \.list
            ) { context in
                let words = context.operands.joined(separator: " ")
                try context.history.index(context.reporter)
                let hits = try await ArticleSearch(in: context.app, reporter: context.reporter)
                    .find(words, limit: context.arguments.limit)
                try await context.page(
                    isJSON: context.arguments.isJSON, HistoryJSON.found(hits.map { ($0.reading, $0.nearness) }),
                    HistoryText.found(hits.map(\.reading), by: words, style: context.style))
                try tell(of: words, hits, limit: context.arguments.limit, context)
            },
            Command(
                "show", operands: "NUMBER|ID|URL", arity: 1...1, summary: "show one article in full",
                options: [.format([.text, .json])], resolving: \.list.isJSON
            ) { context in
                let reading = try context.referenceResolver.find(context.operands[0])
                try await context.page(
                    isJSON: context.arguments, HistoryJSON.show(reading),
                    HistoryText.show(reading, style: context.style))
            },
            Command(
                "stats", summary: "show the history in numbers", options: [.format([.text, .json])],
                resolving: \.list.isJSON
            ) { context in
                let statistics = try context.history.open().statistics(calendar: context.calendar)
                try context.console.write(
                    context.arguments
                        ? HistoryJSON.statistics(statistics) : StatisticsText.render(statistics, style: context.style))
            },
            Command(
                "export", summary: "print the history as JSON Lines",
                details: """
                    One article a line, with its texts; pulse-digest import jsonl reads them back, with their ids, \
                    reading times and sources. Bookmarks have an export of their own; stored digests are not in it.
                    """, options: [.since, .ofCategory, .ofSource, .toFile],
                resolving: { context in (try context.filter(), context.settings.output.path) }, run: export),
            Command(
                "remove", operands: "NUMBER|ID|URL…", arity: 1...1000, summary: "delete single articles",
                details: """
                    Stored digests stay as they are, and so do bookmarks. An import does not bring an article back,
                    unless you read it again.
                    """, options: [.yes], resolving: \.settings.isConfirmed, run: remove),
            Command(
                "clear", summary: "delete the whole history, and the feeds",
                details: """
                    The articles, the bookmarks, the feeds you follow with their unread entries, the stored digests, \
                    what a model wrote, and mails that were not sent yet. Settings, models and your accounts on \
                    servers stay.

                    To keep the list of your feeds: pulse-digest feeds export-opml > feeds.opml
                    """, options: [.yes], resolving: \.settings.isConfirmed, run: clear),
        ])

    private static func tell(
        of words: String, _ hits: [ArticleSearch.Hit], limit: Int, _ context: CommandContext<some Sendable>
    ) throws {
        let near = hits.count { $0.nearness != nil }
        if hits.count - near == limit {
            let all = try context.history.open().countMatches([words], upTo: .max)
            if all > limit { context.note(rest(shown: limit, of: all)) }
        } else if hits.count == near {
            context.note(
                near > 0
                    ? "No article contains all of: \(words). These come nearest."
                    : "No article contains all of: \(words)")
            if near == 0, try context.history.open().unreadCount() > 0 {
                context.noteOnTerminal("Only what you read was searched.")
                context.noteOnTerminal(PulseApp.History.askOfWaiting)
            }
            if try context.app.history.lacksVectors() {
                context.note("To search by meaning, too: pulse-digest prepare")
            }
        } else if near > 0 {
            context.noteOnTerminal(
                near == 1
                    ? "The last one does not contain all of the words, but comes near."
                    : "The last \(near) do not contain all of the words, but come near.")
        }
    }

    private static func list(_ context: CommandContext<(ListArguments, ListFilter)>) async throws {
        let (list, filter) = context.arguments
        let (since, category, source) = (filter.since, filter.category, filter.source)
        let store = try context.history.open()
        let readings = try store.list(limit: list.limit, since: since, category: category, source: source)
        let isCut = readings.count == list.limit
        let all = isCut ? try store.count(since: since, category: category, source: source) : 0
        try await context.page(
            isJSON: list.isJSON, HistoryJSON.list(readings), HistoryText.list(readings, style: context.style))
        if all > readings.count {
            let line = rest(shown: readings.count, of: all)
            // With a filter, users want all matches; without one, the latest are enough.
            if filter.isOn { context.note(line) } else { context.noteOnTerminal(line) }
        }
        if readings.contains(where: { !$0.isExact }) {
            context.noteOnTerminal("~ marks a reading time that is an estimate.")
        }
        if readings.isEmpty { try explainNone(filter, context) }
    }

    private static func rest(shown: Int, of all: Int) -> Message {
        "\(Counted.text(shown)) of \(Counted.text(all, "article", "articles")). To list all: --limit \(all)"
    }

    /// Explains an empty list.
    private static func explainNone(_ filter: ListFilter, _ context: CommandContext<some Sendable>) throws {
        try context.history.requireKnown(filter)
        context.note(
            filter.isOn
                ? "No article in the history matches."
                : "The history is empty. To bring in what you read: pulse-digest import")
    }

    private static func export(_ context: CommandContext<(ListFilter, String?)>) throws {
        let (filter, output) = context.arguments
        var count = 0
        func lines(_ put: (Data) throws -> Void) throws {
            // Throws if there is nothing to write, so that an earlier backup stays.
            count = try context.history.export(filter, put)
            if count == 0, output != nil {
                try explainNone(filter, context)
                throw PulseError(.noInput, "")
            }
        }
        if let output {
            try DigestOutput.replace(output, lines)
        } else {
            try lines { bytes in try context.console.write(String(decoding: bytes, as: UTF8.self)) }
        }
        if count == 0 { return try explainNone(filter, context) }
        let line: Message = "\(Counted.text(count, "article", "articles")) exported."
        if output != nil { context.note(line) } else { context.noteOnTerminal(line) }
    }

    private static func remove(_ context: CommandContext<Bool>) async throws {
        let finder = context.referenceResolver
        var readings: [Reading] = []
        for reference in context.operands {
            let reading = try finder.find(reference)
            if !readings.contains(where: { $0.article.id == reading.article.id }) { readings.append(reading) }
        }
        let what = Counted.text(readings.count, "article", "articles")
        let titles = readings.prefix(10).map { "  \(PlainText.line($0.article.title))\n" }.joined()
        guard
            try await isConfirmed(
                "Delete \(what) for good?", "This deletes \(what) for good.", listing: titles, context)
        else { return }
        let (gone, unsent, unanswered) = try context.app.remove(readings.map(\.article.id))
        let saved = gone.intersection(try context.history.open().bookmarks().map(\.article.id)).count
        context.note(Counted.text(gone.count, "article deleted.", "articles deleted."))
        if unsent > 0 {
            context.note(
                Counted.text(
                    unsent,
                    "unsent digest that contained what you deleted was deleted, too. The next one will have its "
                        + "other stories.",
                    "unsent digests that contained what you deleted were deleted, too. The next ones will have their "
                        + "other stories."))
        }
        if !unanswered.isEmpty {
            context.note(
                "It is also in a digest that may have gone out to \(unanswered.joined(separator: ", ")). To delete "
                    + "that: pulse-digest schedule drop ADDRESS")
        }
        if saved > 0 {
            context.note(
                Counted.text(
                    saved, "of them is also a bookmark, which stays. To remove that: pulse-digest bookmarks remove",
                    "of them are also bookmarks, which stay. To remove those: pulse-digest bookmarks remove"))
        }
    }

    /// Asks at a terminal, unless --yes was given.
    private static func isConfirmed(
        _ question: Message, _ warning: Message, listing lines: String = "", _ context: CommandContext<Bool>
    ) async throws -> Bool {
        if context.arguments { return true }
        guard context.console.isInputTerminal else {
            throw PulseError(.usage, "\(warning) To do so without a question: --yes")
        }
        if try await context.console.agrees(to: "\(lines)\(question)") { return true }
        context.note("Nothing was deleted.")
        return false
    }

    private static func clear(_ context: CommandContext<Bool>) async throws {
        let store = try context.history.open()
        let articles = try store.statistics().articles
        let (bookmarks, feeds) = (try store.bookmarks().count, try store.feeds().count)
        _ = consume store
        var parts: [Message] = []
        if bookmarks > 0 { parts.append(Counted.text(bookmarks, "bookmark", "bookmarks")) }
        if feeds > 0 { parts.append(Counted.text(feeds, "feed with its entries", "feeds with their entries")) }
        if articles > 0 { parts.insert(Counted.text(articles, "article", "articles"), at: 0) }
        // Such as stored digests, and how far imports have come.
        if parts.isEmpty { parts = ["what is left"] }
        let last = parts.removeLast()
        let all: Message = parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
        guard
            try await isConfirmed(
                "Delete \(all) in \(PlainText.line(context.history.path)) for good?", "This deletes \(all) for good.",
                context)
        else { return }
        let unsent = try context.app.clearHistory()
        context.note("Deleted: \(all).")
        if unsent > 0 {
            context.note(
                Counted.text(
                    unsent, "digest that was not sent yet deleted, too.",
                    "digests that were not sent yet deleted, too."))
        }
    }
}

extension Command {
    static let related = Command(
        "related", operands: "NUMBER|ID|URL", arity: 1...1,
        summary: "list what else you read about the same thing",
        details: """
            Articles that you read within 90 days before or after it: those of the same story, and those that share
            its rarer words. The most alike come first; then those that are close only in meaning, as far as they
            were prepared for questions (see pulse-digest ask).
            """, options: [.limit, .format([.text, .json])], resolving: \.list
    ) { context in
        let reading = try context.referenceResolver.find(context.operands[0])
        context.noteOnTerminal("Related to: \(PlainText.line(reading.article.title))")
        let related = try await StoryCourse(in: context.app, reporter: context.reporter)
            .related(to: reading, limit: context.arguments.limit)
        try await context.page(
            isJSON: context.arguments.isJSON,
            HistoryJSON.related(related.map { ($0.reading, $0.likeness, $0.isSameStory, $0.nearness) }),
            HistoryText.list(related.map(\.reading), style: context.style))
        if related.isEmpty { context.note("Nothing else in the history is about it.") }
    }

    static let story = Command(
        "story", operands: "NUMBER|ID|URL", arity: 1...1,
        summary: "how a story developed, day by day, and what your digests told you about it",
        details: """
            What you read of one story within 90 days before or after the article, a day at a time: the sentence that your \
            digest of that day told, or else one of the publications'. Each is quoted.
            """, options: [.language, .format([.text, .json])],
        resolving: { context in (context.settings.format == .json, context.settings.language) }
    ) { context in
        let (isJSON, language) = context.arguments
        let reading = try context.referenceResolver.find(context.operands[0])
        let (entry, told) = try await StoryCourse(in: context.app, reporter: context.reporter).story(of: reading)
        try await context.page(
            isJSON: isJSON, StoryJSON.render(entry, told: told),
            StoryText.render(entry, told: told, in: language, style: context.style))
    }
}
