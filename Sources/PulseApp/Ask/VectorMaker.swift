import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering
import PulseStore

/// Encodes the articles that have no vectors yet, the newest first.
struct VectorMaker: Sendable {
    let history: History
    let encoder: Encoder

    /// The longest time of work while somebody reads an answer.
    static let behindAnAnswer: Duration = .seconds(300)

    /// The numbers of articles that are read, and that are stored, at a time.
    private static let (atATime, keptAtATime) = (64, 8)

    /// - Parameters:
    ///   - deadline: When to stop; nil: when all is done.
    ///   - tell: Called with the numbers of encoded articles and of all. An error that it throws ends the work; what is
    ///     stored stays.
    /// - Returns: The number of articles that still have no vectors.
    func make(
        until deadline: ContinuousClock.Instant? = nil,
        tell: (_ done: Int, _ all: Int) throws -> Void
    ) async throws -> Int {
        let missing = try history.open().countWithoutVectors(form: PassageVectors.form)
        var done = 0
        while done < missing {
            let next = try history.open().withoutVectors(
                form: PassageVectors.form, limit: min(Self.atATime, missing - done))
            if next.isEmpty { break }
            var ready: [(row: Int64, article: Article, bytes: [UInt8])] = []
            for (row, article) in next {
                if Task.isCancelled {
                    try history.open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    throw PulseError.interrupted
                }
                ready.append((row, article, PassageVectors.pack(try await encoder.vectors(of: article))))
                done += 1
                let isLate = deadline.map { $0 <= .now } ?? false
                if ready.count == Self.keptAtATime || isLate {
                    try history.open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    ready = []
                }
                if isLate { return missing - done }
                try tell(done, missing)
            }
            try history.open(.readWrite).keepVectors(ready, form: PassageVectors.form)
        }
        return missing - done
    }

    static func progress(_ done: Int, _ all: Int) -> Message {
        "Preparing for questions: \(Counted.text(done)) of \(Counted.text(all, "article", "articles"))"
    }
}

/// Encodes articles without vectors: at night, and after an import if others have vectors already, since users who
/// never ask questions should not wait for it.
package struct VectorUpkeep {
    private let app: AppEnvironment
    private let reporter: Reporter

    /// The longest time after an import, whose report is printed by then.
    static let afterImport: Duration = .seconds(5)
    /// The longest time in a run that nobody waits for.
    static let atNight: Duration = .seconds(600)
    /// No progress is shown before this time.
    private static let unnoticed: Duration = .seconds(1)

    package init(in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
    }

    /// To be called after the import. Encodes articles, the newest first, at the lowest priority.
    ///
    /// - Throws: `.interrupted` alone, because the import itself has succeeded.
    package func finish() async throws {
        do {
            if try !app.history.open().hasNoVectors(form: PassageVectors.form) {
                try await make(within: Self.afterImport)
            }
        } catch let error as PulseError where error.code != .interrupted {
            reporter.detail("vectors were not made: \(error)")
        }
    }

    /// Encodes articles within `atNight`.
    package func finishNight() async {
        do {
            if app.history.exists { try await make(within: Self.atNight) }
        } catch {
            reporter.detail("vectors were not made: \(error.asPulseError)")
        }
    }

    private func make(within time: Duration) async throws {
        guard try app.history.lacksVectors() else { return }
        // First, because new threads inherit their priority from the thread that starts them.
        Background.enter()
        let encoder = try Encoder.ofMeanings(in: app.locations)
        defer { reporter.clear() }
        let start = ContinuousClock.now
        _ = try await VectorMaker(history: app.history, encoder: encoder)
            .make(until: start + time) { done, all in
                if start.duration(to: .now) > Self.unnoticed { reporter.show(VectorMaker.progress(done, all)) }
            }
    }
}
