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

    /// - Parameters:
    ///   - entries: The stories in their publications' own words.
    ///   - hear: Is handed each as it is told, in their order.
    func write(
        _ entries: [Digest.Entry], hear: (Int, Digest.Entry) throws(Failure) -> Void
    ) async throws(Failure) -> Report {
        let templates = try templates(for: entries)
        let answers = KeptAnswers(context: context, model: file)
        let keys = zip(entries, templates).map { entry, template in
            // A story without a sentence of its own has nothing that a model could read either.
            entry.sentences.isEmpty
                ? nil
                : answers.key(of: StoryPrompt.reports(of: entry.story), template.text, language(of: entry.story))
        }
        var done = zip(entries, answers.find(keys)).map { entry, kept in
            entry.sentences.isEmpty ? KeptAnswer(text: "", isCut: false) : kept
        }
        let identity = try await files.identity(of: file, forOutputOf: context, status: status)
        var report = Report(model: identity)
        var next = 0
        func flush() throws(Failure) {
            while next < entries.count, let answer = done[next] {
                let (entry, refused) = told(entries[next], answer)
                report.refused += refused
                status.clear()
                try hear(next, entry)
                next += 1
            }
        }
        let open = entries.indices.filter { done[$0] == nil }
        guard !open.isEmpty else {
            try flush()
            return report
        }

        let model = try await LanguageModel(file, of: files, for: context, vocabularyOnly: false, status: status)
        report.timing.load = model.loadTime
        let prompts = try await prompts(for: open.map { (entries[$0].story, templates[$0]) }, model)
        for (index, prompt) in zip(open, prompts) where prompt == nil {
            done[index] = KeptAnswer(text: "", isCut: false)
        }
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
            for index in done.indices where done[index] == nil { done[index] = KeptAnswer(text: "", isCut: false) }
            try flush()
        }
        status.clear()
        return report
    }

    /// The prompts as the model would see them.
    func listing(_ entries: [Digest.Entry]) async throws(Failure) -> PromptListing {
        let model = try await LanguageModel(file, of: files, for: context, vocabularyOnly: true, status: status)
        let stories = entries.filter { !$0.sentences.isEmpty }
        let templates = try templates(for: stories)
        let prompts = try await prompts(for: zip(stories.map(\.story), templates).map { ($0, $1) }, model)
        return PromptListing(
            context: context, model: model,
            prompts: zip(stories, prompts).compactMap { entry, prompt in prompt.map { (entry.story.lead.title, $0) } })
    }

    /// What the model said of a story, as far as its reports bear it out; else the story as it is.
    private func told(_ entry: Digest.Entry, _ answer: KeptAnswer) -> (entry: Digest.Entry, refused: Int) {
        guard !entry.sentences.isEmpty else { return (entry, 0) }
        var checked = CheckedAnswer(StoryPrompt.reports(of: entry.story), most: CheckedAnswer.entry)
        _ = checked.add(answer.text)
        _ = checked.finish(isCut: answer.isCut)
        guard checked.sentences.isEmpty else {
            return (Digest.Entry(story: entry.story, sentences: checked.sentences), checked.refused)
        }
        let own = entry.sentences.map { Sentence(text: $0.text, sources: $0.sources, origin: .replaced) }
        return (Digest.Entry(story: entry.story, sentences: own), checked.refused)
    }

    // MARK: - Prompts

    /// A story is told in the language it is written in: what a small model says in another shares no words with its
    /// source, so that nothing of it could be checked.
    private func language(of story: Story) -> Language {
        story.lead.writtenLanguage.flatMap(Language.init) ?? context.settings.language
    }

    private func templates(for entries: [Digest.Entry]) throws(Failure) -> [PromptTemplate] {
        try PromptFiles(locations: context.locations).templates(
            for: .digest, in: entries.map { language(of: $0.story) })
    }

    private func prompts(
        for stories: [(Story, PromptTemplate)], _ model: LanguageModel
    ) async throws(Failure) -> [Prompt?] {
        let limit = try model.promptLimit()
        let languages = stories.map { language(of: $0.0) }
        return try await model.counting { measure, count in
            zip(stories, languages).map { story, language in
                StoryPrompt.make(
                    story.0, template: story.1, language: language, limit: limit, measure: measure, count: count)
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
