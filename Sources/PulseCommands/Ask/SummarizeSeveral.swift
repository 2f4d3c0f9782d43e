import PulseApp
import PulseCore
import PulseDigest
import PulseRendering

/// `summarize` with several articles: one text, whose sentences are followed by the articles' numbers.
struct SummarizeSeveral {
    let context: Run<AnswerArguments>
    private var output: Run<OutputArguments> { context.seeing(context.arguments.output) }

    /// - Parameter references: At least two.
    func run(_ references: [String]) async throws(PulseError) {
        guard !references.contains("-") else {
            throw PulseError(
                .usage, "Standard input is summed up by itself.", hint: "Such as: pulse-digest summarize - < page.html")
        }
        let (readings, numbers) = try resolve(references)
        let reporter = context.reporter
        defer { reporter.clear() }
        let instead: Message = "The articles' own sentences are quoted instead."
        let writer = try await context.passageWriter(with: nil, reporter, instead: instead)
        let summary = ArticlesSummary(
            readings: readings, numbers: numbers, writer: writer, language: output.arguments.language)
        if context.arguments.isTrial {
            if let prompts = try await summary.prompts() { try context.print(prompts) }
            return
        }
        try output.requireOutput()
        guard !output.arguments.isSpoken, output.arguments.format != .speech else {
            return try await speak(try await summary.make { _ in }, reporter)
        }
        let printer = ReplyPrinter(
            output, reporter, instead: instead, numbers: summary.names, passages: summary.passages)
        let reply = try await printer.print { () throws(PulseError) in try await summary.make(onEvent: printer.take) }
        if numbers == nil { context.keepNumbers(of: reply) }
    }

    /// The articles, each once; and the numbers by which they were named, if all were.
    private func resolve(_ references: [String]) throws(PulseError) -> ([Reading], [String: Int]?) {
        let finder = context.articleFinder
        var (readings, numbers): ([Reading], [String: Int]) = ([], [:])
        for reference in references {
            let reading = try finder.find(reference)
            guard !readings.contains(where: { $0.article.id == reading.article.id }) else { continue }
            readings.append(reading)
            numbers[reading.article.id] = ArticleFinder.number(reference)
        }
        return (readings, numbers.count == readings.count ? numbers : nil)
    }

    private func speak(_ reply: Reply, _ reporter: Reporter) async throws(PulseError) {
        reporter.clear()
        let text = SpeechText(
            Summary(
                article: Article(id: "-", title: "", content: ""), sentences: reply.sentences,
                language: reply.language, model: reply.model, refused: reply.refused, check: reply.check))
        guard output.arguments.isSpoken else { return try context.console.write(text.text) }
        try await Speaker(output).speak(text)
    }
}
