import PulseCore
import PulseDigest
import PulseStore

/// The articles of the history by how near they are: by what they mean, as far as they have vectors, and by their words.
/// Questions, search and related articles all use this order.
struct NearestArticles: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store

    struct Near {
        let reading: Reading
        /// Of each of its passages; empty where it has no vectors.
        let cosines: [Double]
        /// How many of the words it has, of what the best has, by BM25.
        let share: Double
        /// The best cosine, and what the words are worth.
        let score: Double
    }

    /// What the words are worth beside a cosine: of the article that shares most of them (BM25), so much; of the others
    /// as much less as they share less. Where a name is asked about, or another language than English, the encoder says
    /// too little. Anything from 0.2 to 0.4 does.
    static let weight = 0.25
    /// The cosine that an article is taken to have that has no vectors, if it shares most words.
    static let guess = 0.5
    /// Articles that share most words.
    private static let mostByWords = 200

    private typealias Row = (row: Int64, best: Float, cosines: [Float])

    /// The nearest to a text first; of two that are equally near, the newer.
    ///
    /// - Parameters:
    ///   - vector: The text's; nil: it is found by its words only.
    ///   - quoted: Words that must stand in an article as they are.
    func find(
        _ text: String, _ vector: PassageVectors.Vector?, quoted: [String] = [], in scope: SearchScope = SearchScope(),
        most: Int
    ) async throws(PulseError) -> [Near] {
        // Beside each other, since both read much of a long history.
        async let result = Result { () throws(PulseError) -> [Row] in try read(in: scope, by: vector?.cosines) }
        let shares = try shared(Passages.words(of: text), quoted: quoted, in: scope)
        let rows: [Row] = try await result.get()
        var found = rows.filter { shares.holds($0.row) }.map { row in
            (row: row.row, score: Double(row.best) + Self.weight * shares.of(row.row), cosines: row.cosines)
        }
        let known = Set(rows.lazy.map(\.row))
        for (row, share) in shares.all where !known.contains(row) {
            found.append((row, (Self.weight + Self.guess) * share, []))
        }
        found.sort { ($0.score, $0.row) > ($1.score, $1.row) }
        return try readings(of: found.prefix(most).map { ($0.row, $0.cosines, shares.of($0.row), $0.score) })
    }

    /// The nearest to a vector first, without those whose best passage is further off than `least`.
    func find(
        _ vector: PassageVectors.Vector, in scope: SearchScope, most: Int, atLeast least: Float
    ) throws(PulseError) -> [Near] {
        let found = try read(in: scope, by: vector.cosines).filter { $0.best >= least }.sorted { $0.best > $1.best }
        return try readings(of: found.prefix(most).map { ($0.row, $0.cosines, 0, Double($0.best)) })
    }

    /// Whether nothing has vectors: then there is no need for an encoder.
    func isEmpty() throws(PulseError) -> Bool { try open(.readOnly).hasNoVectors(form: PassageVectors.form) }

    // MARK: - Both kinds of nearness

    private func read(
        in scope: SearchScope, by cosines: ((UnsafeRawBufferPointer) -> [Float])?
    ) throws(PulseError) -> [Row] {
        guard let cosines else { return [] }
        var rows: [Row] = []
        try open(.readOnly).eachVector(form: PassageVectors.form, in: scope) { row, bytes in
            let all = cosines(bytes)
            if let best = all.max() { rows.append((row, best, all)) }
        }
        return rows
    }

    /// What articles share of the words.
    private struct Shares {
        var all: [Int64: Double] = [:]
        /// Those with the quoted words; nil: any.
        var quoted: Set<Int64>?

        func of(_ row: Int64) -> Double { all[row] ?? 0 }
        func holds(_ row: Int64) -> Bool { quoted?.contains(row) != false }
    }

    private func shared(
        _ words: [String], quoted: [String], in scope: SearchScope
    ) throws(PulseError) -> Shares {
        let store = try open(.readOnly)
        var shares = Shares()
        if !quoted.isEmpty {
            let phrases = quoted.map { "\"\($0)\"" }
            shares.quoted = Set(try store.matches(phrases, areAllWanted: true, in: scope, limit: .max).map(\.row))
        }
        let hits = try store.matches(words, in: scope, limit: quoted.isEmpty ? Self.mostByWords : .max)
        let best = hits.first?.score ?? 0
        for hit in hits where best > 0 && shares.holds(hit.row) { shares.all[hit.row] = hit.score / best }
        return shares
    }

    private func readings(
        of found: [(row: Int64, cosines: [Float], share: Double, score: Double)]
    ) throws(PulseError) -> [Near] {
        let readings = try open(.readOnly).readings(inRows: found.map(\.row))
        // A row that was deleted meanwhile would shift the others.
        guard readings.count == found.count else { return [] }
        return zip(readings, found).map {
            Near(reading: $0, cosines: $1.cosines.map(Double.init), share: $1.share, score: $1.score)
        }
    }
}
