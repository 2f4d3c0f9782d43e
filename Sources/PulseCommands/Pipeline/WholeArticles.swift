import PulseCore
import PulseInference
import PulseModels

/// The long articles of a digest, read to their end: each is summarised first, or was before, and its summary stands for
/// it in the digest's prompt. Only where that was asked for, and of a model that writes: one that chooses sentences makes
/// a worse digest of them than of the leads.
struct WholeArticles {
    let context: Context
    let files: ModelFiles
    let file: ResolvedModel
    let model: LanguageModel
    let status: StatusLine

    /// Asked for on the command line, it is not passed over without a word.
    static func check(_ context: Context, _ model: ResolvedModel) throws(Failure) {
        guard context.isGiven(.whole), !context.settings.readsWhole(by: model) else { return }
        throw Failure(
            .usage,
            "--whole is for models that write: \(model.name) tells an article by the publisher's own first sentences. "
                + "Leave --whole out, or name another --model (pulse-digest models list).")
    }

    struct Texts {
        /// By the article's id.
        var texts: [String: String] = [:]
        var completions: [Completion] = []
    }

    /// The summaries of those articles whose text has more than so many tokens.
    func read(_ jobs: [SectionJob], longerThan tokens: Int) async throws(Failure) -> Texts {
        var texts = Texts()
        var unread: [(job: SummaryJob, kept: KeptArticleSummary)] = []
        for job in try await long(jobs, tokens) {
            let kept = KeptArticleSummary(context: context, files: files, model: file, job: job, isKept: true)
            if let summary = try await kept.find(status: status) {
                texts.add(summary.text, of: job.article)
            } else {
                unread.append((job, kept))
            }
        }
        guard !unread.isEmpty else { return texts }
        let identity = try await model.identity(status: status)
        let condenser = Condenser(context: context, model: model, status: status)
        // One that not even the front fits of stays as it is.
        let plans = try await condenser.plans(for: unread.map(\.job))
        let readable = zip(unread, plans).compactMap { article, plan in plan.map { (article, $0) } }
        let plan = readable.map(\.1)
        let condensed = try await condenser.condense(readable.map(\.0.job), plan)
        var answers = plan.map { CheckedAnswer([$0.article], writing: model.writing) }
        let last = try await model.write(
            condensed.map(\.prompt), fewestSentences: 1, openingSentences: SummaryPrompt.openingSentences
        ) { index, event throws(Failure) in
            switch event {
            case .reading(let tokens, let all):
                status.show(context.messages.readingArticle(index + 1, condensed.count, tokens, all))
            case .text(let piece): _ = answers[index].add(piece)
            case .finished(let completion):
                _ = answers[index].finish(isCut: completion.finish == .length)
                status.show(context.messages.articlesRead(index + 1, condensed.count))
            }
        }
        for (index, (article, _)) in readable.enumerated() {
            let completions = condensed[index].completions + [last[index]]
            texts.completions += completions
            texts.add(answers[index].text, of: article.job.article)
            guard model.shortage == nil, last[index].finish != .cancelled else { continue }
            article.kept.keep(
                Summary(
                    article: article.job.article, text: answers[index].text, sentences: answers[index].sentences,
                    isShortened: condensed[index].isShortened, corrections: answers[index].corrections,
                    language: context.settings.language, foreignLanguage: article.job.foreignLanguage,
                    model: identity, timing: Timing(load: .zero, completions)))
        }
        return texts
    }

    /// What there is to read before, as `--dry-run` lists it: the whole of each long article, piece by piece.
    func listing(
        _ jobs: [SectionJob], longerThan tokens: Int
    ) async throws(Failure) -> [(name: String, prompt: Prompt)] {
        let jobs = try await long(jobs, tokens)
        let plans = try await Condenser(context: context, model: model, status: status).plans(for: jobs)
        return zip(jobs, plans).flatMap { job, plan in plan?.listing(as: job.article.title) ?? [] }
    }

    private func long(_ jobs: [SectionJob], _ tokens: Int) async throws(Failure) -> [SummaryJob] {
        guard context.settings.readsWhole(by: file) else { return [] }
        let articles = jobs.flatMap { $0.section.stories.map(\.lead) }
        let long = try await model.counting { _, count in
            articles.filter { Excerpt(of: $0.text, tokens: tokens, count: count).isShortened }
        }
        return try SummaryJob.all(for: long, by: file, context: context)
    }
}

extension WholeArticles.Texts {
    /// Of an article that nothing could be said of, the beginning is read.
    fileprivate mutating func add(_ text: String, of article: Article) {
        if !text.isEmpty { texts[article.id] = text }
    }
}
