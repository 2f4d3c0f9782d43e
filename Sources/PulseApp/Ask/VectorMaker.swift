import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering
import PulseStore

extension History {
    /// The numbers of articles that are read, and that are stored, at a time.
    private static let (atATime, keptAtATime) = (64, 8)

    /// Whether there are articles that cannot be found by their meaning yet.
    package func lacksVectors() throws -> Bool { try open().countWithoutVectors(form: PassageVectors.form) > 0 }

    /// Encodes the articles that have no vectors yet, the newest first.
    ///
    /// - Parameters:
    ///   - deadline: When to stop; nil: when all is done.
    ///   - tell: Gets the numbers of encoded articles and of all. An error that it throws ends the work.
    func makeVectors(
        by encoder: Encoder, until deadline: ContinuousClock.Instant? = nil,
        tell: (_ done: Int, _ all: Int) throws -> Void
    ) async throws {
        let missing = try open().countWithoutVectors(form: PassageVectors.form)
        var done = 0
        while done < missing {
            let next = try open().withoutVectors(form: PassageVectors.form, limit: min(Self.atATime, missing - done))
            if next.isEmpty { return }
            var ready: [(row: Int64, article: Article, bytes: [UInt8])] = []
            for (row, article) in next {
                if Task.isCancelled {
                    try open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    throw PulseError.interrupted
                }
                ready.append((row, article, PassageVectors.pack(try await encoder.vectors(of: article))))
                done += 1
                let isLate = deadline.map { $0 <= .now } ?? false
                if ready.count == Self.keptAtATime || isLate {
                    try open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    ready = []
                }
                if isLate { return }
                try tell(done, missing)
            }
            try open(.readWrite).keepVectors(ready, form: PassageVectors.form)
        }
    }
}

/// Encodes articles at night, and after an import if some articles have vectors already: a user who never asks
/// questions should not wait for it.
extension AppEnvironment {
    /// To be called after the import. Encodes articles, the newest first, at the lowest priority.
    ///
    /// - Throws: `.interrupted` alone, because the import itself has succeeded.
    package func makeVectorsAfterImport(_ reporter: Reporter) async throws {
        do {
            if try !history.open().hasNoVectors(form: PassageVectors.form) {
                // The import's report is printed by then.
                try await makeVectors(within: .seconds(5), reporter)
            }
        } catch let error as PulseError where error.code != .interrupted {
            reporter.detail("vectors were not made: \(error)")
        }
    }

    /// The same in a run that nobody waits for.
    func makeVectorsAtNight(_ reporter: Reporter) async {
        do {
            if history.exists { try await makeVectors(within: .seconds(600), reporter) }
        } catch {
            reporter.detail("vectors were not made: \(error.asPulseError)")
        }
    }

    private func makeVectors(within time: Duration, _ reporter: Reporter) async throws {
        guard try history.lacksVectors() else { return }
        // First, because new threads inherit their priority from the thread that starts them.
        Background.enter()
        let encoder = try Encoder.ofMeanings(in: locations)
        defer { reporter.clear() }
        let start = ContinuousClock.now
        try await history.makeVectors(by: encoder, until: start + time) { done, all in
            // Shorter work goes unnoticed.
            guard start.duration(to: .now) > .seconds(1) else { return }
            reporter.show(
                "Preparing for questions: \(Counted.text(done)) of \(Counted.text(all, "article", "articles"))")
        }
    }
}
