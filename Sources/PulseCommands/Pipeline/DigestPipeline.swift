import PulseCore
import PulseInference
import PulseRendering
import PulseStore

/// The whole path of a digest, top to bottom: store → selection → prompts → tokens → digest → output.
struct DigestPipeline {
    let context: Context
    /// Whether the digest is kept, to be printed again.
    var isKept = true
    /// Takes the finished digest in the output's place.
    var delivery: ((Digest) throws(Failure) -> Void)?

    func run() async throws(Failure) {
        let settings = context.settings
        try context.requireRecipients()
        let period = try ReadingWindow(settings.window).period(endingAt: context.now, in: context.timeZone)

        let (readings, daysInARow) = try context.reading { store throws(StoreError) in
            (try store.readings(in: period), try store.daysInARow(endingAt: context.now, in: context.timeZone))
        }
        let selection = Selection(
            from: readings, interests: Interests(settings), limit: settings.maximumArticles)
        guard !selection.sections.isEmpty else {
            context.noteOnTerminal(context.messages.emptiness(readings: readings.count, muted: selection.muted))
            return
        }

        let status = context.statusLine()
        defer { status.clear() }
        let files = try ModelFiles(context: context)
        let file = try files.resolve()
        try WholeArticles.check(context, file)
        let jobs = try SectionJob.all(for: selection, by: file, context: context)
        let kept = KeptDigest(
            context: context, files: files, model: file, selection: selection, templates: jobs.map(\.template))
        if let found = try await kept.find(period: period, daysInARow: daysInARow, status: status) {
            if isKept, !found.isTodays { kept.keep(found.digest) }
            if let delivery { return try delivery(found.digest) }
            return try DigestOutput(context: context, status: status).print(found.digest)
        }
        let model = try await LanguageModel(
            file, of: files, for: context, vocabularyOnly: settings.isDryRun, status: status)
        let whole = WholeArticles(context: context, files: files, file: file, model: model, status: status)
        if settings.isDryRun {
            let before = try await whole.listing(jobs, longerThan: DigestPipeline.articleTokens)
            let prompts = try await prompts(for: jobs, model: model)
            return try await PromptListing(context: context, model: model).print(
                before + prompts.map { ($0.listingName(summarised: !before.isEmpty), $0.prompt) })
        }
        let read = try await whole.read(jobs, longerThan: DigestPipeline.articleTokens)
        let prompts = try await prompts(for: jobs, texts: read.texts, model: model)
        let identity = try await model.identity(status: status)
        var output = DigestOutput(context: context, status: status)
        try output.begin(
            prompts, writing: model.writing, period: period, muted: selection.muted, daysInARow: daysInARow)
        let sections = KeptSections(context: context, model: file)
        let known = sections.find(prompts)
        let completions = try await model.write(
            prompts.map(\.prompt), known: known, fewestSentences: DigestPrompt.fewestSentences
        ) { index, event throws(Failure) in
            try output.take(event, of: index)
        }
        var digest = digest(
            of: prompts, output.answers, read.completions + completions, period: period, identity: identity,
            load: model.loadTime)
        digest.daysInARow = daysInARow
        digest.muted = selection.muted
        // Before it is out: what cannot be delivered is not written a second time.
        if isKept {
            sections.keep(completions, of: prompts, butThose: known)
            kept.keep(digest, shortage: model.shortage)
        }
        if let delivery { try delivery(digest) } else { try output.end(digest) }
    }

    // MARK: - The steps

    private func prompts(
        for jobs: [SectionJob], texts: [String: String] = [:], model: LanguageModel
    ) async throws(Failure) -> [DigestPrompt] {
        let budget = TokenBudget(
            prompt: try model.promptLimit(), article: DigestPipeline.articleTokens,
            summary: max(DigestPipeline.articleTokens, context.settings.maximumTokens))
        let prompts = try await model.counting { measure, count in
            jobs.map {
                DigestPrompt(
                    section: $0.section, template: $0.template, language: $0.language, texts: texts, budget: budget,
                    measure: measure, count: count)
            }
        }
        let fitting = prompts.compactMap(\.self)
        if fitting.count < jobs.count {
            let lost = zip(jobs, prompts).filter { $0.1 == nil }
                .map { $0.0.section.category.title(in: context.settings.language) }
            context.note(context.messages.tooSmall(budget.prompt, lost.joined(separator: ", ")))
        }
        guard !fitting.isEmpty else { throw model.tooSmall }
        return fitting
    }

    private func digest(
        of prompts: [DigestPrompt], _ answers: [CheckedAnswer], _ completions: [Completion], period: Period,
        identity: ModelIdentity, load: Duration
    ) -> Digest {
        let sections = zip(prompts, answers).map { prompt, answer in
            Digest.Section(
                category: prompt.category, text: answer.text, sentences: answer.sentences, stories: prompt.stories,
                omitted: prompt.omitted, shortened: prompt.shortened, corrections: answer.corrections,
                foreignLanguage: prompt.foreignLanguage)
        }
        return Digest(
            date: context.now, period: period, language: context.settings.language, model: identity,
            sections: sections, readings: prompts.flatMap(\.readings), timing: Timing(load: load, completions))
    }

    /// Tokens of one article's text in a digest: its lead, two or three sentences. News puts what matters first, and
    /// reading costs more time than writing.
    private static let articleTokens = 100
}

extension DigestPrompt {
    /// As `--dry-run` names it.
    ///
    /// - Parameter summarised: Whether the summaries of its long articles are to stand for them.
    fileprivate func listingName(summarised: Bool) -> String {
        [
            category.title, foreignLanguage, Counted.text(stories.count, "story", "stories"),
            shortened > 0 ? "\(shortened) of them by \(summarised ? "their summary" : "the beginning only")" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
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

extension Interests {
    /// What the reader has set or asked for.
    init(_ settings: Settings) {
        self.init(
            categories: Set(settings.categories), follow: settings.follow, mute: settings.mute,
            muteSources: settings.muteSources)
    }
}
