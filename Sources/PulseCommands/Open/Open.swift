import PulseCore
import PulseRendering
import PulseText

extension Command {
    static let open = Command(
        "open", operands: "<number|id|url|link>…", arity: 1...50, summary: "open articles in your browser",
        details: """
            The browser is the one in $BROWSER, otherwise the desktop's. Without a desktop the addresses are printed.

            Other links of the Pulse app are followed, too: pulse://feed is today, pulse://category?name=science is \
            today's science, pulse://search?q=ferry searches the history, and pulse://bookmarks lists your bookmarks.
            """
    ) { context throws(PulseError) in
        if context.operands.count == 1, let arguments = try PulseLink(context.operands[0])?.arguments {
            return try await run(arguments, context)
        }
        let finder = ArticleFinder(context: context)
        var links: [WebLink] = []
        // None is opened before all are found.
        for reference in context.operands { links.append(try webLink(of: finder.article(reference))) }
        let browser = Browser(environment: context.environment)
        for link in links where try await !browser.open(link) { try context.console.write(link.address + "\n") }
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
