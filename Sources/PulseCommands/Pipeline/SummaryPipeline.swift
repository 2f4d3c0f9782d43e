import PulseCore
import PulseInference
import PulseRendering

/// The whole path of one article's summary. An article that the model cannot hold is summarised in pieces, and their
/// summaries again, until one is left: the whole of it is read. Only a model that chooses and does not write gets the
/// lead instead.
struct SummaryPipeline {
    let context: Context
    let article: Article
    /// Whether the summary is kept. What is no part of the history leaves nothing in it.
    let isKept: Bool

    func run() async throws(Failure) {
        let settings = context.settings
        let status = context.statusLine()
        defer { status.clear() }
        let files = try ModelFiles(context: context)
        let file = try files.resolve()
        let telling = settings.telling(by: file)
        let foreign = telling.foreignLanguage(of: article)
        let template = try PromptFiles(locations: context.locations)
            .template(for: .summary, in: telling.promptLanguage(for: foreign))
        let kept = KeptArticleSummary(
            context: context, files: files, model: file, article: article, foreignLanguage: foreign, template: template,
            isKept: isKept)
        if let summary = try await kept.find(status: status) {
            return try context.console.write(context.document(of: summary))
        }
        let model = try await LanguageModel(
            file, of: files, for: context, vocabularyOnly: settings.isDryRun, status: status)
        let plan = try await plan(for: article, template: template, model: model)
        if settings.isDryRun {
            try await PromptListing(context: context, model: model).print(listing(of: plan))
            return
        }
        let identity = try await model.identity(status: status)
        var text = SummaryText(style: context.style, language: settings.language)
        if isStreamed { try context.console.write(text.heading(article)) }

        var completions: [Completion] = []
        let final = try await condensed(plan, template: template, model: model, status: status, &completions)
        var answer = CheckedAnswer([plan.article], writing: model.writing)
        let last = try await model.write(
            [final], fewestSentences: 1, openingSentences: SummaryPrompt.openingSentences
        ) { _, event throws(Failure) in
            switch event {
            case .reading(let tokens, let all): status.show(context.messages.reading(tokens, all))
            case .text(let piece): try show(answer.add(piece), by: &text, status)
            case .finished(let completion):
                try show(answer.finish(isCut: completion.finish == .length), by: &text, status)
            }
        }
        status.clear()
        let summary = Summary(
            article: article, text: answer.text, sentences: answer.sentences, isShortened: plan.isShortened,
            corrections: answer.corrections, language: settings.language, foreignLanguage: foreign, model: identity,
            timing: Timing(load: model.loadTime, completions + last))
        // With more memory it may be another.
        if model.shortage == nil { kept.keep(summary) }
        try context.console.write(isStreamed ? text.closing(summary) : context.document(of: summary))
    }

    private var isStreamed: Bool { context.settings.format == .text }

    private func show(_ sentences: [Sentence], by text: inout SummaryText, _ status: StatusLine) throws(Failure) {
        guard isStreamed, !sentences.isEmpty else { return }
        status.clear()
        for sentence in sentences { try context.console.write(text.sentence(sentence)) }
    }

    /// What the embedded model reads of an article that does not fit. It chooses sentences, and does not weigh a whole
    /// feature: of ten articles of 500 to 2,700 words, read by eye, its summary of the lead was better five times, and
    /// that of the pieces two times.
    private static let leadTokens = 240

    // MARK: - Pieces

    private func plan(
        for article: Article, template: PromptTemplate, model: LanguageModel
    ) async throws(Failure) -> SummaryPlan {
        let limit = try model.promptLimit()
        let lead = model.choosesOnly ? SummaryPipeline.leadTokens : nil
        let plan = try await model.counting { measure, count in
            SummaryPlan(
                article: article, template: template, lead: lead, limit: limit, measure: measure, count: count)
        }
        guard let plan else { throw model.tooSmall }
        return plan
    }

    /// Has pieces summarised, and their summaries, until one prompt holds what is left.
    private func condensed(
        _ plan: SummaryPlan, template: PromptTemplate, model: LanguageModel, status: StatusLine,
        _ completions: inout [Completion]
    ) async throws(Failure) -> Prompt {
        var plan = plan
        while plan.prompts.count > 1 {
            let prompts = plan.prompts
            let blank = CheckedAnswer([plan.article], writing: model.writing)
            var answers = prompts.map { _ in blank }
            var finished = 0
            completions += try await model.write(prompts, fewestSentences: 1) { index, event throws(Failure) in
                switch event {
                case .reading(let tokens, let all):
                    status.show(context.messages.readingPart(index + 1, prompts.count, tokens, all))
                case .text(let piece): _ = answers[index].add(piece)
                case .finished(let completion):
                    _ = answers[index].finish(isCut: completion.finish == .length)
                    finished += 1
                    status.show(context.messages.partsWritten(finished, prompts.count))
                }
            }
            // A model that makes nothing shorter leaves the first piece, which says most in news.
            guard let next = plan.merged(answers.map(\.text)) else { break }
            plan = try await self.plan(for: next, template: template, model: model)
        }
        return plan.prompts[0]
    }

    private func listing(of plan: SummaryPlan) -> [(name: String, prompt: Prompt)] {
        let name = article.title.isEmpty ? "standard input" : article.title
        guard plan.prompts.count > 1 else { return plan.prompts.map { (name, $0) } }
        return plan.prompts.enumerated().map { ("\(name), part \($0 + 1) of \(plan.prompts.count)", $1) }
    }
}
