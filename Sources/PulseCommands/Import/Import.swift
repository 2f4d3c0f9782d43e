import Foundation
import PulseApp
import PulseCore
import PulseSources
import PulseText

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
        subcommands: files + servers
    ) { context throws(PulseError) in
        guard let path = context.operands.first else {
            return try await context.keepingVectors { () async throws(PulseError) in
                try await ImportEverything(context: context).run()
            }
        }
        // Of standard input nothing can be looked at before it is read.
        let found = path == "-" ? SourceFinder.standardInput : try Command.recognise(path, context)
        if !context.settings.isDryRun {
            context.note("\(PlainText.line(found.path)): \(found.kind.summary) (\(found.kind.name))")
        }
        try await context.importFile(found.path, found.kind)
    }

    private static let files = SourceKind.all.filter { kind in !Accounts.kinds.contains { $0.name == kind.name } }.map {
        kind in
        Command(
            kind.name, operands: kind.operands, arity: 0...1, summary: kind.summary, details: kind.details,
            options: Option.importing
        ) { context throws(PulseError) in
            try await context.importFile(context.operands.first, kind)
        }
    }

    private static let servers = Accounts.kinds.map { server in
        Command(
            server.name, operands: server.operands, arity: 0...1, summary: server.summary, details: server.details,
            options: Option.account + [.tryImport, .noBulk, .fetch, .yes]
        ) { context throws(PulseError) in
            let setup = AccountSetup(
                in: context.app, settings: context.account, questioner: context.questioner, reporter: context.reporter)
            if context.settings.forgetsAccount {
                return try setup.forget(
                    kind: server.name, url: context.operands.first, isTrial: context.settings.isDryRun)
            }
            // Some have files of the same name: what they export.
            if let kind = SourceKind.all.first(where: { $0.name == server.name }), let path = context.operands.first,
                FileManager.default.fileExists(atPath: path)
            {
                return try await context.importFile(path, kind)
            }
            let account = try await setup.setUp(kind: server.name, url: context.operands.first)
            try await context.keepingVectors { () async throws(PulseError) in
                try await context.importArticles(
                    of: account.source(in: context.app, isForgetful: context.settings.isDryRun), nil)
            }
        }
    }

    private static func recognise(_ path: String, _ context: Context) throws(PulseError) -> SourceFinder.Found {
        if path.contains("://") {
            throw PulseError(
                .usage, "“\(PlainText.line(path, limit: 200))” is an address, so what is there must be said.",
                hint: "For a server: pulse-digest import \(Accounts.kinds.map(\.name).joined(separator: "|")) URL")
        }
        let path = (path as NSString).expandingTildeInPath
        let answer: SourceFinder.Answer
        do throws(PulseError) {
            answer = try SourceFinder.look(at: path)
        } catch {
            if ["feed", "feeds", "rss", "atom"].contains(path) {
                throw PulseError(
                    .noInput, error.message,
                    hint: "To follow a feed: pulse-digest feeds add URL. A list of feeds: "
                        + "pulse-digest feeds import-opml FILE")
            }
            if error.code == .noInput, let hint = Meanings.source(path) {
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
            // What its columns hold was said, so it may be any list.
            let format: String? =
                switch look {
                case .csv: "csv"
                case .json: "json"
                default: nil
                }
            if !context.settings.importing.columns.isEmpty,
                let kind = SourceKind.all.first(where: { $0.name == format })
            {
                return SourceFinder.Found(kind: kind, path: path)
            }
            throw PulseError(
                .badData, "\(path) is nothing that can be imported: it looks like \(look.text).", hint: hint(look, path)
            )
        }
    }

    /// What to do with a file that is no source.
    private static func hint(_ look: SourceLook, _ path: String) -> Message {
        switch look {
        case .opml: "To follow these feeds: pulse-digest feeds import-opml \(ShellWord.quoted(path))"
        case .feed: "A feed holds what you have not read. To follow one: pulse-digest feeds add URL"
        case .html, .text: "To summarise it: pulse-digest summarize - < \(ShellWord.quoted(path))"
        case .json, .csv:
            "If it is a list of articles, say what its columns hold, such as --map title=Headline, and which kind it "
                + "is: pulse-digest import --help"
        case .database, .folder, .wideText, .archive, .binary, .empty: "What can be: pulse-digest import --help"
        }
    }
}
