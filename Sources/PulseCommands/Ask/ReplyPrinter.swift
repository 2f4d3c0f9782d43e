import PulseApp
import PulseCore
import PulseDigest
import PulseInference
import PulseRendering
import PulseStore
import PulseText

/// Writes a reply in the requested format, or a summary as text. Text is written while the model writes: on a terminal
/// word by word, elsewhere sentence by sentence.
final class ReplyPrinter {
    private let context: CommandContext<OutputArguments>
    private let reporter: Reporter
    /// Nil: the reply is written once it is complete.
    private var text: ReplyText?
    private var live: LiveLines
    private var passages: [Passage] = []
    private var said: [Sentence] = []
    /// The number of printed sentences, and the printed part of the next.
    private var written = 0
    private var front = WrittenFront()
    /// The heading; empty once it is written.
    private var heading: String
    private let isUnchecked: Bool

    /// - Parameters:
    ///   - numbers: See `Reply.numbers`.
    ///   - passages: The passages that the reply is based on, if already known.
    ///   - isUnchecked: Whether a pipe, too, gets each word as the model writes it.
    init(
        _ context: CommandContext<OutputArguments>, _ reporter: Reporter, numbers: [String: String]? = nil,
        passages: [Passage] = [], heading: String = "", isUnchecked: Bool = false
    ) {
        self.context = context
        self.reporter = reporter
        self.passages = passages
        self.heading = heading
        self.isUnchecked = isUnchecked
        live = LiveLines(console: context.console)
        if context.arguments.format == .text {
            text = ReplyText(style: context.style, language: context.arguments.language, numbers: numbers)
        }
    }

    /// Prints the reply that `make` returns. If it throws, removes the unchecked words from the terminal.
    func print(_ make: () async throws -> Reply) async throws -> Reply {
        let reply = try await abandoning(make)
        reporter.clear()
        if let text {
            try end(reply.sentences, of: reply.passages, closing: text.closing(reply))
        } else {
            try context.console.write(
                context.arguments.format == .json
                    ? ReplyJSON.render(reply) : ReplyMarkdown.render(reply, timeZone: context.timeZone))
        }
        return reply
    }

    /// The same for a summary, as text.
    func printSummary(_ make: () async throws -> Summary) async throws {
        let summary = try await abandoning(make)
        try end(summary.sentences, of: [], closing: SummaryText.closing(summary, style: context.style))
    }

    private func abandoning<Result>(_ make: () async throws -> Result) async throws -> Result {
        do {
            return try await make()
        } catch {
            try? abandon()
            throw error
        }
    }

    func take(_ passages: [Passage]) { self.passages = passages }

    func show(_ sentences: [Sentence], _ unfinished: String) throws {
        guard let text else { return }
        guard live.isOn else {
            try write(sentences)
            return try writeWords(of: unfinished)
        }
        guard !sentences.isEmpty || !unfinished.isEmpty else { return try live.clear() }
        said = sentences
        try begin()
        try live.draw(text.paragraph(sentences, of: passages, unfinished: unfinished))
    }

    private func begin() throws {
        reporter.clear()
        defer { heading = "" }
        try context.console.write(heading)
    }

    private func write(_ sentences: [Sentence]) throws {
        while written < sentences.count {
            try begin()
            written += 1
            let whole = text?.sentence(endOf: Array(sentences.prefix(written)), of: passages) ?? ""
            try context.console.write(front.rest(of: whole) ?? whole)
        }
    }

    private func writeWords(of unfinished: String) throws {
        guard isUnchecked, context.console.width == nil, let text, let settled = unfinished.settledFront,
            let words = front.more(of: text.beginning(settled))
        else { return }
        try begin()
        try context.console.write(words)
    }

    private func abandon() throws {
        if live.isOn, let text { return try live.draw(text.paragraph(said, of: passages)) }
        let end = text?.end() ?? ""
        try context.console.write(end.isEmpty && front.isBegun ? "\n" : end)
    }

    private func end(_ sentences: [Sentence], of passages: [Passage], closing: String) throws {
        try begin()
        if live.isOn, let text {
            try live.clear()
            try context.console.write(text.paragraph(sentences, of: passages).map { $0 + "\n" }.joined())
        } else {
            try write(sentences)
            try context.console.write(text?.end() ?? "")
        }
        try context.console.write(closing)
    }
}

extension CommandContext<OutputArguments> {
    /// Whether a person can read a text while it is written.
    var isReadAlong: Bool { console.width != nil && arguments.format == .text }
}
