package import PulseCore
import PulseDigest
import PulsePlatform
import PulseStore

/// Encodes the articles that an import adds, if other articles have vectors already. Users who never ask questions and
/// never run `prepare` do not wait for it.
package struct VectorUpkeep {
    private let app: AppEnvironment
    private let reporter: Reporter
    /// The number of articles without vectors before the import; nil: nothing is encoded.
    private let before: Int?

    /// The longest time after an import, whose report is printed by then.
    static let afterImport: Duration = .seconds(5)
    /// The longest time in a run that nobody waits for.
    static let atNight: Duration = .seconds(600)
    /// No progress is shown before this time.
    private static let unnoticed: Duration = .seconds(1)

    /// To be called before the import.
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

    /// To be called after the import. Encodes as many articles as are new, the newest first, at the lowest priority.
    ///
    /// - Throws: `.interrupted` alone, because the import itself has succeeded.
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

    /// Encodes all articles without vectors.
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
        // First, because new threads inherit their priority from the thread that starts them.
        Background.enter()
        let encoder = try OutputChecker.openEncoder(in: app.locations)
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
