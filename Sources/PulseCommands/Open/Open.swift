import PulseApp
import PulseCore
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let open = Command(
        "open", operands: "<number|id|url|link>…", arity: 1...50, summary: "open articles in your browser",
        details: """
            The browser is the one in $BROWSER, otherwise the desktop's. Without a desktop the addresses are printed.
            What waits in your feeds, and a bookmark that you have not read, counts as read once it is opened.

            Other links of the Pulse app are followed, too: pulse://feed is today, pulse://category?name=science is \
            today's science, pulse://search?q=ferry searches the history, and pulse://bookmarks lists your bookmarks.
            """
    ) { context throws(PulseError) in
        if context.operands.count == 1, let arguments = try PulseLink(context.operands[0])?.arguments {
            return try await run(arguments, context)
        }
        let finder = context.articleFinder
        var found: [(reading: Reading, link: WebLink)] = []
        // None is opened before all are found.
        for reference in context.operands {
            let reading = try finder.findSaved(reference)
            found.append((reading, try webLink(of: reading.article)))
        }
        let browser = Browser(environment: context.environment)
        for (reading, link) in found {
            context.noteOnTerminal("Opening: \(PlainText.line(reading.article.title))")
            if try await !browser.open(link) { try context.console.write(link.address + "\n") }
            if reading.basis != .read { try context.noteRead(reading) }
        }
    }

    private static func webLink(of article: Article) throws(PulseError) -> WebLink {
        if let link = WebLink(article.url) { return link }
        let title = "“\(PlainText.line(article.title))”"
        guard let url = article.url, !url.isEmpty else {
            throw PulseError(
                .noInput, "\(title) has no web address.",
                hint: "To read it here: pulse-digest history show \(article.key.prefix(ArticleKey.shortLength))")
        }
        throw PulseError(.badData, "The address of \(title) is not that of a web page: \(PlainText.line(url))")
    }

    /// Another command, as if it had been typed.
    private static func run(_ arguments: [String], _ context: Context) async throws(PulseError) {
        let invocation = try Parser(commands: Program.commands).parse(arguments)
        guard let command = invocation.command else { return }
        var settings = context.settings
        for (option, values) in invocation.flags {
            do {
                try option.apply(&settings, values)
            } catch {
                throw PulseError(.badData, "--\(option.name) \(error.message)")
            }
        }
        settings.fit(command)
        try await command.run?(context.with(settings, invocation))
    }
}

extension Context {
    /// What waited, or was only kept, was read now; unless the history has it already, with its own time.
    fileprivate func noteRead(_ reading: Reading) throws(PulseError) {
        let now = Reading(article: reading.article, readAt: now, origin: reading.origin, isExact: true)
        try writing { store throws(PulseError) in
            guard try store.find(now.article.key) == .none else { return }
            _ = try store.record([now])
        }
    }
}

extension PulseLink {
    /// The command line that shows what the link does; nil for an article, which opens in the browser.
    var arguments: [String]? {
        switch self {
        case .article: nil
        case .search(let words): ["history", "search", "--", words]
        case .category(let name): ["today", "--category", name]
        case .feed: ["today"]
        case .bookmarks: ["bookmarks", "list"]
        }
    }
}
