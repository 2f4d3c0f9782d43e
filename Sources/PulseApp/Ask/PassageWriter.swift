package import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulseRendering

/// Has a model write a text from passages alone. Each sentence is checked against them and cites its articles.
package struct PassageWriter {
    let check: CheckMode
    private let model: ResolvedModel
    private let maker: AnswerMaker
    /// The reader's.
    private let language: Language
    private let app: AppEnvironment
    private let reporter: Reporter
    /// The message if the model wrote no answer.
    private let instead: Message

    var name: String { model.name }
    /// As in `AnswerMaker`.
    var copiesOnly: Bool { maker.copiesOnly }
    var quotesOnly: Bool { maker.quotesOnly }

    /// - Returns: Nil if no model is used.
    package static func make(
        _ settings: ModelSettings, isDryRun: Bool, isReadAlong: Bool, language: Language,
        instead: Message, in app: AppEnvironment, reporter: Reporter
    ) async throws -> PassageWriter? {
        let model =
            isDryRun
            ? try ModelCatalog.requiredWriter(in: app, named: settings.name)
            : try ModelCatalog.writer(in: app, named: settings.name)
        guard let model else { return nil }
        return PassageWriter(
            check: settings.check, model: model,
            maker: try AnswerMaker(
                model, settings: settings, in: app, isDryRun: isDryRun, isReadAlong: isReadAlong,
                reporter: reporter),
            language: language, app: app, reporter: reporter, instead: instead)
    }

    package enum Task {
        /// - Parameters:
        ///   - text: The question, after the earlier ones of the conversation.
        ///   - subject: A text whose names and numbers the passages must have.
        case answer(to: AskedQuestion, text: String, subject: String)
        case summary

        var job: PromptTemplate.Job { if case .summary = self { .several } else { .ask } }

        /// The question; nil for a summary, which is named by the titles of the articles.
        var name: String? { if case .answer(let question, _, _) = self { question.text } else { nil } }
    }

    /// Takes the sentences to show, and the beginning of the next one. An error that it throws ends the work.
    package typealias OnWriting = (_ sentences: [Sentence], _ unfinished: String) throws -> Void

    struct Text {
        let answer: CheckedAnswer
        let model: ModelIdentity
        let timing: Timing
    }

    /// - Parameter passages: At least one, the most important first.
    /// - Returns: nil if the model wrote nothing, which the user is told.
    func write(_ task: Task, from passages: [Passage], onWriting: OnWriting) async throws -> Text? {
        let question = try question(task, about: passages)
        var said = question.check
        do {
            let report = try await maker.answer([question]) { _ in
                instead
            } onUpdate: { update in
                said = update.answer
                try onWriting(said.sentences, said.unfinished)
            }
            if let tooSmall = report.tooSmall { throw tooSmall }
            guard report.isUsed else { return nil }
            return Text(answer: said, model: report.model, timing: report.timing)
        } catch let error as PulseError where [.unavailable, .tryAgain].contains(error.code) {
            // Clears what was shown of the text.
            try onWriting([], "")
            reporter.note("\(error)")
            reporter.note(instead)
            return nil
        }
    }

    /// Whether the model writes an article's language. The text is in the language of the first passage.
    func writes(_ article: Article) -> Bool { model.writes(article.language(or: language)) }

    func tellForeign(_ stories: Int) { model.tellForeign(stories, reporter) }

    func prompts(_ task: Task, about passages: [Passage]) async throws -> PromptList {
        try await maker.prompts(passages.isEmpty ? [] : [question(task, about: passages)])
    }

    private func question(_ task: Task, about passages: [Passage]) throws -> AnswerMaker.Question {
        let language = passages[0].reading.article.language(or: language)
        let articles = Self.articles(of: passages)
        let days = passages.map { passage in
            let (article, readAt) = (passage.reading.article, passage.reading.readAt)
            return (article.id, DateText.date(article.publishedAt ?? readAt, in: app.timeZone, self.language))
        }
        let template = try app.locations.promptTemplate(for: task.job, in: language)
        let (text, criteria): (String?, QuestionCriteria) =
            switch task {
            case .answer(_, let asked, let subject):
                (asked, QuestionCriteria(subject, articles: articles, isStrict: copiesOnly))
            case .summary: (nil, QuestionCriteria("", articles: articles, isStrict: false))
            }
        return AnswerMaker.Question(
            name: task.name ?? articles.map(\.title).joined(separator: "; "),
            articles: task.job == .several ? articles : nil,
            prompt: QuestionPrompt(
                text, passages: passages, days: Dictionary(days) { first, _ in first }, template: template,
                language: language),
            check: maker.check(articles, most: CheckedAnswer.answer, question: criteria))
    }

    /// The articles of the passages. Their texts are only these passages.
    private static func articles(of passages: [Passage]) -> [Article] {
        passages.reduce(into: []) { articles, passage in
            var article = passage.reading.article
            if let place = articles.firstIndex(where: { $0.id == article.id }) {
                articles[place].content += "\n\n" + passage.text
            } else {
                article.content = passage.text
                article.summary = ""
                articles.append(article)
            }
        }
    }
}
