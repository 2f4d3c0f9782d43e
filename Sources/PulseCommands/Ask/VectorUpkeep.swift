import PulseCore
import PulseDigest
import PulsePlatform
import PulseStore

/// Makes the vectors of what an import brings, where there are some already: whoever has never asked, and never had
/// `prepare` make them, waits for nothing.
struct VectorUpkeep {
    private let context: Context
    /// How many articles had none before; nil: none is to be made.
    private let before: Int?

    /// Seconds that somebody waits after an import, whose report is out by then.
    static let afterImport: Duration = .seconds(5)
    /// In a run that nobody waits for.
    static let atNight: Duration = .seconds(600)
    /// What takes less is not told of.
    private static let unnoticed: Duration = .seconds(1)

    /// Before the import.
    init(context: Context) {
        self.context = context
        before = context.settings.isDryRun ? nil : try? Self.missing(context)
    }

    private static func missing(_ context: Context) throws(PulseError) -> Int? {
        try context.reading { store throws(PulseError) in
            let form = PassageVectors.form
            return try store.hasNoVectors(form: form) ? nil : try store.countWithoutVectors(form: form)
        }
    }

    /// After it: as many as are new, the newest first, at the lowest priority.
    ///
    /// - Throws: Where it is interrupted. Whatever else is wrong, the import is done.
    func finish() async throws(PulseError) {
        guard let before else { return }
        do throws(PulseError) {
            let new = (try Self.missing(context) ?? 0) - before
            if new > 0 { try await make(most: new, within: Self.afterImport) }
        } catch {
            if error.code == .interrupted { throw error }
            context.explain("vectors were not made: \(error)")
        }
    }

    /// Of all that have none.
    func finishNight() async {
        do throws(PulseError) {
            if before != nil, let missing = try Self.missing(context), missing > 0 {
                try await make(most: nil, within: Self.atNight)
            }
        } catch {
            context.explain("vectors were not made: \(error)")
        }
    }

    private func make(most: Int?, within time: Duration) async throws(PulseError) {
        // First, since threads that are started take after the one that starts them.
        Background.enter()
        let encoder = try await Checker.openEncoder(in: context.locations)
        let status = context.statusLine()
        defer { status.clear() }
        let start = ContinuousClock.now
        _ = try await VectorMaker(open: context.opening, encoder: encoder)
            .make(most: most, until: start + time) { done, all throws(PulseError) in
                if start.duration(to: .now) > Self.unnoticed { status.show(VectorMaker.progress(done, all)) }
            }
    }
}

extension VectorMaker {
    static func progress(_ done: Int, _ all: Int) -> Message {
        "Making what you read ready to be asked about: \(done) of \(all) articles"
    }
}
