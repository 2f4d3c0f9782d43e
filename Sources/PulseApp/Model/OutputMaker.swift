package import PulseCore
package import PulseDigest
import PulseInference
package import PulseModels
import PulseRendering
import PulseStore
import PulseText

/// Has a model answer questions about articles. What it answered before is not asked again, and each answer is kept as
/// it comes, so that a night costs what is new. The model stays open for further questions.
package struct OutputMaker {
    private let app: AppEnvironment
    private let settings: ModelSettings
    private let reporter: Reporter
    private let files: ModelFiles
    private let file: ResolvedModel
    private let checker: CheckSetup
    /// Whether somebody reads the answers while they are written.
    private let isReadAlong: Bool
    private let opened = OpenedModel()

    /// The model, once it was needed.
    private final class OpenedModel {
        var model: LanguageModel?
    }

    /// What a model is asked, once.
    struct Question: Sendable {
        /// For the list of prompts.
        let name: String
        /// What the answer is kept by, and may be looked for under; nil: it is neither kept nor looked for.
        let articles: [Article]?
        let template: PromptTemplate
        let language: Language
        /// What checks its answer: when that has seen enough, the model writes no further.
        let check: CheckedOutput
        /// The prompt as it fits into a number of tokens; nil where nothing does.
        let prompt: @Sendable (_ limit: Int, _ measure: (Prompt) -> Int, _ count: (String) -> Int) -> Prompt?
    }

    struct Report {
        let model: ModelIdentity
        var timing = Timing()
        /// What to say where a question had no prompt that fits.
        var tooSmall: PulseError?
        /// How many prompts held less than they would with more room.
        var shortened = 0
        /// How many answers were written now; and how many had been before.
        var written = 0
        var kept = 0
    }

    /// What is told of the questions, in their order: all of one before any of the next.
    enum Event {
        /// A sentence more is there of an answer, or a word more of a sentence.
        case writing(Int, CheckedOutput)
        /// An answer is whole; an empty one where there is none.
        case answered(Int, CheckedOutput)
    }

    /// - Parameter checker: Of the questions' answers.
    package init(
        _ model: ResolvedModel, _ checker: CheckSetup, settings: ModelSettings, in app: AppEnvironment,
        reporter: Reporter, isReadAlong: Bool = false
    ) throws(PulseError) {
        self.isReadAlong = isReadAlong
        self.app = app
        self.settings = settings
        self.reporter = reporter
        files = try ModelFiles(in: app, named: settings.name)
        file = model
        self.checker = checker
    }

    /// A question on its way.
    private struct Job: Sendable {
        let question: Question
        var key: AnswerKey?
        /// What becomes of it while it is written.
        let progress: OutputInProgress
        /// Nil until there is one.
        var answer: CheckedOutput?
        var prompt: Prompt?

        package init(_ question: Question, key: AnswerKey? = nil, kept: CachedOutput? = nil) {
            self.question = question
            self.key = key
            progress = OutputInProgress(question.check)
            answer = kept.map { progress.finish($0.text, isCut: $0.isCut) }
        }
    }

    /// Answers the questions. Out of time or of memory, the rest has no answer, and the user is told.
    ///
    /// - Parameters:
    ///   - withoutAnswer: What becomes of so many questions that have none.
    ///   - onEvent: Is told what happens; what it throws ends the work. The first comes when the model is open, if it is
    ///     needed at all.
    func answer(
        _ questions: [Question], withoutAnswer: (Int) -> Message,
        onEvent: (Event) throws(PulseError) -> Void
    ) async throws(PulseError) -> Report {
        let kept = OutputCache(app: app, settings: settings, model: file, checker: checker, reporter: reporter)
        let keys = questions.map(kept.key)
        let found = kept.find(keys)
        let make = { @Sendable in zip(zip(questions, keys), found).map { Job($0.0, key: $0.1, kept: $1) } }
        var jobs = try await found.contains { $0 != nil } ? checker.run(make) : make()
        var report = Report(
            model: try await files.identity(of: file, isHashed: settings.isHashed, reporter: reporter))
        report.kept = jobs.count { $0.answer != nil }
        var heard = 0
        func handOver() throws(PulseError) {
            while heard < jobs.count, let answer = jobs[heard].answer {
                reporter.clear()
                try onEvent(.answered(heard, answer))
                heard += 1
            }
        }
        if jobs.contains(where: { $0.answer == nil }) {
            let model: LanguageModel
            if let open = opened.model {
                model = open
            } else {
                model = try await LanguageModel(
                    file, settings: settings, beside: checker.encoder, cache: app.locations.cache,
                    isReadAlong: isReadAlong, reporter: reporter)
                opened.model = model
                report.timing.load = model.loadTime
            }
            jobs = try await prompting(jobs, model)
            for index in jobs.indices where jobs[index].answer == nil && jobs[index].prompt == nil {
                jobs[index].answer = jobs[index].question.check
                report.tooSmall = model.tooSmall
            }
            report.shortened = jobs.count { $0.prompt?.isShortened == true }
            try handOver()
            let asked = jobs.indices.filter { jobs[$0].answer == nil }
            await tellTime(of: asked.count)
            do throws(PulseError) {
                let questions = asked.compactMap { index in jobs[index].prompt.map { ($0, jobs[index].progress) } }
                try await model.write(questions, isReadAlong: isReadAlong) { number, event throws(PulseError) in
                    switch event {
                    case .reading(let tokens, let all) where report.written == 0:
                        reporter.show("Reading, \(tokens) of \(all) tokens")
                    case .text where asked[number] == heard:
                        reporter.clear()
                        try onEvent(.writing(heard, jobs[heard].progress.answer))
                    case .thinking where asked[number] == heard: reporter.show("\(file.name) is thinking…")
                    case .reading, .thinking, .text: break
                    case .begunAgain(let completion): report.timing.add(completion, isLast: false)
                    case .finished(let completion):
                        let index = asked[number]
                        let answer = CachedOutput(text: completion.text, isCut: completion.finish != .endOfText)
                        // At once: what is written stays written, whatever ends the rest. Not what a shortened prompt
                        // was answered: with more room it would be another prompt, and what is kept does not say so.
                        if jobs[index].prompt?.isShortened == false { kept.keep(answer, for: jobs[index].key) }
                        jobs[index].answer = jobs[index].progress.answer
                        report.timing.add(completion, isLast: true)
                        report.written += 1
                        try handOver()
                        if asked.count > 1, heard < jobs.count {
                            reporter.show("\(report.written) of \(asked.count) stories written")
                        }
                    }
                }
            } catch  where error.code == .tryAgain {
                // What stands there unfinished would be in the way of what is said.
                if heard < jobs.count { try onEvent(.writing(heard, jobs[heard].question.check)) }
                // What was complete stays: it may have been shown.
                let rest = jobs.indices.filter { jobs[$0].answer == nil }
                for index in rest { jobs[index].answer = jobs[index].progress.finish("", isCut: true) }
                let silent = rest.count { jobs[$0].answer?.sentences.isEmpty == true }
                reporter.note(silent > 0 ? "\(error) \(withoutAnswer(silent))" : "\(error)")
            }
            reporter.clear()
        }
        try handOver()
        return report
    }

    /// Says how long it will take, where that was measured on this machine.
    private func tellTime(of stories: Int) async {
        guard stories > 1,
            let measured = await WeightsChoice(for: file, settings: settings, cache: app.locations.cache).measured,
            let story = measured.seconds[measured.form]
        else { return }
        reporter.show("\(file.name) writes \(stories) stories, in about \(ModelText.time(story * Double(stories)))")
    }

    /// The prompts as the model would see them, and what they cost.
    func prompts(_ questions: [Question]) async throws(PulseError) -> PromptList {
        let model = try await LanguageModel(
            file, settings: settings, cache: app.locations.cache, vocabularyOnly: true, reporter: reporter)
        var list = PromptList(model: model.file.name, contextLength: model.engine.model.contextLength)
        for case (let question, let prompt?) in try await prompting(questions.map { Job($0) }, model).map({
            ($0.question, $0.prompt)
        }) {
            list.prompts.append(
                PromptList.Entry(
                    name: question.name, prompt: prompt, tokens: try await model.tokens(of: prompt)))
        }
        guard !list.prompts.isEmpty || questions.isEmpty else { throw model.tooSmall }
        return list
    }

    /// The jobs with a prompt for each that has no answer, where one fits.
    private func prompting(_ jobs: [Job], _ model: LanguageModel) async throws(PulseError) -> [Job] {
        let limit = try model.promptLimit()
        return try await model.counting { measure, count in
            jobs.map { job in
                var job = job
                if job.answer == nil { job.prompt = job.question.prompt(limit, measure, count) }
                return job
            }
        }
    }
}

/// What a model would be asked.
package struct PromptList: Sendable {
    package struct Entry: Sendable {
        /// Of what is asked about.
        package let name: String
        package let prompt: Prompt
        package let tokens: Int
    }

    package fileprivate(set) var prompts: [Entry] = []
    /// Whose tokenizer counted.
    package let model: String
    package let contextLength: Int
}

extension Timing {
    /// - Parameter isLast: Whether it is the last answer to its prompt, which was read once.
    fileprivate mutating func add(_ completion: Completion, isLast: Bool) {
        if isLast { promptTokens += completion.promptTokens }
        prompt += completion.promptTime
        outputTokens += completion.outputTokens
        output += completion.outputTime
    }
}

/// The answers that were given before. What is wrong with what was kept, or with keeping it, is no reason not to tell
/// the day: it is a miss.
struct OutputCache {
    let app: AppEnvironment
    let settings: ModelSettings
    let model: ResolvedModel
    let checker: CheckSetup
    let reporter: Reporter

    /// The key of a question's answer; nil where none is kept, or the model cannot be told from another.
    func key(of question: OutputMaker.Question) -> AnswerKey? {
        guard let articles = question.articles, let fingerprint = model.fingerprint else { return nil }
        return AnswerKey(
            articles, model: fingerprint, prompt: question.template.text, language: question.language,
            parameters: parameters)
    }

    /// An answer ends where nothing more can be shown, which depends on what may pass.
    private var parameters: [String: String] {
        var parameters = settings.writingParameters
        parameters["passes"] = checker.model == nil ? "copies" : checker.writer.rawValue
        return parameters
    }

    /// The answers that were kept, one for each key.
    func find(_ keys: [AnswerKey?]) -> [CachedOutput?] {
        guard !settings.isFresh else { return keys.map { _ in nil } }
        do throws(PulseError) {
            return try app.history.reading { store throws(PulseError) in
                var answers: [CachedOutput?] = []
                for key in keys {
                    answers.append(try key.flatMap { key throws(PulseError) in try store.answer(for: key) })
                }
                return answers
            }
        } catch {
            reporter.detail("the kept answers cannot be used: \(error)")
            return keys.map { _ in nil }
        }
    }

    func keep(_ answer: CachedOutput, for key: AnswerKey?) {
        guard let key else { return }
        do throws(PulseError) {
            try app.history.writing { store throws(PulseError) in try store.keep(answer, for: key, at: app.now) }
        } catch {
            reporter.detail("the answer was not kept: \(error)")
        }
    }
}
