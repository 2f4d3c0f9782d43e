import PulseCore
import PulseDigest
import PulseStore

/// Ranks the articles of the history by relevance: by the cosine of their vectors, as far as they have any, and by the
/// words that they share. Questions, search and related articles all use this order.
struct NearestArticles: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store

    struct Near {
        let reading: Reading
        /// The cosine of each passage; empty if the article has no vectors.
        let cosines: [Double]
        /// Its BM25 score, as a share of the best one.
        let share: Double
        /// The best cosine plus the weighted share.
        let score: Double
    }

    /// The weight of `share` in the score. Words matter where the encoder is weak: for names, and for languages other
    /// than English. Values from 0.2 to 0.4 are equally good.
    static let weight = 0.25
    /// The cosine that is assumed for an article without vectors whose `share` is 1.
    static let guess = 0.5
    /// The most articles that are found by their words.
    private static let mostByWords = 200

    private typealias Row = (row: Int64, best: Float, cosines: [Float])

    /// The most relevant articles for a text, the best first; of equal ones, the newer first.
    ///
    /// - Parameters:
    ///   - vector: The text's vector; nil: only words are compared.
    ///   - quoted: Phrases that an article must have literally.
    func find(
        _ text: String, _ vector: PassageVectors.Vector?, quoted: [String] = [], in scope: SearchScope = SearchScope(),
        most: Int
    ) async throws(PulseError) -> [Near] {
        // Concurrently, because both read much of a long history.
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

    /// The articles with a passage whose cosine with a vector is at least `least`, the most similar first.
    func find(
        _ vector: PassageVectors.Vector, in scope: SearchScope, most: Int, atLeast least: Float
    ) throws(PulseError) -> [Near] {
        let found = try read(in: scope, by: vector.cosines).filter { $0.best >= least }.sorted { $0.best > $1.best }
        return try readings(of: found.prefix(most).map { ($0.row, $0.cosines, 0, Double($0.best)) })
    }

    /// Whether no article has vectors, so that no encoder is needed.
    func isEmpty() throws(PulseError) -> Bool { try open(.readOnly).hasNoVectors(form: PassageVectors.form) }

    // MARK: - Vectors and words

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

    /// The BM25 scores of articles, as shares of the best one, by their rows.
    private struct Shares {
        var all: [Int64: Double] = [:]
        /// The articles with the quoted phrases; nil: nothing was quoted.
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
        // If a row was deleted meanwhile, the others would be shifted.
        guard readings.count == found.count else { return [] }
        return zip(readings, found).map {
            Near(reading: $0, cosines: $1.cosines.map(Double.init), share: $1.share, score: $1.score)
        }
    }
}
