import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulsePlatform
import PulseRendering
import PulseText

/// The formats of results. A digest has all of them, other results some.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, markdown, html, json, email, speech, atom

    /// Nil if the file name's extension is unknown.
    init?(ofFileNamed path: String) {
        let endings: [String: OutputFormat] = [
            "html": .html, "htm": .html, "md": .markdown, "json": .json, "eml": .email, "atom": .atom, "txt": .text,
        ]
        guard let format = endings[(path as NSString).pathExtension.lowercased()] else { return nil }
        self = format
    }
}

struct OutputArguments: Sendable {
    var format = OutputFormat.text
    var language = Language.english
    /// The file or the folder to write to; nil: standard output.
    var path: String?
    /// Whether it is read aloud, and not printed.
    var isSpoken = false
    /// Whether each story explains its rank.
    var isExplained = false
    /// The recipients and the sender of an email; no sender means the user of this machine.
    var to: [MailAddress] = []
    var from: MailAddress?
    /// Whether it is of the week, not of a day.
    var isWeek = false

    var isStreamed: Bool { format == .text && path == nil && !isSpoken }
}

struct AnswerArguments: Sendable {
    let model: ModelSettings
    /// The profile for which its sources are kept; empty: the default profile.
    let profile: String
    /// Whether only the prompts are printed.
    let isDryRun: Bool
    let output: OutputArguments

    init(_ context: RawContext) {
        model = context.model
        profile = context.settings.profile
        isDryRun = context.settings.isDryRun
        output = context.settings.output
    }
}

/// Where `--output` puts a digest: a file, a feed that grows by a day, or a folder of pages.
struct DigestOutput {
    private let context: CommandContext<OutputArguments>
    /// Absolute, with symbolic links resolved.
    private let path: String
    private let isFolder: Bool

    /// - Returns: nil if the digest goes to standard output.
    /// - Throws: If it could not be written, so that no model works for nothing.
    init?(_ context: CommandContext<OutputArguments>) throws {
        guard let named = context.arguments.path else { return nil }
        self.context = context
        path = URL(fileURLWithPath: named).resolvingSymlinksInPath().path
        let kind = DigestOutput.kind(path)
        isFolder = named.hasSuffix("/") || kind == S_IFDIR
        if isFolder, context.arguments.format != .html {
            throw PulseError(
                .usage, "--output \(named) is a folder, and only --format html writes one.", hint: "Name a file in it.")
        }
        if let kind, kind != (isFolder ? S_IFDIR : S_IFREG) {
            throw PulseError(.cannotWrite, isFolder ? "\(named) is not a folder." : "\(named) is not a file.")
        }
        if context.arguments.format == .atom {
            _ = try feed()
        } else if !isFolder {
            try Self.requireOwn(file: path)
        }
        if isFolder { try requireOwn(DigestPages.indexName) }
    }

    /// Concurrent runs take turns.
    func write(_ digest: Digest) throws {
        try context.app.state().waitingLock("output.lock").hold {
            if isFolder { return try writePages(digest) }
            guard context.arguments.format == .atom else {
                return try write(context.document(of: digest), to: path)
            }
            var feed = try feed()
            feed.add(digest, timeZone: context.timeZone)
            try write(feed.text(in: context.arguments.language), to: path)
        }
    }

    private func writePages(_ digest: Digest) throws {
        try AtomicFile.makeFolder(path)
        let name = DigestPages.name(of: digest, timeZone: context.timeZone)
        try requireOwn(name)
        try requireOwn(DigestPages.indexName)
        let others = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != name }
        let pages = DigestPages(others + [name], in: context.arguments.language)
        let page = DigestPages.page(digest, timeZone: context.timeZone)
        try write(pages.linked(page, named: name), to: path + "/" + name)
        for other in pages.beside(name) {
            let old = try text(of: path + "/" + other)
            guard DigestPages.isOwn(old) else { continue }
            let new = pages.linked(old, named: other)
            if new != old { try write(new, to: path + "/" + other) }
        }
        try write(pages.index, to: path + "/" + DigestPages.indexName)
    }

    /// The feed as it was written before; an empty one where there is no file yet.
    private func feed() throws -> AtomFeed {
        let text = try text(of: path)
        guard !text.isEmpty else { return context.feed(at: path) }
        guard let feed = AtomFeed(text) else { throw DigestOutput.foreign(path) }
        return feed
    }

    /// Throws if the page was not written by this program.
    private func requireOwn(_ name: String) throws {
        let page = path + "/" + name
        let text = try text(of: page)
        guard text.isEmpty || DigestPages.isOwn(text) else { throw DigestOutput.foreign(page) }
    }

    /// Empty where there is no file.
    private func text(of path: String) throws -> String {
        guard let kind = DigestOutput.kind(path) else { return "" }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard kind == S_IFREG, size <= DigestOutput.longest else { throw DigestOutput.foreign(path) }
        return String(decoding: try AtomicFile.read(path) ?? Data(), as: UTF8.self)
    }

    private func write(_ text: String, to path: String) throws {
        try AtomicFile.write(Data(text.utf8), to: path, mode: AtomicFile.mode(of: path, new: 0o666))
    }

    /// Writes a file in parts, for exports larger than a digest. Like the store, it is readable by its owner only.
    static func replace(_ named: String, _ body: AtomicFile.Body) throws {
        let path = URL(fileURLWithPath: named).resolvingSymlinksInPath().path
        if let kind = kind(path), kind != S_IFREG { throw PulseError(.cannotWrite, "\(named) is not a file.") }
        try requireOwn(file: path)
        try AtomicFile.write(to: path, mode: AtomicFile.mode(of: path, new: 0o600), body)
    }

    /// Throws if the file holds anything but an earlier digest or export.
    private static func requireOwn(file path: String) throws {
        let bytes = try? FileHandle(forReadingAtPath: path)?.read(upToCount: longest)
        let text = String(decoding: bytes ?? Data(), as: UTF8.self)
        guard text.isEmpty || marks.contains(where: text.contains) else { throw foreign(path) }
    }

    /// The marks of text, pages and mails; of a digest as JSON; of an export; of a digest as speech.
    private static let marks =
        ["pulse-digest", "\"left_out\" : ", "\"form\":\"stored\""]
        + Language.allCases.flatMap { [$0.phrases.title(""), String($0.phrases.week("\n", "").prefix { $0 != "\n" })] }

    /// In bytes: more than thirty of the longest digests.
    private static let longest = 64 << 20

    private static func kind(_ path: String) -> mode_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    private static func foreign(_ path: String) -> PulseError {
        PulseError(
            .cannotWrite, "\(PlainText.line(path)) was not written by pulse-digest, and stays as it is.",
            hint: "Give --output another name, or delete that file first.")
    }
}

extension CommandContext {
    /// A feed without entries, for a file or for the output. Its name stays the same from day to day.
    func feed(at path: String) -> AtomFeed {
        AtomFeed(named: [Sender.address(environment: environment).key, history.identity, path].joined(separator: "\n"))
    }

    /// `--dry-run`: the prompts, and their tokens.
    func print(_ list: PromptList) throws {
        for entry in list.prompts {
            try console.write(
                """
                === \(PlainText.line(entry.name)): \(entry.tokens) tokens
                --- system
                \(PlainText.printable(entry.prompt.system))
                --- user
                \(PlainText.printable(entry.prompt.user))


                """)
        }
        let tokens = list.prompts.reduce(0) { $0 + $1.tokens }
        try console.tell(
            "=== \(Counted.text(list.prompts.count, "prompt", "prompts")), \(tokens) tokens, by the tokenizer of "
                + "\(list.model); its context holds \(list.contextLength)\n")
    }
}

extension CommandContext<OutputArguments> {
    func document(of digest: Digest) throws -> String {
        switch arguments.format {
        case .text: DigestText.render(digest, style: style, isExplained: arguments.isExplained)
        case .markdown: DigestMarkdown.render(digest, timeZone: timeZone)
        case .html: DigestHTML.render(digest, timeZone: timeZone)
        case .json: DigestJSON.render(digest)
        case .email: try email(of: digest).message.text
        case .speech: SpeechText(digest, timeZone: timeZone).text
        case .atom: feed(of: digest)
        }
    }

    func document(of summary: Summary) -> String {
        switch arguments.format {
        case .markdown: SummaryMarkdown.render(summary)
        case .json: SummaryJSON.render(summary)
        case .speech: SpeechText(summary).text
        // `summarize` takes no others.
        case .text, .html, .email, .atom: SummaryText.render(summary, style: style)
        }
    }

    /// A feed of this digest alone; `DigestOutput` writes one that grows.
    private func feed(of digest: Digest) -> String {
        var feed = feed(at: "-")
        feed.add(digest, timeZone: timeZone)
        return feed.text(in: arguments.language)
    }

    /// The digest as a message to its recipients, cut so that it fits, and the digest as cut.
    func email(of digest: Digest) throws -> (message: EmailMessage, digest: Digest) {
        EmailMessage.fitting(
            digest, from: arguments.from ?? Sender.address(environment: environment), to: try arguments.to.recipients(),
            timeZone: timeZone)
    }

    /// Checks the output before a model works for nothing.
    func requireOutput() throws {
        if arguments.isSpoken { _ = try Speaker(self) }
        _ = try DigestOutput(self)
    }

    /// Reads the digest aloud, writes it to its file, or prints it.
    func hand(out digest: Digest, isPaged: Bool = false) async throws {
        if arguments.isSpoken {
            try await Speaker(self).speak(SpeechText(digest, timeZone: timeZone))
        } else if let output = try DigestOutput(self) {
            try output.write(digest)
            noteOnTerminal("Written to \(PlainText.line(arguments.path ?? "")).")
        } else if isPaged, arguments.format != .json {
            try await page(document(of: digest))
        } else {
            try console.write(document(of: digest))
        }
    }
}

extension RawContext {
    /// Throws if an output file would overwrite the history or the settings.
    func requireOtherOutput() throws {
        let files = [("--output", settings.output.path), ("--save", settings.asking.savePath)]
        func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let own = ["", "-wal", "-shm"].map { history.identity + $0 } + [place(locations.configurationFile)]
        for case (let option, let named?) in files where own.contains(place(named)) {
            throw PulseError(
                .usage, "\(option) \(named) would overwrite the history or the settings.",
                hint: "Give \(option) another name.")
        }
    }

    /// Throws if --speak is combined with another format or with an output file.
    func requireOneVoice() throws {
        guard settings.output.isSpoken else { return }
        let isFormatGiven = flags.contains { $0.option.name == Option.formatName } && settings.format != .speech
        guard isFormatGiven || settings.output.path != nil else { return }
        throw PulseError.contradiction(
            "--speak reads aloud, so --\(isFormatGiven ? "format" : "output") does not apply.")
    }

    /// A mail holds the digest as text and as HTML. A format in the settings is for printed output; on the command
    /// line, it would be ignored silently.
    func requireMailFormat() throws {
        guard flags.contains(where: { $0.option.name == Option.formatName }), settings.format != .email else { return }
        throw PulseError(
            .usage, "An email holds the digest as text and as HTML.",
            hint: "Leave out --format \(settings.format.rawValue).")
    }
}
