import PulseCore
import PulseInference
import PulseRendering

/// The whole path of one article's summary.
struct SummaryPipeline {
    let context: Context
    let article: Article

    func run() async throws(Failure) {
        let settings = context.settings
        let article = article
        let status = context.statusLine()
        defer { status.clear() }
        let telling = settings.telling(by: try ModelFiles(context: context).resolve())
        let foreign = telling.foreignLanguage(of: article)
        let template = try PromptFiles(locations: context.locations)
            .template(for: .summary, in: telling.promptLanguage(for: foreign))
        let kept = try KeptArticleSummary(
            context: context, article: article, foreignLanguage: foreign, template: template)
        if let summary = try await kept.find(status: status) {
            return try context.console.write(context.document(of: summary))
        }
        let model = try await LanguageModel(for: context, vocabularyOnly: settings.isDryRun, status: status)
        let limit = try model.promptLimit()
        let made = try await model.counting { measure, count in
            SummaryPrompt(article: article, template: template, limit: limit, measure: measure, count: count)
        }
        guard let made else { throw model.tooSmall }
        if settings.isDryRun {
            let name = article.title.isEmpty ? "standard input" : article.title
            try await PromptListing(context: context, model: model).print([(name, made.prompt)])
            return
        }
        let isStreamed = settings.summaryFormat == .text
        let identity = try await model.identity(status: status)
        let console = context.console
        var text = SummaryText(style: context.style, language: context.settings.language)
        if isStreamed { try console.write(text.heading(article)) }
        let completions = try await model.write([made.prompt], fewestSentences: 1) { _, event throws(Failure) in
            switch event {
            case .reading(let tokens, let all): status.show(context.messages.reading(tokens, all))
            case .text(let piece):
                guard isStreamed else { return }
                status.clear()
                try console.write(text.text(piece))
            case .finished: status.clear()
            }
        }
        let written = PlainText.paragraphs(completions.map(\.text).joined())
        let summary = Summary(
            article: article, text: written, sentences: Attribution([article]).sentences(of: written),
            isShortened: made.isShortened, language: settings.language, foreignLanguage: foreign,
            model: identity,
            timing: Timing(load: model.loadTime, completions))
        kept.keep(summary)
        try console.write(
            isStreamed
                ? text.closing(isShortened: made.isShortened, isForeign: foreign != nil)
                : context.document(of: summary))
    }
}
