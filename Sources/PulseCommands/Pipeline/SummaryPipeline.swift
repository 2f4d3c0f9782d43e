import PulseCore
import PulseInference
import PulseRendering

/// The whole path of one article's summary. An article that the model cannot hold is summarised in pieces, and their
/// summaries again, until one is left: the whole of it is read.
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
        let job = try SummaryJob.all(for: [article], by: file, context: context)[0]
        let kept = KeptArticleSummary(context: context, files: files, model: file, job: job, isKept: isKept)
        if let summary = try await kept.find(status: status) {
            return try context.console.write(context.document(of: summary))
        }
        let model = try await LanguageModel(
            file, of: files, for: context, vocabularyOnly: settings.isDryRun, status: status)
        let condenser = Condenser(context: context, model: model, status: status)
        guard let plan = try await condenser.plans(for: [job])[0] else { throw model.tooSmall }
        if settings.isDryRun {
            try await PromptListing(context: context, model: model).print(listing(of: plan))
            return
        }
        let identity = try await model.identity(status: status)
        var text = SummaryText(style: context.style, language: settings.language)
        if isStreamed { try context.console.write(text.heading(article)) }

        let condensed = try await condenser.condense([job], [plan])[0]
        var answer = CheckedAnswer([plan.article], writing: model.writing)
        let last = try await model.write(
            [condensed.prompt], fewestSentences: 1, openingSentences: SummaryPrompt.openingSentences
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
            article: article, text: answer.text, sentences: answer.sentences, isShortened: condensed.isShortened,
            corrections: answer.corrections, language: settings.language, foreignLanguage: job.foreignLanguage,
            model: identity,
            timing: Timing(load: model.loadTime, condensed.completions + last))
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

    private func listing(of plan: SummaryPlan) -> [(name: String, prompt: Prompt)] {
        plan.listing(as: article.title.isEmpty ? "standard input" : article.title)
    }
}

extension SummaryPlan {
    /// The prompts as `--dry-run` names them.
    func listing(as name: String) -> [(name: String, prompt: Prompt)] {
        let parts = prompts.count + (opening == nil ? 0 : 1)
        guard parts > 1 else { return [(name, prompts[0])] }
        return prompts.enumerated().map {
            ("\(name), part \($0 + 1 + parts - prompts.count) of \(parts)", $1)
        }
    }
}
