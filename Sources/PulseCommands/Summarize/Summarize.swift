import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseModels
import PulseRendering
import PulseSources
import PulseStore

extension Command {
    static let summarize = Command(
        "summarize", operands: "NUMBER|ID|URL|-…", arity: 1...20,
        summary: "summarise an article, or several in one text",
        details: """
            Name an article of your history by its number in the last digest (3) or the last answer (a1), by the \
            beginning of its id (four characters or more) or by its URL; - reads text or HTML from standard input. A model on this machine \
            writes the summary and shows it as it writes; a sentence that the article does not support is left out. \
            Without a model (see pulse-digest models), or with --model none, the summary is two of the article's own \
            sentences.

            Several articles become one text, each sentence with the numbers of its articles; without a model, it is a \
            sentence of each.
            """,
        options: [Option.language, .format([.text, .markdown, .json, .speech]), .speak, .dryPrompt].headed("Output")
            + (Option.writing + [.fresh]).headed("Model"),
        resolving: { context in
            try context.requireOneVoice()
            return AnswerArguments(context)
        }
    ) { context in
        if Set(context.operands).count > 1 {
            try await context.summarizeSeveral(context.operands)
        } else {
            try await context.summarize(context.operands[0])
        }
    }
}

extension CommandContext<AnswerArguments> {
    private var output: CommandContext<OutputArguments> { with(arguments: arguments.output) }

    fileprivate func summarize(_ reference: String) async throws {
        let isPiped = reference == "-"
        let article = try isPiped ? pipedArticle() : referenceResolver.find(reference).article
        guard !article.text.allSatisfy(\.isWhitespace) else {
            throw PulseError(.badData, "There is nothing to summarise: the text is empty.")
        }
        let reporter = reporter
        defer { reporter.clear() }
        let output = output
        let isStreamed = output.arguments.isStreamed
        let maker = SummaryMaker(
            of: article, by: arguments.model, in: output.arguments.language, isKept: !isPiped,
            isReadAlong: isStreamed && console.width != nil, in: app, reporter: reporter)
        if arguments.isDryRun { return try print(try await maker.prompts()) }
        try output.requireOutput()
        if isStreamed {
            let printer = ReplyPrinter(
                output, reporter, heading: SummaryText.heading(article, style: style),
                isUnchecked: arguments.model.check == .off)
            return try await printer.printSummary { try await maker.make(printer.show) }
        }
        let summary = try await maker.make()
        reporter.clear()
        if output.arguments.isSpoken {
            try await Speaker(output).speak(SpeechText(summary))
        } else {
            try console.write(output.document(of: summary))
        }
    }

    /// One text about several articles, whose sentences are followed by the articles' numbers.
    ///
    /// - Parameter references: At least two.
    fileprivate func summarizeSeveral(_ references: [String]) async throws {
        guard !references.contains("-") else {
            throw PulseError(
                .usage, "Standard input cannot be combined with other articles.",
                hint: "For example: pulse-digest summarize - < page.html")
        }
        let (readings, numbers) = try resolve(references)
        let reporter = reporter
        defer { reporter.clear() }
        let output = output
        let writer = try await PassageWriter.make(
            arguments.model, isDryRun: arguments.isDryRun, isReadAlong: output.isReadAlong,
            language: output.arguments.language, instead: "The articles' own sentences are quoted instead.", in: app,
            reporter: reporter)
        let summary = ArticlesSummary(
            readings: readings, numbers: numbers, writer: writer, language: output.arguments.language)
        if arguments.isDryRun {
            if let prompts = try await summary.prompts() { try print(prompts) }
            return
        }
        try output.requireOutput()
        guard !output.arguments.isSpoken, output.arguments.format != .speech else {
            return try await speak(try await summary.make { _, _ in }, reporter)
        }
        let printer = ReplyPrinter(output, reporter, numbers: summary.names, passages: summary.passages)
        let reply = try await printer.print { try await summary.make(onWriting: printer.show) }
        if numbers == nil { app.keepNumbers(of: reply, profile: arguments.profile, reporter: reporter) }
    }

    /// The articles, each once; and the numbers by which they were named, if all were.
    private func resolve(_ references: [String]) throws -> ([Reading], [String: String]?) {
        let finder = referenceResolver
        var (readings, numbers): ([Reading], [String: String]) = ([], [:])
        for reference in references {
            let reading = try finder.find(reference)
            guard !readings.contains(where: { $0.article.id == reading.article.id }) else { continue }
            readings.append(reading)
            numbers[reading.article.id] = ArticleNumber(reference)?.text
        }
        return (readings, numbers.count == readings.count ? numbers : nil)
    }

    private func speak(_ reply: Reply, _ reporter: Reporter) async throws {
        reporter.clear()
        let text = SpeechText(
            Summary(
                article: Article(id: "-", title: "", content: ""), sentences: reply.sentences,
                language: reply.language, model: reply.model, unusable: reply.unusable, refused: reply.refused,
                check: reply.check))
        guard output.arguments.isSpoken else { return try console.write(text.text) }
        try await Speaker(output).speak(text)
    }
}

extension CommandContext {
    /// For a command that reads standard input: at a terminal, it would seem to hang.
    func tellOfTyping() {
        if console.isInputTerminal { note("Type or paste the text, then press control-D on a line of its own.") }
    }

    fileprivate func pipedArticle() throws -> Article {
        tellOfTyping()
        let bytes: [UInt8]
        do {
            // More than any article has.
            bytes = try ByteStream(descriptor: console.input, name: "standard input").rest(limit: 16 << 20)
        } catch {
            let error = error.asPulseError
            throw error.code == .badData ? error.adding("Give it the text of one article.") : error
        }
        guard let article = PageText.article(in: Data(bytes), now: now) else {
            throw PulseError(.badData, "Standard input is not a text.", hint: "It takes text or HTML.")
        }
        return article
    }
}
