package import PulseCore
import PulseDigest
package import PulseInference
package import PulseStore

/// Encodes the articles that have no vectors yet, the newest first.
package struct VectorMaker: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store
    let encoder: Encoder

    package init(
        open: @escaping @Sendable (Store.Access) throws(PulseError) -> Store, encoder: Encoder
    ) {
        self.open = open
        self.encoder = encoder
    }

    /// The longest wait at the first question. Articles that are not encoded by then are found by their words.
    private static let patience: Duration = .seconds(30)
    /// The most articles that are encoded at a later question: two days of reading.
    private static let fewMissing = 60

    /// Encodes articles while a question waits.
    ///
    /// - Returns: See `make`.
    package func makeForQuestion(
        tell: (_ done: Int, _ all: Int) throws(PulseError) -> Void
    ) async throws(PulseError) -> Int {
        let store = try open(.readOnly)
        let missing = try store.countWithoutVectors(form: PassageVectors.form)
        guard missing > 0 else { return 0 }
        let isFirst = try store.hasNoVectors(form: PassageVectors.form)
        guard isFirst || missing <= Self.fewMissing else { return missing }
        return try await make(until: .now + Self.patience, tell: tell)
    }

    /// The numbers of articles that are read, and that are stored, at a time.
    private static let (atATime, keptAtATime) = (64, 8)

    /// - Parameters:
    ///   - most: The most articles to encode; nil: all.
    ///   - deadline: When to stop; nil: when all is done.
    ///   - tell: Called with the numbers of encoded articles and of all. An error that it throws ends the work; what is
    ///     stored stays.
    /// - Returns: The number of articles that still have no vectors.
    package func make(
        most: Int? = nil, until deadline: ContinuousClock.Instant? = nil,
        tell: (_ done: Int, _ all: Int) throws(PulseError) -> Void
    ) async throws(PulseError) -> Int {
        let missing = try open(.readOnly).countWithoutVectors(form: PassageVectors.form)
        let all = min(missing, most ?? missing)
        var done = 0
        while done < all {
            let next = try open(.readOnly).withoutVectors(
                form: PassageVectors.form, limit: min(Self.atATime, all - done))
            if next.isEmpty { break }
            var ready: [(row: Int64, article: Article, bytes: [UInt8])] = []
            for (row, article) in next {
                if Task.isCancelled { throw .interrupted }
                ready.append((row, article, PassageVectors.pack(try await encoder.vectors(of: article))))
                done += 1
                let isLate = deadline.map { $0 <= .now } ?? false
                if ready.count == Self.keptAtATime || isLate {
                    try open(.readWrite).keepVectors(ready, form: PassageVectors.form)
                    ready = []
                }
                if isLate { return missing - done }
                try tell(done, all)
            }
            try open(.readWrite).keepVectors(ready, form: PassageVectors.form)
        }
        return missing - done
    }
}
