import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulseStore

/// Has a model tell the stories of a digest in its own words: a request a story, each answer kept, so that a night costs
/// what is new. A story of which it says nothing that its reports bear out keeps the words it has.
struct StoryWriter {
    let context: Context
    let status: StatusLine
    private let files: ModelFiles
    private let file: ResolvedModel

    struct Report {
        let model: ModelIdentity
        var refused = 0
        var timing = Timing()
    }

    init(context: Context, status: StatusLine) throws(Failure) {
        self.context = context
        self.status = status
        files = try ModelFiles(context: context)
        file = try files.writer()
    }

    /// A story that is to be told, and how a model is asked about it.
    private struct Job: Sendable {
        /// In its publications' own words.
        let entry: Digest.Entry
        let language: Language
        let template: PromptTemplate

        /// A story without a sentence of its own has nothing that a model could read either.
        var isAsked: Bool { !entry.sentences.isEmpty }
        var reports: [Article] { StoryPrompt.reports(of: entry.story) }
    }

    private func jobs(_ entries: [Digest.Entry]) throws(Failure) -> [Job] {
        let languages = entries.map { $0.story.lead.language(or: context.settings.language) }
        let templates = try PromptFiles(locations: context.locations).templates(for: .digest, in: languages)
        return zip(entries, zip(languages, templates)).map { Job(entry: $0, language: $1.0, template: $1.1) }
    }

    /// - Parameters:
    ///   - entries: The stories in their publications' own words.
    ///   - hear: Is handed each as it is told, in their order.
    func write(
        _ entries: [Digest.Entry], hear: (Int, Digest.Entry) throws(Failure) -> Void
    ) async throws(Failure) -> Report {
        let jobs = try jobs(entries)
        let answers = KeptAnswers(context: context, model: file)
        let keys = jobs.map { $0.isAsked ? answers.key(of: $0.reports, $0.template.text, $0.language) : nil }
        var done = zip(jobs, answers.find(keys)).map { $0.isAsked ? $1 : .nothing }
        let identity = try await files.identity(of: file, forOutputOf: context, status: status)
        var report = Report(model: identity)
        var next = 0
        func flush() throws(Failure) {
            while next < jobs.count, let answer = done[next] {
                let (entry, refused) = told(jobs[next], answer)
                report.refused += refused
                status.clear()
                try hear(next, entry)
                next += 1
            }
        }
        let open = jobs.indices.filter { done[$0] == nil }
        guard !open.isEmpty else {
            try flush()
            return report
        }

        let model = try await LanguageModel(file, of: files, for: context, vocabularyOnly: false, status: status)
        report.timing.load = model.loadTime
        let prompts = try await prompts(for: open.map { jobs[$0] }, model)
        for (index, prompt) in zip(open, prompts) where prompt == nil { done[index] = .nothing }
        try flush()
        let asked = zip(open, prompts).compactMap { index, prompt in prompt.map { (index: index, prompt: $0) } }
        var finished = 0
        do throws(Failure) {
            try await model.write(asked.map(\.prompt)) { number, event throws(Failure) in
                switch event {
                case .reading(let tokens, let all) where finished == 0:
                    status.show(context.messages.reading(tokens, all))
                case .reading, .text: break
                case .finished(let completion):
                    let index = asked[number].index
                    let answer = KeptAnswer(text: completion.text, isCut: completion.finish == .length)
                    // At once: what is written stays written, whatever ends the rest.
                    answers.keep(answer, for: keys[index])
                    done[index] = answer
                    report.timing.add(completion)
                    finished += 1
                    try flush()
                    status.show(context.messages.storiesWritten(finished, asked.count))
                }
            }
        } catch  where error.code == .tryAgain {
            // Out of time, or of memory: the day is told all the same.
            let missing = done.count { $0 == nil }
            context.note("\(error.message) \(context.messages.toldWithout(missing))")
            for index in done.indices where done[index] == nil { done[index] = .nothing }
            try flush()
        }
        status.clear()
        return report
    }

    /// The prompts as the model would see them.
    func listing(_ entries: [Digest.Entry]) async throws(Failure) -> PromptListing {
        let model = try await LanguageModel(file, of: files, for: context, vocabularyOnly: true, status: status)
        let jobs = try jobs(entries).filter(\.isAsked)
        let prompts = try await prompts(for: jobs, model)
        return PromptListing(
            context: context, model: model,
            prompts: zip(jobs, prompts).compactMap { job, prompt in prompt.map { (job.entry.story.lead.title, $0) } })
    }

    /// What the model said of a story, as far as its reports bear it out; else the story as it is.
    private func told(_ job: Job, _ answer: KeptAnswer) -> (entry: Digest.Entry, refused: Int) {
        guard job.isAsked else { return (job.entry, 0) }
        let checked = CheckedAnswer(answer.text, isCut: answer.isCut, about: job.reports, most: CheckedAnswer.entry)
        let sentences = checked.sentences(or: job.entry.sentences)
        return (Digest.Entry(story: job.entry.story, sentences: sentences), checked.refused)
    }

    private func prompts(for jobs: [Job], _ model: LanguageModel) async throws(Failure) -> [Prompt?] {
        let limit = try model.promptLimit()
        return try await model.counting { measure, count in
            jobs.map {
                StoryPrompt.make(
                    $0.entry.story, template: $0.template, language: $0.language, limit: limit, measure: measure,
                    count: count)
            }
        }
    }
}

extension Timing {
    mutating func add(_ completion: Completion) {
        promptTokens += completion.promptTokens
        prompt += completion.promptTime
        outputTokens += completion.outputTokens
        output += completion.outputTime
    }
}
