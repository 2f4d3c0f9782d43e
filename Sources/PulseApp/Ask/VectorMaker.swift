package import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering
import PulseStore

/// Encodes the articles that have no vectors yet, the newest first.
struct VectorMaker: Sendable {
    let history: History
    let encoder: Encoder

    /// The longest wait at the first question. Articles that are not encoded by then are found by their words.
    private static let patience: Duration = .seconds(30)
    /// The most articles that are encoded at a later question: two days of reading.
    private static let fewMissing = 60

    /// Encodes articles while a question waits. A history that cannot be written can be asked all the same.
    func makeForQuestion(_ reporter: Reporter) async throws(PulseError) {
        defer { reporter.clear() }
        do throws(PulseError) {
            let store = try history.open(.readOnly)
            var missing = try store.countWithoutVectors(form: PassageVectors.form)
            let isFirst = try store.hasNoVectors(form: PassageVectors.form)
            if missing > 0, isFirst || missing <= Self.fewMissing {
                missing = try await make(until: .now + Self.patience) { done, all throws(PulseError) in
                    reporter.show(Self.progress(done, all))
                }
            }
            if missing > 0 {
                let articles = Counted.text(missing, "article is", "articles are")
                reporter.hint("\(articles) not ready and found by words only. To make all ready: pulse-digest prepare")
            }
        } catch {
            guard [.permission, .tryAgain, .cannotWrite].contains(error.code) else { throw error }
            reporter.detail("vectors were not kept: \(error)")
        }
    }

    /// The numbers of articles that are read, and that are stored, at a time.
    private static let (atATime, keptAtATime) = (64, 8)

    /// - Parameters:
    ///   - most: The most articles to encode; nil: all.
    ///   - deadline: When to stop; nil: when all is done.
    ///   - tell: Called with the numbers of encoded articles and of all. An error that it throws ends the work; what is
    ///     stored stays.
    /// - Returns: The number of articles that still have no vectors.
    func make(
        most: Int? = nil, until deadline: ContinuousClock.Instant? = nil,
        tell: (_ done: Int, _ all: Int) throws(PulseError) -> Void
    ) async throws(PulseError) -> Int {
        let missing = try history.open(.readOnly).countWithoutVectors(form: PassageVectors.form)
        let all = min(missing, most ?? missing)
        var done = 0
        while done < all {
            let next = try history.open(.readOnly).withoutVectors(
                form: PassageVectors.form, limit: min(Self.atATime, all - done))
            if next.isEmpty { break }
            var ready: [(row: Int64, article: Article, bytes: [UInt8])] = []
            for (row, article) in next {
                if Task.isCancelled { throw .interrupted }
                ready.append((row, article, PassageVectors.pack(try await encoder.vectors(of: article))))
                done += 1
                let isLate = deadline.map { $0 <= .now } ?? false
                if ready.count == Self.keptAtATime || isLate {
                    try history.open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    ready = []
                }
                if isLate { return missing - done }
                try tell(done, all)
            }
            try history.open(.readWrite).keepVectors(ready, form: PassageVectors.form)
        }
        return missing - done
    }

    static func progress(_ done: Int, _ all: Int) -> Message {
        "Making what you read ready to be asked about: \(done) of \(all) articles"
    }
}

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
        let encoder = try AnswerChecker.openEncoder(in: app.locations)
        defer { reporter.clear() }
        let start = ContinuousClock.now
        _ = try await VectorMaker(history: app.history, encoder: encoder)
            .make(most: most, until: start + time) { done, all throws(PulseError) in
                if start.duration(to: .now) > Self.unnoticed { reporter.show(VectorMaker.progress(done, all)) }
            }
    }
}
