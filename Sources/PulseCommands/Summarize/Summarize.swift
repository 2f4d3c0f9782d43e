import Foundation
import PulseCore
import PulseDigest
import PulseImport
import PulseMarkup
import PulseRendering
import PulseStore

extension Command {
    static let summarize = Command(
        "summarize", operands: "<number|id|url|->", arity: 1...1,
        summary: "summarise one article",
        details: """
            Name an article of your history by its number in the last digest, by the beginning of its id (four \
            characters or more) or by its URL; - reads text or HTML from standard input. By default the summary is two \
            of the article's own sentences; with --grounded checked a model writes, and a sentence that the article \
            does not support is left out.
            """,
        options: [Option.language, .format([.text, .markdown, .json, .speech]), .speak, .dryPrompt].headed("Output")
            + (Option.writing + [.fresh]).headed("Model")
    ) { context throws(PulseError) in
        try context.requireOneVoice()
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
        let maker = SummaryMaker(context: context, status: status, article: article, isKept: !isPiped)
        if context.settings.isDryRun {
            try context.requirePrompts()
            return try await maker.printPrompt()
        }
        context.tellOfUnusedModel()
        try context.requireOutput()
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

    func make() async throws(PulseError) -> Summary {
        let language = context.settings.language
        guard context.settings.grounded == .checked, article.canBeAskedAbout else {
            return Summary(article: article, sentences: article.ownSummary, language: language)
        }
        let question = try question()
        var said = question.check
        let maker = try AnswerMaker(context: context, status: status)
        let report = try await maker.answer([question]) { _ in
            "The summary is made of the article's own sentences."
        } hear: { _, answer in
            said = question.check.after(answer)
        }
        if let tooSmall = report.tooSmall { throw tooSmall }
        return Summary(
            article: article, sentences: said.sentences(or: article.ownSummary), language: language,
            model: report.model, refused: said.refused, isShortened: report.shortened > 0, timing: report.timing)
    }

    func printPrompt() async throws(PulseError) {
        try await AnswerMaker(context: context, status: status).printPrompts(
            article.canBeAskedAbout ? [question()] : [])
    }

    private func question() throws(PulseError) -> AnswerMaker.Question {
        let article = article
        let language = article.language(or: context.settings.language)
        let template = try PromptFiles(locations: context.locations).template(for: .summary, in: language)
        return AnswerMaker.Question(
            name: article.title.isEmpty ? "standard input" : article.title, articles: isKept ? [article] : nil,
            template: template, language: language, check: CheckedAnswer([article], most: CheckedAnswer.summary)
        ) { limit, measure, count in
            SummaryPrompt.make(
                article, template: template, language: language, limit: limit, measure: measure, count: count)
        }
    }
}
