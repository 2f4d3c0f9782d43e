import PulseCore
import PulseDigest
import PulseInference

/// Has a model write from passages alone. Each sentence is checked against them, and names its articles.
struct PassageWriter {
    /// Asks the model one question, and hands out the answer as it grows.
    let ask:
        (AnswerMaker.Question, (CheckedAnswer) throws(PulseError) -> Void) async throws(PulseError)
            -> AnswerMaker.Report
    let checker: Checker
    let check: CheckMode
    let template: (PromptTemplate.Job, Language) throws(PulseError) -> PromptTemplate
    /// The reader's.
    let language: Language
    /// Writes the day on which something was read.
    let day: @Sendable (Reading) -> String

    enum Task {
        /// - Parameters:
        ///   - text: With the questions that it goes on from.
        ///   - subject: What the passages must have for there to be an answer.
        case answer(to: AskedQuestion, text: String, subject: String)
        case summary

        var job: PromptTemplate.Job { if case .summary = self { .several } else { .ask } }

        /// Nil: it is called by its articles.
        var name: String? { if case .answer(let question, _, _) = self { question.text } else { nil } }
    }

    /// What is told while it is at work.
    enum Event {
        /// The sentences that are to be shown, and what is there of the next.
        case writing([Sentence], unfinished: String)
        /// The model cannot be used.
        case silenced(PulseError)
    }

    /// What a model wrote.
    struct Text {
        let answer: CheckedAnswer
        let model: ModelIdentity
        let timing: Timing
    }

    /// - Parameters:
    ///   - passages: At least one, the most important first.
    ///   - hear: Is told what happens; what it throws ends the work.
    /// - Returns: nil where the model cannot be used.
    func write(
        _ task: Task, from passages: [Passage], hear: (Event) throws(PulseError) -> Void
    ) async throws(PulseError) -> Text? {
        let question = try question(task, about: passages)
        var said = question.check
        do throws(PulseError) {
            let report = try await ask(question) { answer throws(PulseError) in
                said = answer
                try hear(.writing(answer.sentences, unfinished: answer.unfinished))
            }
            if let tooSmall = report.tooSmall { throw tooSmall }
            return Text(answer: said, model: report.model, timing: report.timing)
        } catch  where [.unavailable, .tryAgain].contains(error.code) {
            // What stands there would be in the way of what is said.
            try hear(.writing([], unfinished: ""))
            try hear(.silenced(error))
            return nil
        }
    }

    func question(_ task: Task, about passages: [Passage]) throws(PulseError) -> AnswerMaker.Question {
        let language = passages[0].reading.article.language(or: language)
        let articles = Self.articles(of: passages)
        let day = day
        let template = try template(task.job, language)
        let text: String?
        let standard: AnswerStandard
        switch task {
        case .answer(_, let asked, let subject):
            text = asked
            standard = AnswerStandard(subject, articles: articles, isStrict: checker.model == nil)
        case .summary:
            text = nil
            standard = AnswerStandard("", articles: articles, isStrict: false)
        }
        return AnswerMaker.Question(
            name: task.name ?? articles.map(\.title).joined(separator: "; "),
            articles: task.job == .several ? articles : nil,
            template: template, language: language,
            check: CheckedAnswer(
                articles, most: CheckedAnswer.answer, mode: check, writer: checker.writer, model: checker.model,
                answering: standard)
        ) { limit, measure, count in
            QuestionPrompt.make(
                text, passages: passages, date: day, template: template, limit: limit, measure: measure, count: count)
        }
    }

    /// The articles of passages, each with nothing but these.
    private static func articles(of passages: [Passage]) -> [Article] {
        var articles: [Article] = []
        for passage in passages {
            var article = passage.reading.article
            if let place = articles.firstIndex(where: { $0.id == article.id }) {
                articles[place].content += "\n\n" + passage.text
            } else {
                article.content = passage.text
                article.summary = ""
                articles.append(article)
            }
        }
        return articles
    }
}
