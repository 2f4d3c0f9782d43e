import Foundation
import PulseCore
import PulseModels
import PulseRendering
import PulseStore

/// The digest that these inputs have given before, if they have: nothing is written twice.
///
/// What is wrong with what was kept, or with keeping it, is no reason not to tell the day: it is a miss.
struct KeptDigest {
    private let context: Context
    private let files: ModelFiles
    private let model: ResolvedModel
    /// Nil where the model cannot be told from another.
    private let inputs: DigestInputs?

    init(
        context: Context, files: ModelFiles, model: ResolvedModel, selection: Selection, templates: [PromptTemplate]
    ) {
        self.context = context
        self.files = files
        self.model = model
        let settings = context.settings
        var shaping = settings.writing(with: model)
        shaping["window"] =
            switch settings.window {
            case .hours(let hours): "\(hours) hours"
            case .since(let date): "since \(date)"
            }
        shaping["maxArticles"] = "\(settings.maximumArticles)"
        shaping["muted"] = "\(selection.muted)"
        shaping["categories"] = settings.categories.map(\.name).sorted().joined(separator: "\n")
        if settings.readsWhole(by: model) { shaping["whole"] = "true" }
        inputs = model.fingerprint.map {
            DigestInputs(
                selection: selection, prompt: ContentHash.of(templates.map(\.text)), language: settings.language,
                model: $0,
                settings: shaping)
        }
    }

    struct Found {
        let digest: Digest
        /// Whether it is kept as it is: made today, and not on an earlier day of the same inputs.
        let isTodays: Bool
    }

    /// The digest as it was made, where that was today. What an earlier day made of the same inputs gets the date and
    /// the window of today.
    func find(period: Period, daysInARow: Int, status: StatusLine) async throws(Failure) -> Found? {
        guard let inputs, !context.settings.isFresh, !context.settings.isDryRun else { return nil }
        let found: Digest?
        do {
            found = try context.reading { store throws(StoreError) in try store.digest(for: inputs) }
        } catch {
            context.explain("what was kept cannot be used: \(error.message)")
            return nil
        }
        guard var digest = found else { return nil }
        context.explain("digest: the one made at \(digest.date.formatted(.iso8601)), \(inputs.key)")
        context.noteOnTerminal(context.messages.nothingChanged(DateText.compact(digest.date, in: context.timeZone)))
        let isTodays = context.calendar.isDate(digest.date, inSameDayAs: context.now)
        if !isTodays {
            digest.date = context.now
            digest.period = period
            digest.daysInARow = daysInARow
            digest.timing = Timing()
        }
        if context.settings.tellsHash, digest.model.sha256 == nil {
            digest.model = try await files.identity(of: model, status: status)
        }
        return Found(digest: digest, isTodays: isTodays)
    }

    /// - Parameter shortage: Where memory was short, the tokens that were left for a prompt: the digest stays in the
    ///   archive, and is not taken for the one that the same inputs give when there is enough.
    func keep(_ digest: Digest, shortage: Int? = nil) {
        guard var inputs else { return }
        if let shortage { inputs = inputs.with("shortage", "\(shortage)") }
        do throws(Failure) {
            try context.writing { store throws(StoreError) in try store.keep(digest, madeFrom: inputs) }
        } catch {
            context.explain("the digest was not kept: \(error.message)")
        }
    }
}
