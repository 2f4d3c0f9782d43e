package import PulseCore
package import PulseDigest

/// Answers a question from what was read: finds the passages that are nearest to it, and has a model answer from these
/// alone, each sentence checked against them.
package struct Inquiry {
    let finder: PassageFinder
    /// Asks the model; nil: none writes, and the nearest passages are all there is to say.
    let writer: Writer?
    /// How many stories are shown.
    let limit: Int
    /// The reader's.
    let language: Language
    /// Writes a day.
    let day: @Sendable (Reading) -> String

    package init(
        finder: PassageFinder, writer: Writer?, limit: Int, language: Language,
        day: @escaping @Sendable (Reading) -> String
    ) {
        self.finder = finder
        self.writer = writer
        self.limit = limit
        self.language = language
        self.day = day
    }

    /// The model, what checks it, and how it is asked.
    package struct Writer {
        let maker: AnswerMaker
        let checker: Checker
        let check: CheckMode
        let template: (Language) throws(PulseError) -> PromptTemplate

        package init(
            maker: AnswerMaker, checker: Checker, check: CheckMode,
            template: @escaping (Language) throws(PulseError) -> PromptTemplate
        ) {
            self.maker = maker
            self.checker = checker
            self.check = check
            self.template = template
        }
    }

    /// What is told while it is at work.
    package enum Event {
        /// These passages were found. Nothing of an answer is there yet.
        case found(PassageFinder.Finding)
        /// The sentences that are to be shown, and what is there of the next.
        case writing([Sentence], unfinished: String)
        /// The model cannot be used.
        case silenced(PulseError)
    }

    /// - Parameters:
    ///   - earlier: The questions before it, which it goes on from.
    ///   - hear: Is told what happens; what it throws ends the work.
    package func answer(
        _ question: AskedQuestion, after earlier: [AskedQuestion] = [],
        hear: (Event) throws(PulseError) -> Void
    ) async throws(PulseError) -> Reply {
        let finding = try await finder.find(question.following(earlier), limit: limit)
        try hear(.found(finding))
        func reply(_ answer: CheckedAnswer? = nil, by model: ModelIdentity? = nil, timing: Timing = Timing()) -> Reply {
            Reply(
                question: question.text, basis: finder.basis, sentences: answer?.sentences ?? [],
                isDenied: answer.map(isDenied) ?? false,
                passages: finding.passages, language: language, model: model, refused: answer?.refused ?? 0,
                check: writer?.check ?? .replace, timing: timing)
        }
        guard let writer, !finding.material.isEmpty else { return reply() }
        let asked = try await self.asked(question, after: earlier, finding, of: writer)
        var said = asked.check
        do throws(PulseError) {
            let report = try await writer.maker.answer([asked]) { _ in
                "The nearest passages are quoted instead."
            } hear: { event throws(PulseError) in
                switch event {
                case .writing(_, let answer):
                    said = answer
                    try hear(.writing(answer.sentences, unfinished: answer.unfinished))
                case .answered(_, let answer): said = answer
                }
            }
            if let tooSmall = report.tooSmall { throw tooSmall }
            return reply(said, by: report.model, timing: report.timing)
        } catch  where [.unavailable, .tryAgain].contains(error.code) {
            // What stands there would be in the way of what is said.
            try hear(.writing([], unfinished: ""))
            try hear(.silenced(error))
            return reply()
        }
    }

    /// Whether the passages do not say it: the check of own words decides that, too, but not that of copies, which
    /// refuses most of what is true.
    private func isDenied(_ answer: CheckedAnswer) -> Bool {
        answer.sentences.isEmpty && (answer.isDenied || writer?.checker.model != nil)
    }

    /// What the model would be asked; nil where there is none.
    package func prompts(_ question: AskedQuestion) async throws(PulseError) -> PromptList? {
        let finding = try await finder.find(question, limit: limit)
        guard let writer else { return nil }
        return try await writer.maker.prompts(
            finding.material.isEmpty ? [] : [asked(question, after: [], finding, of: writer)])
    }

    private func asked(
        _ question: AskedQuestion, after earlier: [AskedQuestion], _ finding: PassageFinder.Finding, of writer: Writer
    ) async throws(PulseError) -> AnswerMaker.Question {
        let passages = finding.material
        let language = passages[0].reading.article.language(or: language)
        let template = try writer.template(language)
        let text = (earlier.suffix(2) + [question]).map(\.text).joined(separator: "\n")
        let articles = Self.articles(of: passages)
        // A time and a publication that were asked for are not to be found in a text.
        let subject = finding.isBeyond ? question.text : question.subject
        let standard = AnswerStandard(subject, articles: articles, isStrict: writer.checker.model == nil)
        let day = day
        return AnswerMaker.Question(
            name: question.text, articles: nil, template: template, language: language,
            check: CheckedAnswer(
                articles, most: CheckedAnswer.answer, mode: writer.check, writer: writer.checker.writer,
                model: writer.checker.model, answering: standard)
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
