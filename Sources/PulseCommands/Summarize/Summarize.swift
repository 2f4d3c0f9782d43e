import Foundation
import PulseCore
import PulseDigest
import PulseMarkup
import PulseModels
import PulseRendering
import PulseSources
import PulseStore

extension Command {
    static let summarize = Command(
        "summarize", operands: "<number|id|url|->…", arity: 1...20,
        summary: "summarise an article, or several in one text",
        details: """
            Name an article of your history by its number in the last digest, by the beginning of its id (four \
            characters or more) or by its URL; - reads text or HTML from standard input. A model on this machine \
            writes the summary and shows it as it writes; a sentence that the article does not bear out is left out. \
            Without a model (see pulse-digest models), or with --model none, the summary is two of the article's own \
            sentences.

            Several articles become one text, each sentence with the numbers of its articles; without a model, it is a \
            sentence of each.
            """,
        options: [Option.language, .format([.text, .markdown, .json, .speech]), .speak, .dryPrompt].headed("Output")
            + (Option.writing + [.fresh]).headed("Model")
    ) { context throws(PulseError) in
        try context.requireOneVoice()
        if Set(context.operands).count > 1 { return try await SummarizeSeveral(context: context).run(context.operands) }
        let reference = context.operands[0]
        let isPiped = reference == "-"
        let article =
            try isPiped
            ? StandardInput.article(context) : ArticleFinder(context: context).find(reference).article
        guard !article.text.allSatisfy(\.isWhitespace) else {
            throw PulseError(.badData, "There is nothing to summarise: the text is empty.")
        }
        let status = context.statusLine()
        defer { status.clear() }
        var maker = SummaryMaker(context: context, status: status, article: article, isKept: !isPiped)
        if context.settings.isDryRun { return try await maker.printPrompt() }
        try context.requireOutput()
        if context.settings.format == .text, !context.settings.isSpoken {
            maker.isReadAlong = context.console.width != nil
            return try await SummaryStream(context: context, status: status).run(maker)
        }
        let summary = try await maker.make()
        status.clear()
        if context.settings.isSpoken {
            try await Speaker(context).speak(SpeechText(summary))
        } else {
            try context.console.write(context.document(of: summary))
        }
    }
}

/// An article that is piped in.
private enum StandardInput {
    /// More than any article has.
    private static let mostBytes = 16 << 20

    static func article(_ context: Context) throws(PulseError) -> Article {
        if context.console.isInputTerminal {
            context.note("Type or paste the text, then press control-D on a line of its own.")
        }
        let bytes: [UInt8]
        do throws(PulseError) {
            bytes = try ByteReader(descriptor: context.console.input, name: "standard input").rest(limit: mostBytes)
        } catch {
            throw error.code == .badData ? error.adding("Give it the text of one article.") : error
        }
        // What is not UTF-8 becomes replacement characters: half a text says more than none. But no text has zeros.
        let decoded = String(decoding: bytes, as: UTF8.self)
        let strange = decoded.unicodeScalars.count { $0 == "\u{fffd}" }
        guard !bytes.contains(0), strange * 4 <= decoded.unicodeScalars.count else {
            throw PulseError(
                .badData, "Standard input is not a text.", hint: "It takes text or HTML in UTF-8.")
        }
        let text = HTMLText.paragraphs(decoded)
        return Article(id: "-", title: "", content: text)
    }
}

/// Makes the summary of one article: two of its own sentences, or a model's where it may write.
struct SummaryMaker {
    let context: Context
    let status: StatusLine
    let article: Article
    /// Whether what the model answers is kept. An article that is not in the history leaves nothing in it.
    let isKept: Bool
    /// Whether somebody reads it while it is made.
    var isReadAlong = false

    /// - Parameter hear: Is handed the sentences that are to be shown, and what is there of the next; what it throws
    ///   ends the work.
    func make(
        _ hear: ([Sentence], _ unfinished: String) throws(PulseError) -> Void = { _, _ in }
    ) async throws(PulseError) -> Summary {
        let settings = context.settings
        guard article.canBeAskedAbout, let model = try context.writer() else {
            return Summary(article: article, sentences: article.ownSummary, language: settings.language)
        }
        var said = CheckedAnswer([article], most: CheckedAnswer.summary)
        do throws(PulseError) {
            let checker = try await Checker(for: model, in: context)
            let question = try question(checker)
            said = question.check
            let maker = try AnswerMaker(model, checker, context: context, status: status, isReadAlong: isReadAlong)
            let report = try await maker.answer([question]) { _ in
                "The summary is made of the article's own sentences."
            } hear: { event throws(PulseError) in
                switch event {
                case .writing(_, let answer):
                    said = answer
                    try hear(answer.sentences, answer.unfinished)
                case .answered(_, let answer): said = answer
                }
            }
            if let tooSmall = report.tooSmall { throw tooSmall }
            return Summary(
                article: article, sentences: said.sentences(or: article.ownSummary), language: settings.language,
                model: report.model, refused: said.refused, check: settings.check, isShortened: report.shortened > 0,
                timing: report.timing)
        } catch  where [.unavailable, .tryAgain].contains(error.code) {
            // What stands there would be in the way of what is said.
            try hear([], "")
            context.note("\(error)")
            context.note("The article's own sentences are quoted instead.")
            return Summary(
                article: article, sentences: said.sentences(or: article.ownSummary), language: settings.language,
                model: ModelIdentity(name: model.name, sha256: nil), check: settings.check)
        }
    }

    func printPrompt() async throws(PulseError) {
        let model = try context.requireWriter()
        let checker = Checker()
        try await AnswerMaker(model, checker, context: context, status: status).printPrompts(
            article.canBeAskedAbout ? [question(checker)] : [])
    }

    private func question(_ checker: Checker) throws(PulseError) -> AnswerMaker.Question {
        let article = article
        let language = article.language(or: context.settings.language)
        let template = try PromptFiles(locations: context.locations).template(for: .summary, in: language)
        return AnswerMaker.Question(
            name: article.title.isEmpty ? "standard input" : article.title, articles: isKept ? [article] : nil,
            template: template, language: language,
            check: CheckedAnswer(
                [article], most: CheckedAnswer.summary, mode: context.settings.check, writer: checker.writer,
                model: checker.model)
        ) { limit, measure, count in
            SummaryPrompt.make(
                article, template: template, language: language, limit: limit, measure: measure, count: count)
        }
    }
}

/// Writes a summary as text while it is made: on a terminal each word as the model writes it, elsewhere each sentence
/// that is to be shown, and with `--check off` each word.
private final class SummaryStream {
    private let context: Context
    private let status: StatusLine
    private var live: LiveLines
    private var text: SummaryText
    private var isBegun = false
    /// What was said so far.
    private var said: [Sentence] = []
    /// How many sentences are out, and what is out of the next.
    private var sentences = 0
    private var begun = ""

    init(context: Context, status: StatusLine) {
        self.context = context
        self.status = status
        live = LiveLines(console: context.console)
        text = SummaryText(style: context.style, language: context.settings.language)
    }

    func run(_ maker: SummaryMaker) async throws(PulseError) {
        let summary: Summary
        do throws(PulseError) {
            summary = try await maker.make { sentences, unfinished throws(PulseError) in
                try show(sentences, unfinished, of: maker.article)
            }
        } catch {
            try? abandon()
            throw error
        }
        status.clear()
        try begin(maker.article)
        if live.isOn {
            try live.clear()
            let lines = text.paragraph(summary.sentences, unfinished: "")
            return try context.console.write(lines.map { $0 + "\n" }.joined() + text.notes(summary))
        }
        try write(summary.sentences)
        try context.console.write(text.closing(summary))
    }

    /// Takes away what was not checked.
    private func abandon() throws(PulseError) {
        guard !live.isOn else { return try live.draw(text.paragraph(said, unfinished: "")) }
        let end = text.end()
        try context.console.write(end.isEmpty && !begun.isEmpty ? "\n" : end)
    }

    private func begin(_ article: Article) throws(PulseError) {
        guard !isBegun else { return }
        isBegun = true
        status.clear()
        try context.console.write(text.heading(article))
    }

    private func show(_ said: [Sentence], _ unfinished: String, of article: Article) throws(PulseError) {
        if live.isOn {
            guard !said.isEmpty || !unfinished.isEmpty else { return try live.clear() }
            self.said = said
            try begin(article)
            return try live.draw(text.paragraph(said, unfinished: unfinished))
        }
        guard said.count > sentences || context.settings.check == .off else { return }
        try begin(article)
        try write(said)
        // The last word may still grow.
        guard context.settings.check == .off, context.console.width == nil, let end = unfinished.lastIndex(of: " "),
            unfinished.hasPrefix(begun)
        else { return }
        let front = unfinished[..<end]
        guard front.count > begun.count else { return }
        let gap = begun.isEmpty ? Sentence.gap(after: said.last?.text ?? "") : ""
        try context.console.write(gap + front.dropFirst(begun.count))
        begun = String(front)
    }

    private func write(_ said: [Sentence]) throws(PulseError) {
        for sentence in said.dropFirst(sentences) {
            let whole = text.sentence(sentence)
            if !begun.isEmpty, sentence.text.hasPrefix(begun) {
                try context.console.write(String(sentence.text.dropFirst(begun.count)))
            } else {
                try context.console.write(whole)
            }
            begun = ""
            sentences += 1
        }
    }
}
