package import PulseCore
import PulseDigest
package import PulseInference
package import PulseStore

/// Makes the vectors by which articles are found by their meaning, of those that have none, the newest first.
package struct VectorMaker: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store
    let encoder: Encoder

    package init(
        open: @escaping @Sendable (Store.Access) throws(PulseError) -> Store, encoder: Encoder
    ) {
        self.open = open
        self.encoder = encoder
    }

    /// The longest wait at the first question; the rest is found by words, until `prepare` has come to it.
    private static let patience: Duration = .seconds(30)
    /// At later questions, so many are made: two days of reading.
    private static let fewMissing = 60

    /// Makes the vectors that a question waits for.
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

    /// Articles that are read at a time, and that are kept at a time.
    private static let (atATime, keptAtATime) = (64, 8)

    /// - Parameters:
    ///   - most: Articles to be made ready, at most; nil: all.
    ///   - deadline: When to stop; nil: when all is done.
    ///   - tell: Is told how many of how many are done; what it throws ends the work. What is done stays.
    /// - Returns: how many articles still have none.
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
