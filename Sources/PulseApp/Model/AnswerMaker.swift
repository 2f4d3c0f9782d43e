import Foundation
import PulseCore
package import PulseDigest
import PulseInference
import PulseModels
import PulseRendering
import PulseStore
import PulseText

/// Has a model answer questions about articles. Each answer is cached as it comes, so that later runs only ask what is
/// new. The model stays open for further questions.
struct AnswerMaker {
    private let app: AppEnvironment
    private let settings: ModelSettings
    private let reporter: Reporter
    private let file: ResolvedModel
    private let checker: AnswerChecker
    /// Whether somebody reads the answers while they are written.
    private let isReadAlong: Bool
    private let opened = OpenedModel()

    /// The model, opened when it is first needed.
    private final class OpenedModel {
        var model: LanguageModel?
    }

    struct Question: Sendable {
        /// For the list of prompts.
        let name: String
        /// For the key of the cached answer; nil: it is neither stored nor looked up.
        let articles: [Article]?
        let prompt: any PromptMaker
        /// Checks its answer, and stops the model when it has seen enough.
        let check: CheckedAnswer
    }

    struct Report {
        let model: ModelIdentity
        /// See `AnswerMaker`.
        let quotesOnly: Bool
        var timing = Timing()
        /// The error if a question has no prompt that fits.
        var tooSmall: PulseError?
        /// The number of prompts that were shortened for want of room.
        var shortened = 0
        /// How many answers were written now; and how many had been before.
        var written = 0
        var kept = 0
        /// How many sentences of the answers the articles do not support.
        var refused = 0

        var isUsed: Bool { written + kept > 0 }
    }

    /// The state of an answer. Updates come in the order of the questions, all of one before any of the next; the last
    /// of each is whole, and empty if there is no answer.
    struct Update {
        let number: Int
        let answer: CheckedAnswer
        let isWhole: Bool
    }

    /// - Parameter isDryRun: Whether the prompts are only shown, so that there is nothing to check.
    init(
        _ model: ResolvedModel, settings: ModelSettings, in app: AppEnvironment,
        isDryRun: Bool = false, isReadAlong: Bool = false, reporter: Reporter
    ) throws {
        self.isReadAlong = isReadAlong
        self.app = app
        self.settings = settings
        self.reporter = reporter
        file = model
        checker =
            isDryRun
            ? AnswerChecker()
            : try AnswerChecker(for: model, check: settings.check, in: app.locations, reporter: reporter)
    }

    /// Whether only copies can pass the check; and whether only those are shown.
    var copiesOnly: Bool { checker.model == nil }
    var quotesOnly: Bool { copiesOnly && settings.check != .off }

    /// The check of an answer; the parameters are those of `CheckedAnswer`.
    func check(
        _ articles: [Article], most: Int, story: @autoclosure @escaping @Sendable () -> StoryCriteria? = nil,
        question: QuestionCriteria? = nil
    ) -> CheckedAnswer {
        CheckedAnswer(
            articles, most: most, mode: settings.check, writer: checker.writer, model: checker.model,
            story: story(), question: question)
    }

    private struct Job {
        let question: Question
        let key: AnswerKey?
        /// Its answer while it is written.
        let progress: AnswerInProgress
        /// Nil until there is one.
        var answer: CheckedAnswer?
        var prompt: Prompt?

        init(_ question: Question, key: AnswerKey?, kept: CachedAnswer?) {
            self.question = question
            self.key = key
            progress = AnswerInProgress(question.check)
            answer = kept.map { progress.finish($0.text, isCut: $0.isCut) }
        }
    }

    /// Answers the questions. If time or memory runs out, the rest has no answer, and the user is told.
    ///
    /// - Parameters:
    ///   - withoutAnswer: The message about a number of questions without an answer.
    ///   - onUpdate: An error that it throws ends the work. First called when the model is open, if it is needed.
    func answer(
        _ questions: [Question], withoutAnswer: (Int) -> Message, onUpdate: (Update) throws -> Void
    ) async throws -> Report {
        let keys = questions.map { key(of: $0) }
        let found = keptAnswers(for: keys)
        // An encoder that cannot be opened is an error. Otherwise the check would refuse cached answers.
        if found.contains(where: { $0 != nil }) { try await checker.encoder?.open() }
        var jobs = zip(zip(questions, keys), found).map { Job($0.0, key: $0.1, kept: $1) }
        var report = Report(model: try await identity(), quotesOnly: quotesOnly)
        report.kept = jobs.count { $0.answer != nil }
        /// The first question without a whole answer.
        var next = 0
        func passOn() throws {
            while next < jobs.count, let answer = jobs[next].answer {
                reporter.clear()
                report.refused += answer.refused
                try onUpdate(Update(number: next, answer: answer, isWhole: true))
                next += 1
            }
        }
        if jobs.contains(where: { $0.answer == nil }) {
            let model: LanguageModel
            if let open = opened.model {
                model = open
            } else {
                model = try await LanguageModel(
                    file, header: checker.file, settings: settings, beside: checker.encoder,
                    cache: app.locations.cache, isReadAlong: isReadAlong, reporter: reporter)
                opened.model = model
                report.timing.load = model.loadTime
            }
            let (limit, tokens) = (try model.promptLimit(), try await model.tokenCounter())
            for index in jobs.indices where jobs[index].answer == nil {
                jobs[index].prompt = jobs[index].question.prompt.prompt(limit: limit, tokens: tokens)
                guard jobs[index].prompt == nil else { continue }
                jobs[index].answer = jobs[index].question.check
                report.tooSmall = model.tooSmall
            }
            report.shortened = jobs.count { $0.prompt?.isShortened == true }
            try passOn()
            let asked = jobs.indices.filter { jobs[$0].answer == nil }
            if asked.count > 1, let story = model.weights.secondsOfStory {
                let time = ModelText.time(story * Double(asked.count))
                reporter.show("\(file.name) writes \(asked.count) stories, in about \(time)")
            }
            do {
                let questions = asked.compactMap { index in jobs[index].prompt.map { ($0, jobs[index].progress) } }
                try await model.write(questions, isReadAlong: isReadAlong) { number, event in
                    switch event {
                    case .reading(let tokens, let all) where report.written == 0:
                        reporter.show("Reading, \(tokens) of \(all) tokens")
                    case .text where asked[number] == next:
                        if quotesOnly, settings.check == .replace {
                            reporter.show("\(file.name) is choosing…")
                        } else {
                            reporter.clear()
                        }
                        try onUpdate(Update(number: next, answer: jobs[next].progress.answer, isWhole: false))
                    case .thinking where asked[number] == next: reporter.show("\(file.name) is thinking…")
                    case .reading, .thinking, .text: break
                    case .begunAgain(let completion): report.timing.add(completion, isLast: false)
                    case .finished(let completion):
                        let index = asked[number]
                        let answer = CachedAnswer(text: completion.text, isCut: completion.finish != .endOfText)
                        // At once, so that it stays whatever ends the rest. Not for a shortened prompt: with more room
                        // the prompt would differ, but not the key.
                        if jobs[index].prompt?.isShortened == false { keep(answer, for: jobs[index].key) }
                        jobs[index].answer = jobs[index].progress.answer
                        report.timing.add(completion, isLast: true)
                        report.written += 1
                        try passOn()
                        if asked.count > 1, next < jobs.count {
                            reporter.show("\(report.written) of \(asked.count) stories written")
                        }
                    }
                }
            } catch let error as PulseError where error.code == .tryAgain {
                // Clears the unfinished answer, which would be in the way of the message.
                if next < jobs.count {
                    try onUpdate(Update(number: next, answer: jobs[next].question.check, isWhole: false))
                }
                // Complete sentences stay, since they may have been shown.
                let rest = jobs.indices.filter { jobs[$0].answer == nil }
                for index in rest { jobs[index].answer = jobs[index].progress.finish("", isCut: true) }
                let silent = rest.count { jobs[$0].answer?.sentences.isEmpty == true }
                reporter.note(silent > 0 ? "\(error) \(withoutAnswer(silent))" : "\(error)")
            }
            reporter.clear()
        }
        try passOn()
        return report
    }

    /// The model's name, and its hash if that is requested or known: a large file is not read for nothing.
    private func identity() async throws -> ModelIdentity {
        guard settings.isHashed else {
            return ModelIdentity(name: file.name, sha256: file.rememberedSHA256(in: app.locations.hashes))
        }
        defer { reporter.clear() }
        let sha256 = try await file.sha256(in: app.locations.hashes) { [reporter, file] progress in
            reporter.show("Computing the SHA-256 of \(file.name): \(Int(progress.fraction * 100)) %")
        }
        return ModelIdentity(name: file.name, sha256: sha256)
    }

    /// The prompts as the model would see them, and their tokens.
    func prompts(_ questions: [Question]) async throws -> PromptList {
        let model = try await LanguageModel(
            file, settings: settings, cache: app.locations.cache, vocabularyOnly: true, reporter: reporter)
        let (limit, tokens) = (try model.promptLimit(), try await model.tokenCounter())
        var list = PromptList(model: file.name, contextLength: model.engine.model.contextLength)
        for question in questions {
            guard let prompt = question.prompt.prompt(limit: limit, tokens: tokens) else { continue }
            list.prompts.append(
                PromptList.Entry(
                    name: question.name, prompt: prompt,
                    tokens: try await model.engine.promptTokens(of: prompt.messages)))
        }
        guard !list.prompts.isEmpty || questions.isEmpty else { throw model.tooSmall }
        return list
    }

    // MARK: - The cache: an error in reading or storing an answer is a miss, and does not stop the digest

    /// Nil if the question's answer is not kept, or if the model has no fingerprint.
    private func key(of question: Question) -> AnswerKey? {
        guard let articles = question.articles, let fingerprint = file.fingerprint else { return nil }
        var parameters = settings.writingParameters
        // An answer ends when nothing more can be shown, which depends on what may pass the check.
        parameters["passes"] = copiesOnly ? "copies" : checker.writer.rawValue
        return AnswerKey(
            articles, model: fingerprint, prompt: question.prompt.template.text, language: question.prompt.language,
            parameters: parameters)
    }

    private func keptAnswers(for keys: [AnswerKey?]) -> [CachedAnswer?] {
        guard !settings.isFresh else { return keys.map { _ in nil } }
        do {
            let store = try app.history.open()
            return try keys.map { key in try key.flatMap { key in try store.answer(for: key) } }
        } catch {
            reporter.detail("the kept answers cannot be used: \(error.asPulseError)")
            return keys.map { _ in nil }
        }
    }

    private func keep(_ answer: CachedAnswer, for key: AnswerKey?) {
        guard let key else { return }
        do {
            try app.history.open(.readWrite).keep(answer, for: key, at: app.now)
        } catch {
            reporter.detail("the answer was not kept: \(error.asPulseError)")
        }
    }
}

package struct PromptList: Sendable {
    package struct Entry: Sendable {
        package let name: String
        package let prompt: Prompt
        package let tokens: Int
    }

    package fileprivate(set) var prompts: [Entry] = []
    /// The model whose tokenizer counted.
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

/// Finds the prompts: the user's own beside the settings, else those that came with the program.
extension Locations {
    /// One for each language; each file is read once.
    func promptTemplates(for job: PromptTemplate.Job, in languages: [Language]) throws -> [PromptTemplate] {
        var templates: [Language: PromptTemplate] = [:]
        for language in languages where templates[language] == nil {
            templates[language] = try promptTemplate(for: job, in: language)
        }
        return languages.compactMap { templates[$0] }
    }

    /// The file in use.
    func promptPath(for job: PromptTemplate.Job, in language: Language) throws -> String {
        let name = "\(job.rawValue).\(language.code).md"
        let folders = [configuration, resources].compactMap { $0.map { $0 + "/prompts" } }
        if let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.fileExists) { return path }
        let places = folders.map(Message.init(verbatim:)).joined(separator: " or in ")
        throw PulseError(
            .configuration, "The prompt \(name) is missing; it belongs in \(places).",
            hint: "Reinstall pulse-digest, or put a prompt of your own there.")
    }

    func promptTemplate(for job: PromptTemplate.Job, in language: Language) throws -> PromptTemplate {
        let path = try promptPath(for: job, in: language)
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else {
            throw PulseError(
                .configuration, "The prompt \(path) cannot be read as UTF-8 text.",
                hint: "Check it and its permissions.")
        }
        return try PromptTemplate(job: job, parsing: text, from: path)
    }
}
