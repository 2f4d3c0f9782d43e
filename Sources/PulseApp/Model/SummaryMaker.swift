package import PulseCore
import PulseDigest
import PulseModels

/// Makes the summary of one article: a model's, where one writes, else two of the article's own sentences.
package struct SummaryMaker {
    private let article: Article
    private let settings: ModelSettings
    /// The reader's; also used if the article's own is not known.
    private let language: Language
    private let app: AppEnvironment
    private let reporter: Reporter
    /// Whether the model's answer is cached. An article outside the history must leave nothing in it.
    private let isKept: Bool
    /// Whether somebody reads it while it is made.
    private let isReadAlong: Bool

    package init(
        of article: Article, by settings: ModelSettings, in language: Language, isKept: Bool,
        isReadAlong: Bool = false, in app: AppEnvironment, reporter: Reporter
    ) {
        self.article = article
        self.settings = settings
        self.language = language
        self.isKept = isKept
        self.isReadAlong = isReadAlong
        self.app = app
        self.reporter = reporter
    }

    package func make(_ onWriting: PassageWriter.OnWriting = { _, _ in }) async throws -> Summary {
        let model = try article.canBeAskedAbout ? ModelCatalog.writer(in: app, named: settings.name) : nil
        guard let model, isWritten(by: model) else {
            model?.tellForeign(1, reporter)
            return Summary(article: article, sentences: article.ownSummary, language: language)
        }
        var said: [Sentence] = []
        do {
            let maker = try AnswerMaker(
                model, settings: settings, in: app, isReadAlong: isReadAlong, reporter: reporter)
            let report = try await maker.answer([question(to: maker)]) { _ in
                "The summary is made of the article's own sentences."
            } onUpdate: { update in
                said = update.answer.sentences
                if !update.isWhole { try onWriting(said, update.answer.unfinished) }
            }
            if let tooSmall = report.tooSmall { throw tooSmall }
            return Summary(
                article: article, sentences: said.orReplacements(article.ownSummary), language: language,
                model: report.isUsed ? report.model : nil, unusable: report.isUsed ? nil : model.name,
                refused: report.refused, check: settings.check,
                isShortened: report.shortened > 0, timing: report.timing)
        } catch let error as PulseError where [.unavailable, .tryAgain].contains(error.code) {
            // Clears what was shown of the summary.
            try onWriting([], "")
            reporter.note("\(error)")
            reporter.note("The article's own sentences are quoted instead.")
            return Summary(
                article: article, sentences: said.orReplacements(article.ownSummary), language: language,
                model: said.isEmpty ? nil : ModelIdentity(name: model.name, sha256: nil),
                unusable: said.isEmpty ? model.name : nil, check: settings.check)
        }
    }

    private func isWritten(by model: ResolvedModel) -> Bool { model.writes(article.language(or: language)) }

    package func prompts() async throws -> PromptList {
        let model = try ModelCatalog.requiredWriter(in: app, named: settings.name)
        let maker = try AnswerMaker(model, settings: settings, in: app, isDryRun: true, reporter: reporter)
        return try await maker.prompts(
            article.canBeAskedAbout && isWritten(by: model) ? [question(to: maker)] : [])
    }

    private func question(to maker: AnswerMaker) throws -> AnswerMaker.Question {
        let language = article.language(or: language)
        let template = try app.locations.promptTemplate(for: .summary, in: language)
        return AnswerMaker.Question(
            name: article.title.isEmpty ? "standard input" : article.title, articles: isKept ? [article] : nil,
            prompt: SummaryPrompt(article, template: template, language: language),
            check: maker.check([article], most: CheckedAnswer.summary))
    }
}
