import PulseCore
import PulseInference
import PulseRendering
import PulseStore

/// The whole path of a digest, top to bottom: store → selection → prompts → tokens → digest → output.
struct DigestPipeline {
    let context: Context
    /// Takes the finished digest in the output's place.
    var delivery: ((Digest) throws(Failure) -> Void)?

    func run() async throws(Failure) {
        let settings = context.settings
        let template = try PromptFiles(locations: context.locations).template(for: .digest, in: settings.language)
        let period = try ReadingWindow(settings.window).period(endingAt: context.now, in: context.timeZone)

        let (readings, daysInARow) = try context.reading { store throws(StoreError) in
            (try store.readings(in: period), try store.daysInARow(endingAt: context.now, in: context.timeZone))
        }
        let selection = Selection(
            from: readings, categories: Set(settings.categories), limit: settings.maximumArticles)
        guard !selection.sections.isEmpty else {
            context.noteOnTerminal(emptiness(period, readings: readings.count))
            return
        }

        let status = context.statusLine()
        defer { status.clear() }
        let kept = try KeptDigest(context: context, selection: selection, template: template)
        if let digest = try await kept.find(period: period, daysInARow: daysInARow, status: status) {
            if let delivery { return try delivery(digest) }
            return try DigestOutput(context: context, status: status).print(digest)
        }
        let model = try await LanguageModel(for: context, vocabularyOnly: settings.isDryRun, status: status)
        let prompts = try await prompts(for: selection, template: template, model: model)

        if settings.isDryRun {
            try await PromptListing(context: context, model: model).print(
                prompts.map {
                    ("\($0.category.title), \(Counted.text($0.stories.count, "story", "stories"))", $0.prompt)
                })
            return
        }
        let identity = try await model.identity(status: status)
        var output = DigestOutput(context: context, status: status)
        try output.begin(prompts, period: period, model: identity)
        let completions = try await model.write(prompts.map(\.prompt), fewestSentences: DigestPrompt.fewestSentences) {
            index, event throws(Failure) in
            try output.take(event, of: index)
        }
        var digest = digest(of: prompts, completions, period: period, identity: identity, load: model.loadTime)
        digest.daysInARow = daysInARow
        // Before it is out: what cannot be delivered is not written a second time.
        kept.keep(digest)
        if let delivery { try delivery(digest) } else { try output.end(digest) }
    }

    // MARK: - The steps

    private func prompts(
        for selection: Selection, template: PromptTemplate, model: LanguageModel
    ) async throws(Failure) -> [DigestPrompt] {
        let budget = TokenBudget(prompt: try model.promptLimit(), article: DigestPipeline.articleTokens)
        let sections = selection.sections
        let prompts = try await model.counting { measure, count in
            sections.map {
                DigestPrompt(section: $0, template: template, budget: budget, measure: measure, count: count)
            }
        }
        let fitting = prompts.compactMap(\.self)
        if fitting.count < sections.count {
            let lost = zip(sections, prompts).filter { $0.1 == nil }.map { $0.0.category.title }
            context.note(
                "Left out, because a context of \(budget.prompt) tokens is too small: \(lost.joined(separator: ", ")).")
        }
        guard !fitting.isEmpty else { throw model.tooSmall }
        return fitting
    }

    private func digest(
        of prompts: [DigestPrompt], _ completions: [Completion], period: Period, identity: ModelIdentity, load: Duration
    ) -> Digest {
        let sections = zip(prompts, completions).map { prompt, completion in
            let text = PlainText.paragraphs(completion.text)
            return Digest.Section(
                category: prompt.category, text: text,
                sentences: Attribution(prompt.readings.map(\.article)).sentences(of: text),
                stories: prompt.stories, omitted: prompt.omitted, shortened: prompt.shortened)
        }
        return Digest(
            date: context.now, period: period, language: context.settings.language, model: identity,
            sections: sections, readings: prompts.flatMap(\.readings), timing: Timing(load: load, completions))
    }

    private func emptiness(_ period: Period, readings: Int) -> String {
        readings == 0
            ? "Nothing was read in that time. For a longer one: --hours N. For what there is: pulse-digest history stats"
            : "Of the \(readings) articles read in that time, none is in the categories asked for."
    }

    /// Tokens of one article's text in a digest: its lead, two or three sentences. News puts what matters first, and
    /// reading costs more time than writing.
    private static let articleTokens = 100
}

extension Timing {
    /// The sums over several answers.
    init(load: Duration, _ completions: [Completion]) {
        self.init(load: load)
        for completion in completions {
            promptTokens += completion.promptTokens
            prompt += completion.promptTime
            outputTokens += completion.outputTokens
            output += completion.outputTime
        }
    }
}
