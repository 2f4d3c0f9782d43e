import PulseCore
import PulseDigest
import PulseInference
import PulseRendering
import PulseStore

/// The whole path of one article's summary: two of its own sentences, or a model's where it may write.
struct SummaryMaker {
    let context: Context
    let article: Article
    /// Whether what the model answers is kept. What is no part of the history leaves nothing in it.
    let isKept: Bool

    func run() async throws(Failure) {
        guard context.settings.grounded == .checked else {
            if context.settings.isDryRun { try context.requirePrompts() }
            context.tellOfUnusedModel()
            let summary = Summary(article: article, sentences: article.ownSummary, language: context.settings.language)
            return try context.console.write(context.document(of: summary))
        }
        let status = context.statusLine()
        defer { status.clear() }
        let files = try ModelFiles(context: context)
        let file = try files.writer()
        let language = article.language(or: context.settings.language)
        let template = try PromptFiles(locations: context.locations).template(for: .summary, in: language)
        let answers = KeptAnswers(context: context, model: file)
        let key = isKept && !context.settings.isDryRun ? answers.key(of: [article], template.text, language) : nil
        let identity = try await files.identity(of: file, forOutputOf: context, status: status)
        if let kept = answers.find([key])[0] {
            return try context.console.write(context.document(of: summary(kept, by: identity, isShortened: false)))
        }
        let model = try await LanguageModel(
            file, of: files, for: context, vocabularyOnly: context.settings.isDryRun, status: status)
        let limit = try model.promptLimit()
        let made = try await model.counting { measure, count in
            SummaryPrompt(
                article: article, template: template, language: language, limit: limit, measure: measure, count: count)
        }
        guard let made else { throw model.tooSmall }
        if context.settings.isDryRun {
            let name = article.title.isEmpty ? "standard input" : article.title
            return try await PromptListing(context: context, model: model, prompts: [(name, made.prompt)]).print()
        }
        var answer = KeptAnswer.nothing
        var timing = Timing(load: model.loadTime)
        do throws(Failure) {
            try await model.write([made.prompt]) { _, event throws(Failure) in
                switch event {
                case .reading(let tokens, let all): status.show(context.messages.reading(tokens, all))
                case .text: status.show(context.messages.storiesWritten(0, 1))
                case .finished(let completion):
                    answer = KeptAnswer(text: completion.text, isCut: completion.finish == .length)
                    timing.add(completion)
                }
            }
            // What is marked as of the beginning would not be marked the next time.
            if !made.isShortened, model.shortage == nil { answers.keep(answer, for: key) }
        } catch  where error.code == .tryAgain {
            context.note("\(error.message) \(context.messages.toldWithout(1))")
        }
        status.clear()
        try context.console.write(
            context.document(of: summary(answer, by: identity, isShortened: made.isShortened, timing)))
    }

    /// What the model said, as far as the article bears it out; else the article's own sentences.
    private func summary(
        _ answer: KeptAnswer, by model: ModelIdentity, isShortened: Bool, _ timing: Timing = Timing()
    ) -> Summary {
        let checked = CheckedAnswer(
            answer.text, isCut: answer.isCut, about: [article], most: CheckedAnswer.summary)
        return Summary(
            article: article, sentences: checked.sentences(or: article.ownSummary), language: context.settings.language,
            model: model, refused: checked.refused, isShortened: isShortened,
            timing: timing)
    }
}
