import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

extension Command {
    static let open = Command(
        "open", operands: "NUMBER|ID|URL|LINK…", arity: 1...50, summary: "open articles in your browser",
        details: """
            The browser is the one in $BROWSER, otherwise the desktop's. Without a desktop the addresses are printed.
            An unread entry of your feeds, and a bookmark that you have not read, counts as read once it is opened.

            Other links of the Pulse app are followed, too: pulse://feed is today, pulse://category?name=science is \
            today's science, pulse://search?q=ferry searches the history, and pulse://bookmarks lists your bookmarks.
            """,
        resolving: { context in try context.linked() }
    ) { context in
        if let (command, linked) = context.arguments {
            try await command.run?(linked)
            return
        }
        let finder = context.referenceResolver
        // None is opened before all are found.
        let found = try context.operands.map { reference -> (Reading, WebLink) in
            let reading = try finder.findSaved(reference)
            return (reading, try webLink(of: reading.article))
        }
        let browser = Browser(environment: context.environment)
        for (reading, link) in found {
            context.noteOnTerminal("Opening: \(PlainText.line(reading.article.title))")
            if try await !browser.open(link) { try context.console.write(link.address + "\n") }
            try context.history.noteRead(reading, at: context.now)
        }
    }

    private static func webLink(of article: Article) throws -> WebLink {
        if let link = WebLink(article.url) { return link }
        let title = "“\(PlainText.line(article.title))”"
        guard let url = article.url, !url.isEmpty else {
            throw PulseError(
                .noInput, "\(title) has no web address.",
                hint: "To read it here: pulse-digest history show \(article.key.prefix(ArticleKey.shortLength))")
        }
        throw PulseError(.badData, "The address of \(title) is not that of a web page: \(PlainText.line(url))")
    }
}

extension RawContext {
    /// The command for a link of the Pulse app, as if it had been typed; nil: the operands are articles.
    fileprivate func linked() throws -> (Command, RawContext)? {
        guard operands.count == 1, let words = try PulseAppLink(operands[0])?.arguments else { return nil }
        let invocation = try Parser(commands: Program.commands).parse(words)
        guard let command = invocation.command else { return nil }
        var settings = settings
        for (option, values) in invocation.flags {
            do {
                try option.apply(&settings, values)
            } catch {
                throw PulseError(.badData, "--\(option.name) \(error.asPulseError.message)")
            }
        }
        settings.fit(command)
        return (command, with(settings, invocation))
    }
}

extension PulseAppLink {
    /// The command line for the link; nil for an article, which opens in the browser.
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

extension Command {
    static let share = Command(
        "share", operands: "NUMBER|ID|URL", arity: 1...1, summary: "print an article's title, source and address",
        options: [.format([.text, .markdown])], resolving: \.settings.format
    ) { context in
        let article = try context.referenceResolver.findSaved(context.operands[0]).article
        try context.console.write(
            context.arguments == .markdown ? ShareText.markdown(article) : ShareText.render(article))
    }
}

/// The reader's browser.
///
/// The variable BROWSER (http://www.catb.org/~esr/BROWSER/): "a colon-separated series of browser command parts. These
/// should be tried in order until one succeeds. Each command part may optionally contain the string "%s"; if it does,
/// the URL to be viewed is substituted there." `%%` is a percent sign and `%c` a colon. Without it, the desktop's
/// browser is started by xdg-open, or by macOS's open. No shell reads any of it.
struct Browser {
    let environment: [String: String]

    /// - Returns: False if there is no display for a browser.
    /// - Throws: If there is a display but no browser, or if the browser failed.
    func open(_ link: WebLink) async throws -> Bool {
        var failure: Message?
        for words in Browser.commands(environment["BROWSER"] ?? "", link.address) + system(link.address) {
            let name = words[0]
            let path = name.contains("/") ? name : ProgramSearch(environment: environment).find(name)
            guard let path, ProgramSearch.isProgram(path) else {
                failure = failure ?? "There is no program “\(name)” to open a web page with."
                continue
            }
            let program = ChildProcess(path: path, arguments: Array(words.dropFirst()), environment: environment)
            // In the foreground: a terminal browser needs it, and the others return at once.
            if try await program.runOnOwnStreams() == .exited(0) { return true }
            failure = "“\(name)” could not open \(link.address)."
        }
        guard let failure else { return false }
        throw PulseError(
            .unavailable, failure,
            hint: "Name your browser's command in BROWSER, or install xdg-utils (Debian: apt-get install xdg-utils).")
    }

    static func commands(_ variable: String, _ address: String) -> [[String]] {
        variable.split(separator: ":").compactMap { part in
            let words = part.split(separator: " ").map { filled($0, address) }
            guard !words.isEmpty else { return nil }
            return part.replacing("%%", with: "").contains("%s") ? words : words + [address]
        }
    }

    private static func filled(_ word: Substring, _ address: String) -> String {
        var filled = ""
        // `%s` may be in quotation marks, as for a shell.
        var rest = ["'%s'", "\"%s\""].contains(word) ? "%s" : word
        while let character = rest.popFirst() {
            guard character == "%", let next = rest.first, let meant = ["s": address, "%": "%", "c": ":"][next] else {
                filled.append(character)
                continue
            }
            rest.removeFirst()
            filled += meant
        }
        return filled
    }

    /// The desktop's own opener, where there is a desktop.
    private func system(_ address: String) -> [[String]] {
        #if canImport(Darwin)
            [["/usr/bin/open", address]]
        #else
            ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
                ? [["xdg-open", address]] : []
        #endif
    }
}
