package import PulseCore
import PulseDigest
import PulsePlatform
import PulseStore

/// Makes the vectors of what an import brings, where there are some already: whoever has never asked, and never had
/// `prepare` make them, waits for nothing.
package struct VectorUpkeep {
    private let app: AppEnvironment
    private let reporter: Reporter
    /// How many articles had none before; nil: none is to be made.
    private let before: Int?

    /// Seconds that somebody waits after an import, whose report is out by then.
    static let afterImport: Duration = .seconds(5)
    /// In a run that nobody waits for.
    static let atNight: Duration = .seconds(600)
    /// What takes less is not told of.
    private static let unnoticed: Duration = .seconds(1)

    /// Before the import.
    ///
    /// - Parameter isTrial: Whether nothing is stored.
    package init(in app: AppEnvironment, isTrial: Bool = false, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
        before = isTrial ? nil : try? Self.missing(app)
    }

    private static func missing(_ app: AppEnvironment) throws(PulseError) -> Int? {
        try app.history.reading { store throws(PulseError) in
            let form = PassageVectors.form
            return try store.hasNoVectors(form: form) ? nil : try store.countWithoutVectors(form: form)
        }
    }

    /// After it: as many as are new, the newest first, at the lowest priority.
    ///
    /// - Throws: Where it is interrupted. Whatever else is wrong, the import is done.
    package func finish() async throws(PulseError) {
        guard let before else { return }
        do throws(PulseError) {
            let new = (try Self.missing(app) ?? 0) - before
            if new > 0 { try await make(most: new, within: Self.afterImport) }
        } catch {
            if error.code == .interrupted { throw error }
            reporter.detail("vectors were not made: \(error)")
        }
    }

    /// Of all that have none.
    package func finishNight() async {
        do throws(PulseError) {
            if before != nil, let missing = try Self.missing(app), missing > 0 {
                try await make(most: nil, within: Self.atNight)
            }
        } catch {
            reporter.detail("vectors were not made: \(error)")
        }
    }

    private func make(most: Int?, within time: Duration) async throws(PulseError) {
        // First, since threads that are started take after the one that starts them.
        Background.enter()
        let encoder = try await Checker.openEncoder(in: app.locations)
        defer { reporter.clear() }
        let start = ContinuousClock.now
        _ = try await VectorMaker(open: app.history.open, encoder: encoder)
            .make(most: most, until: start + time) { done, all throws(PulseError) in
                if start.duration(to: .now) > Self.unnoticed { reporter.show(VectorMaker.progress(done, all)) }
            }
    }
}

extension VectorMaker {
    package static func progress(_ done: Int, _ all: Int) -> Message {
        "Making what you read ready to be asked about: \(done) of \(all) articles"
    }
}
