import PulseCore
import PulseModels
import PulseStore

/// The summary of an article that was written before, if nothing it depends on has changed. As with digests, whatever
/// is wrong with it makes it a miss.
struct KeptArticleSummary {
    private let context: Context
    private let files: ModelFiles
    private let job: SummaryJob
    private let model: ResolvedModel
    private let key: SummaryKey?

    init(
        context: Context, files: ModelFiles, model: ResolvedModel, job: SummaryJob, isKept: Bool
    ) {
        self.context = context
        self.files = files
        self.job = job
        let settings = context.settings
        self.model = model
        key =
            !isKept
            ? nil
            : model.fingerprint.map {
                SummaryKey(
                    content: ContentHash.of(job.article), model: $0,
                    prompt: ContentHash.of([job.template.text]),
                    language: settings.language.rawValue, parameters: settings.writing(with: model))
            }
    }

    func find(status: StatusLine) async throws(Failure) -> Summary? {
        guard let key, !context.settings.isFresh, !context.settings.isDryRun else { return nil }
        let found: KeptSummary?
        do {
            found = try context.reading { store throws(StoreError) in try store.summary(for: key) }
        } catch {
            context.explain("what was kept cannot be used: \(error.message)")
            return nil
        }
        guard let found else { return nil }
        context.explain("summary: one that was kept, \(key.hash)")
        var identity = found.model
        if context.settings.tellsHash, identity.sha256 == nil {
            identity = try await files.identity(of: model, status: status)
        }
        return Summary(
            article: job.article, text: found.text, sentences: found.sentences, isShortened: found.isShortened,
            corrections: found.corrections, language: context.settings.language, foreignLanguage: job.foreignLanguage,
            model: identity, timing: found.timing)
    }

    func keep(_ summary: Summary) {
        guard let key else { return }
        do throws(Failure) {
            try context.writing { store throws(StoreError) in
                try store.keep(
                    KeptSummary(
                        text: summary.text, sentences: summary.sentences, isShortened: summary.isShortened,
                        corrections: summary.corrections, model: summary.model, timing: summary.timing),
                    for: key, at: context.now)
            }
        } catch {
            context.explain("the summary was not kept: \(error.message)")
        }
    }
}
