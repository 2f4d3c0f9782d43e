import PulseApp
import PulseCore
import PulseDigest
import PulseInference
import PulseRendering
import PulseStore
import PulseText

/// Writes a reply in the requested format. Text is written while the model writes: on a terminal word by word,
/// elsewhere sentence by sentence.
final class ReplyPrinter {
    private let context: CommandContext<OutputArguments>
    private let reporter: Reporter
    /// Nil: the reply is written once it is complete.
    private var text: ReplyText?
    private var live: LiveLines
    private var passages: [Passage] = []
    private var said: [Sentence] = []
    /// The number of printed sentences.
    private var written = 0

    /// - Parameters:
    ///   - numbers: See `Reply.numbers`.
    ///   - passages: The passages that the reply is based on, if already known.
    init(
        _ context: CommandContext<OutputArguments>, _ reporter: Reporter, numbers: [String: String]? = nil,
        passages: [Passage] = []
    ) {
        self.context = context
        self.reporter = reporter
        self.passages = passages
        live = LiveLines(console: context.console)
        if context.arguments.format == .text {
            text = ReplyText(style: context.style, language: context.arguments.language, numbers: numbers)
        }
    }

    /// Prints the reply that `make` returns. If it throws, removes the unchecked words from the terminal.
    func print(_ make: () async throws -> Reply) async throws -> Reply {
        let reply: Reply
        do {
            reply = try await make()
        } catch {
            try? abandon()
            throw error
        }
        reporter.clear()
        try end(reply)
        return reply
    }

    func take(_ passages: [Passage]) { self.passages = passages }

    /// Shows the unfinished reply.
    func show(_ sentences: [Sentence], _ unfinished: String) throws {
        guard let text else { return }
        guard live.isOn else { return try write(sentences) }
        guard !sentences.isEmpty || !unfinished.isEmpty else { return try live.clear() }
        said = sentences
        reporter.clear()
        try live.draw(text.paragraph(sentences, of: passages, unfinished: unfinished))
    }

    private func write(_ sentences: [Sentence]) throws {
        while written < sentences.count {
            reporter.clear()
            written += 1
            try context.console.write(text?.sentence(endOf: Array(sentences.prefix(written)), of: passages) ?? "")
        }
    }

    private func abandon() throws {
        if live.isOn, let text { return try live.draw(text.paragraph(said, of: passages)) }
        try context.console.write(text?.end() ?? "")
    }

    private func end(_ reply: Reply) throws {
        guard let text else {
            return try context.console.write(
                context.arguments.format == .json
                    ? ReplyJSON.render(reply) : ReplyMarkdown.render(reply, timeZone: context.timeZone))
        }
        if live.isOn {
            try live.clear()
            try context.console.write(
                text.paragraph(reply.sentences, of: reply.passages).map { $0 + "\n" }.joined())
        } else {
            try write(reply.sentences)
            try context.console.write(self.text?.end() ?? "")
        }
        try context.console.write(text.closing(reply))
    }
}

extension CommandContext<OutputArguments> {
    /// Whether a person can read a text while it is written.
    var isReadAlong: Bool { console.width != nil && arguments.format == .text }
}
