import Foundation
import PulseApp
import PulseCore
import PulseSources
import PulseText

/// The arguments of `import`.
struct ImportArguments: Sendable {
    let importer: Importer
    /// Whether to print only what would be imported.
    let isDryRun: Bool
    /// Whether a first import needs no confirmation.
    let isConfirmed: Bool

    init(_ context: RawContext) {
        importer = context.importer
        isDryRun = context.settings.isDryRun
        isConfirmed = context.settings.isConfirmed
    }
}

extension Command {
    static let importing = Command(
        "import", operands: "[PATH]", arity: 0...1, summary: "import what you read elsewhere",
        details: """
            With a PATH, it finds out what kind of file or folder that is. Without one, it imports from the servers that
            were set up and from the readers on this machine, and asks before it takes one for the first time. Browsers
            only with --host.

            Importing again is safe: duplicates are skipped, and the earliest reading time is kept. With nothing wrong,
            --quiet prints nothing at all.
            """, options: Option.importing + [.yes],
        subcommands: files + servers, resolving: ImportArguments.init
    ) { context in
        guard let path = context.operands.first else {
            return try await context.keepingVectors { try await context.importEverything() }
        }
        // Standard input cannot be examined before it is read.
        let found = path == "-" ? SourceFinder.standardInput : try Command.recognise(path, context)
        try requireOptions(of: found.kind, context.arguments.importer.settings)
        try await context.importFile(found.path, found.kind, isRecognised: true)
    }

    private static let files = SourceKind.all.filter { kind in !ServerKind.all.contains { $0.name == kind.name } }.map {
        kind in
        Command(
            kind.name, operands: kind.operands, arity: 0...1, summary: kind.summary, details: kind.details,
            options: Option.importing.filter { kind.takes($0) }, resolving: ImportArguments.init
        ) { context in
            if let path = context.operands.first { try requireNoOther(than: kind, at: path) }
            try await context.importFile(context.operands.first, kind)
        }
    }

    /// Throws for an option that the kind's own subcommand does not have.
    private static func requireOptions(of kind: SourceKind, _ given: ImportSettings) throws {
        let options = (given.hosts.isEmpty ? [] : [Option.host]) + (given.columns.isEmpty ? [] : [.map])
        _ = try Parser(commands: Program.commands).parse(["import", kind.name] + options.map { "--\($0.name)=" })
    }

    /// Throws for a file that looks like another kind, instead of reporting each of its lines.
    private static func requireNoOther(than kind: SourceKind, at path: String) throws {
        guard let (look, isKnown) = SourceFinder.otherLook(of: path, than: kind) else { return }
        throw PulseError(
            .badData, "\(path) is not \(kind.summary) (\(kind.name)): it looks like \(look.text).",
            hint: isKnown ? "To import it: pulse-digest import \(ShellWord.quoted(path))" : hint(look, path))
    }

    private static let servers = ServerKind.all.map { server in
        let asked: Message = server.asksUser ? "your name and the \(server.keyName)" : "the \(server.keyName)"
        let remembered: Message =
            server.isPublic
            ? "The first time it needs your name, and remembers it."
            : "The first time it asks for \(asked), and keeps the answer in a file that only you can read. After that, "
                + "no URL is needed."
        return Command(
            server.name, operands: server.isPublic ? "[NAME]" : "[URL]", arity: 0...1, summary: server.summary,
            details: "\(server.details)\n\n\(remembered)",
            options: (server.isPublic ? [.user, .forget] : Option.account) + [.tryImport, .noBulk, .fetch, .yes],
            resolving: { ($0.accountSetup, forgets: $0.settings.forgetsAccount, ImportArguments($0)) }
        ) { run in
            let (setup, forgets, arguments) = run.arguments
            let context = run.with(arguments: arguments)
            if forgets {
                return try setup.forget(kind: server.name, url: context.operands.first, isDryRun: arguments.isDryRun)
            }
            // The exports of some services are a `SourceKind` of the same name.
            if let kind = SourceKind.all.first(where: { $0.name == server.name }), let path = context.operands.first,
                FileManager.default.fileExists(atPath: path)
            {
                return try await context.importFile(path, kind)
            }
            let account = try await setup.setUp(kind: server.name, url: context.operands.first)
            try await context.keepingVectors {
                try await context.importArticles(
                    of: account.source(in: context.app, isForgetful: arguments.isDryRun), nil)
            }
        }
    }

    private static func recognise(
        _ path: String, _ context: CommandContext<ImportArguments>
    ) throws -> SourceFinder.Found {
        if path.contains("://") {
            let servers = ServerKind.all.map(\.name).joined(separator: "|")
            throw PulseError(
                .usage, "“\(PlainText.line(path, limit: 200))” is an address, so its kind must be named.",
                hint: "To follow a feed: pulse-digest feeds add URL. For a server: pulse-digest import \(servers) URL")
        }
        let path = Value.expanded(path)
        let answer: SourceFinder.Answer
        do {
            answer = try SourceFinder.look(at: path)
        } catch {
            let error = error.asPulseError
            if ["feed", "feeds", "rss", "atom"].contains(path) {
                throw PulseError(
                    .noInput, error.message,
                    hint: "To follow a feed: pulse-digest feeds add URL. A list of feeds: "
                        + "pulse-digest feeds import-opml FILE")
            }
            if error.code == .noInput, let hint = Synonyms.source(path) {
                throw PulseError(.noInput, "There is no source “\(path)”.", hint: hint)
            }
            guard error.code == .noInput, !path.contains("/"),
                let meant = EditDistance.nearest(to: path, among: SourceKind.all.map(\.name))
            else { throw error }
            throw PulseError(.noInput, error.message, hint: "Did you mean the source \(meant)?")
        }
        switch answer {
        case .one(let found): return found
        case .several(let found):
            let choices = found.map { "  pulse-digest import \($0.kind.name) \(ShellWord.quoted($0.path))" }
            throw PulseError(
                .usage,
                "\(path) can be read in several ways; choose one:\n\(choices.joined(separator: "\n"))")
        case .unknown(let look):
            // With --map, any list of articles can be read.
            let format: String? =
                switch look {
                case .csv: "csv"
                case .json: "json"
                default: nil
                }
            if !context.arguments.importer.settings.columns.isEmpty,
                let kind = SourceKind.all.first(where: { $0.name == format })
            {
                return SourceFinder.Found(kind: kind, path: path)
            }
            throw PulseError(
                .badData, "\(path) cannot be imported: it looks like \(look.text).", hint: hint(look, path)
            )
        }
    }

    /// The hint for a file that is not a source.
    private static func hint(_ look: FileAppearance, _ path: String) -> Message {
        switch look {
        case .opml: "To follow these feeds: pulse-digest feeds import-opml \(ShellWord.quoted(path))"
        case .feed: "A feed holds what you have not read. To follow one: pulse-digest feeds add URL"
        case .html, .text: "To summarise it: pulse-digest summarize - < \(ShellWord.quoted(path))"
        case .json, .csv:
            "If it is a list of articles, say what its columns hold, such as --map title=Headline, and which kind it "
                + "is: pulse-digest import --help"
        case .database, .folder, .wideText, .archive, .binary, .empty:
            "To see what can be imported: pulse-digest import --help"
        }
    }
}

extension SourceKind {
    /// Whether `--map` can name its columns.
    var takesColumns: Bool { ["jsonl", "json", "csv"].contains(name) }

    fileprivate func takes(_ option: Option) -> Bool {
        switch option.name {
        case Option.host.name: isBrowser
        case Option.map.name: takesColumns
        default: true
        }
    }
}

extension CommandContext<ImportArguments> {
    func keepingVectors(_ work: () async throws -> Void) async throws {
        try await work()
        if arguments.isDryRun { return }
        try await ReportVectors(in: app, reporter: reporter).makeNewest()
        try await app.makeVectorsAfterImport(reporter)
    }

    /// - Parameters:
    ///   - path: Nil: the default place of such a file.
    ///   - isRecognised: Whether its kind is to be told, because the user did not name it.
    func importFile(_ path: String?, _ kind: SourceKind, isRecognised: Bool = false) async throws {
        if kind.readsStandardInput(at: path, in: arguments.importer.environment) { tellOfTyping() }
        let source = try arguments.importer.source(kind, at: path)
        if isRecognised, !arguments.isDryRun { note(ImportReport.title(source, kind)) }
        try await keepingVectors { try await importArticles(of: source, kind) }
    }

    /// Imports a source, or with --dry-run says what it holds.
    ///
    /// - Parameter name: The prefix of the report if several sources are imported; nil for one alone.
    func importArticles(of source: any ArticleSource, _ kind: SourceKind?, as name: String? = nil) async throws {
        if arguments.isDryRun {
            let isFetching = arguments.importer.settings.isFetching
            let report = ImportReport(context: self, kind: kind, name: name, isFetching: isFetching)
            try console.tell("\(ImportReport.title(source, kind))\n")
            let tally = try await arguments.importer.tally(source)
            try report.describe(tally)
            if let fault = tally.fault(isStored: false) { throw fault }
            return
        }
        let (tally, texts) = try await arguments.importer.run(source, of: kind)
        let isFetching = texts.map { $0.isAgreed ?? (questioner != nil) } ?? false
        if !isQuiet { try ImportReport(context: self, kind: kind, name: name, isFetching: isFetching).tell(tally) }
        if let texts, try await mayFetch(texts, of: source, kind) {
            let (counts, fault) = await texts.fetch()
            if !isQuiet, let text = counts.text { try console.tell("\(text)\n") }
            if let fault { throw fault }
        }
        if let fault = tally.fault(isStored: true) { throw fault }
    }

    /// A browser keeps no texts. Asks once whether to fetch them from the sites.
    private func mayFetch(
        _ texts: PageTextImport, of source: any ArticleSource, _ kind: SourceKind?
    ) async throws -> Bool {
        if let isAgreed = texts.isAgreed { return isAgreed }
        guard let kind, let questioner else { return false }
        let pages = Counted.text(texts.count, "page", "pages")
        let isAgreed = try await questioner.agrees(
            to: "A browser keeps titles only. Fetch the texts of \(pages) that you read, now and whenever you import? "
                + "They are asked for from their own sites, and from nobody else.", isUsual: true)
        try arguments.importer.agree(toFetch: isAgreed, source, of: kind)
        return isAgreed
    }
}

extension Option {
    static let tryImport = toggle(
        "dry-run", \.isDryRun, help: "say what would be imported, with three examples, and store nothing")
    static let host = Option(
        "host", value: "SITE", isSetting: false, isList: true,
        help: "import the pages of this site from a browser's history, such as theguardian.com",
        apply: set(\.importing.hosts, Value.hosts))
    static let map = Option(
        "map", value: "FIELD=COLUMN", isSetting: false, isList: true,
        help: "what the file calls a field, such as title=Headline", apply: set(\.importing.columns, Value.columns))
    static let noBulk = toggle(
        "no-bulk", \.importing.leavesOutBulk, help: "leave out what was marked as read together with many others")
    static let importing = [tryImport, host, map, noBulk, fetch]
    static let fetch = toggle(
        "fetch", \.importing.isFetching, help: "get the text of articles that have only a title from their web pages")

    // MARK: Setting up an account

    static let user = Option(
        "user", value: "NAME", isSetting: false, help: "your name on the server", apply: set(\.account.user, Value.text)
    )
    static let keyFile = Option(
        "key-file", value: "PATH", kind: .path, isSetting: false,
        help: "read the key or the password from this file, which must be readable by you alone",
        apply: set(\.account.keyFile, Value.path))
    static let keyCommand = Option(
        "key-command", value: "CMD", isSetting: false,
        help: "run this for the key or the password, such as 'pass show miniflux'",
        apply: set(\.account.keyCommand, Value.text))
    static let forget = toggle(
        "forget", \.forgetsAccount, help: "forget the account and its key; what was imported from it stays")
    static let account = [user, keyFile, keyCommand, forget]
}

/// `import` without a path: from every feed reader on this machine and every account that was set up.
extension CommandContext<ImportArguments> {
    func importEverything() async throws {
        let sources = ImportSources(arguments.importer)
        let candidates = try sources.all(isDryRun: arguments.isDryRun)
        guard !candidates.isEmpty else {
            if let browser = sources.browsers.first {
                throw PulseError(
                    .noInput,
                    "No server is set up, and no feed reader was found on this machine, only the browsing history of "
                        + "\(browser.kind.name) (\(browser.path)).",
                    hint: "Of a browser, the sites that you name are imported: pulse-digest import "
                        + "\(browser.kind.name) --host theguardian.com")
            }
            throw PulseError(
                .noInput,
                "No server is set up, and no files of a feed reader were found in their usual places on this machine.",
                hint: "Name a file or a folder: pulse-digest import PATH. What can be read: pulse-digest import --help")
        }
        var chosen = candidates.filter(\.isKnown)
        let new = candidates.filter { !$0.isKnown }
        if arguments.isConfirmed || arguments.isDryRun {
            chosen = candidates
        } else if !new.isEmpty {
            guard let questioner else {
                if chosen.isEmpty { throw Self.unconfirmed(new) }
                noteOnTerminal("Not imported yet: \(new.map(\.name).joined(separator: ", ")). To do so: --yes")
                return try await importAll(chosen)
            }
            if try await isAgreed(new, by: questioner) { chosen = candidates }
            if chosen.isEmpty { return note("Nothing was imported.") }
        }
        try await importAll(chosen)
    }

    /// Imports one after another; a failure does not stop the others.
    private func importAll(_ candidates: [ImportSources.Candidate]) async throws {
        var worst = PulseError.Code.closedPipe
        for candidate in candidates {
            do {
                try await importArticles(of: try candidate.open(), candidate.kind, as: candidate.name)
            } catch {
                let error = error.asPulseError
                if error.code == .interrupted || error.code == .closedPipe { throw error }
                console.say("pulse-digest: \(candidate.name): \(error)")
                if error.code.rawValue > worst.rawValue { worst = error.code }
            }
        }
        // Each error is printed already.
        if worst != .closedPipe { throw PulseError(worst, "") }
    }

    /// Lists the new sources with their counts, and asks.
    private func isAgreed(_ new: [ImportSources.Candidate], by questioner: any Questioner) async throws -> Bool {
        var lines: [Message] = ["Found on this machine, not imported yet:\n"]
        for candidate in new {
            let numbers: Message
            do {
                let tally = try await arguments.importer.tally(try candidate.open())
                numbers =
                    tally.starred > 0 ? "\(tally.read) read, \(tally.starred) starred" : "\(tally.read) read"
            } catch let error as PulseError where error.code != .interrupted {
                numbers = "\(error)"
            }
            lines.append("  \(candidate.name): \(numbers)\n")
        }
        lines.append("Import it, now and at every import from now on?")
        return try await questioner.agrees(to: lines.joined(), isUsual: true)
    }

    private static func unconfirmed(_ new: [ImportSources.Candidate]) -> PulseError {
        PulseError(
            .usage,
            "Nothing has been imported yet, and without a terminal no question can be asked. "
                + "Found: \(new.map(\.name).joined(separator: ", ")).",
            hint: "To import all of it: pulse-digest import --yes. To see what is in it: pulse-digest import --dry-run")
    }
}
