package import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Searches the history: first articles with all words, then those of similar meaning, as far as they have vectors.
package struct ArticleSearch: Sendable {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) { (self.app, self.reporter) = (app, reporter) }

    package struct Hit {
        package let reading: Reading
        /// The similarity, at most 1. Nil: the article has all words of the search.
        package let nearness: Double?
    }

    /// The least score of a similar article if none has all words, and if some have; the least cosine of a related one.
    private static let (leastOfWords, leastBesideWords, leastOfArticles): (Double, Double, Float) = (0.3, 0.36, 0.38)
    /// The most by which a score may be below the best one.
    private static let span = 0.25
    /// The largest number of similar articles: more would hide those that have the words.
    private static let mostNear = 10

    /// First the articles with all words, the best match first; then similar ones, the most similar first. Phrases in
    /// quotation marks must be in an article literally; then no similar ones are added.
    package func find(_ words: String, limit: Int) async throws -> [Hit] {
        guard AskedQuestion.saysAnything(words) else {
            throw PulseError(
                .usage, "There is nothing to search for.", hint: "For example: pulse-digest history search ferry strike"
            )
        }
        let exact = try app.history.open().search(words, limit: limit)
        let hits = exact.map { Hit(reading: $0, nearness: nil) }
        let nearest = ArticleRanking(history: app.history)
        guard hits.count < limit, AskedQuestion.quoted(in: words).isEmpty, try !nearest.isEmpty(),
            let encoder = await encoder
        else { return hits }
        let near = try await nearest.find(
            words, CompactVector(try await encoder.vector(ofQuestion: words)), most: exact.count + Self.mostNear)
        let least = max(
            exact.isEmpty ? Self.leastOfWords : Self.leastBesideWords, (near.first?.score ?? 0) - Self.span)
        let known = Set(exact.map(\.article.id))
        return hits
            + near.filter { $0.score >= least && !known.contains($0.reading.article.id) }
            .prefix(min(Self.mostNear, limit - hits.count))
            .map { Hit(reading: $0.reading, nearness: $0.score / (1 + ArticleRanking.weight)) }
    }

    /// Articles similar to another one, the most similar first, compared with its title and its first passage.
    package func near(_ article: Article, in period: Period, limit: Int) async throws -> [Hit] {
        let nearest = ArticleRanking(history: app.history)
        guard try !nearest.isEmpty() else { return [] }
        let own: [UInt8]
        if let known = try app.history.open().vectors(of: article, form: PassageVectors.form) {
            own = known
        } else if let encoder = await encoder {
            own = PassageVectors.pack(try await encoder.vectors(of: article))
        } else {
            return []
        }
        guard let vector = PassageVectors.first(in: own) else { return [] }
        return try nearest.find(
            vector, in: SearchFilter(period: period), most: limit + 1, atLeast: Self.leastOfArticles
        ).filter { $0.reading.article.id != article.id }.map { Hit(reading: $0.reading, nearness: $0.score) }
    }

    private var encoder: Encoder? {
        get async {
            do {
                return try Encoder.ofMeanings(in: app.locations)
            } catch {
                reporter.detail("nothing is found by its meaning: \(error.asPulseError)")
                return nil
            }
        }
    }
}

/// Ranks the articles of the history by relevance to a text: by the cosine of their vectors, as far as they have any,
/// and by the words that they share with it. Questions, search and related articles all use this order.
struct ArticleRanking: Sendable {
    let history: History

    struct Near {
        let reading: Reading
        /// The cosine of each passage, as far as it has a vector; empty if the article has none.
        let cosines: [Double?]
        /// The share of the text's words that the article has, each weighted by its rarity.
        let share: Double
        /// The best cosine plus the weighted share.
        let score: Double
    }

    /// The weight of `share` in the score. Words matter where the encoder is weak: for names.
    static let weight = 0.3
    /// The cosine that is assumed for an article without vectors whose `share` is 1.
    static let guess = 0.35

    /// An article that has vectors.
    struct Row: Sendable {
        let row: Int64
        /// The cosine of each passage; nil for one that has no vector yet.
        let cosines: [Float?]
        let best: Float
        let begun: [UInt8]?

        init(_ row: Int64, _ stored: UnsafeRawBufferPointer, _ vector: CompactVector) {
            self.row = row
            cosines = vector.cosines(with: stored)
            best = cosines.lazy.compactMap(\.self).max() ?? -1
            begun = cosines.contains(nil) ? Array(stored) : nil
        }
    }

    /// The most relevant articles for a text, the best first; of equal ones, the newer first.
    ///
    /// - Parameters:
    ///   - vector: The text's vector; nil: only words are compared.
    ///   - quoted: Phrases that an article must have literally.
    ///   - encoder: Encodes what lacks vectors; nil: nothing is encoded.
    func find(
        _ text: String, _ vector: CompactVector?, quoted: [String] = [],
        in scope: SearchFilter = SearchFilter(), most: Int, by encoder: QuestionEncoder? = nil
    ) async throws -> [Near] {
        // Concurrently, because both read much of a long history.
        async let result = Result { () -> [Row] in try read(in: scope, by: vector) }
        let shares = try shares(of: text, quoted: quoted, in: scope)
        var rows: [Row] = try await result.get()
        if let vector, let encoder {
            try await encoder.complete(&rows, with: shares.all, for: text, vector, in: scope)
        }
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
    func find(_ vector: CompactVector, in scope: SearchFilter, most: Int, atLeast least: Float) throws -> [Near] {
        let found = try read(in: scope, by: vector).filter { $0.best >= least }.sorted { $0.best > $1.best }
        return try readings(of: found.prefix(most).map { ($0.row, $0.cosines, 0, Double($0.best)) })
    }

    /// Whether no article has vectors, so that no encoder is needed.
    func isEmpty() throws -> Bool { try history.open().hasNoVectors(form: PassageVectors.form) }

    // MARK: - Vectors and words

    private func read(in scope: SearchFilter, by vector: CompactVector?) throws -> [Row] {
        guard let vector else { return [] }
        var rows: [Row] = []
        try history.open().eachVector(form: PassageVectors.form, in: scope) {
            rows.append(Row($0, $1, vector))
        }
        return rows
    }

    /// The articles with words of a text.
    private struct Shares {
        /// See `Near.share`.
        let all: [Int64: Double]
        /// The articles with the quoted phrases; nil: nothing was quoted.
        let quoted: Set<Int64>?

        func of(_ row: Int64) -> Double { all[row] ?? 0 }
        func holds(_ row: Int64) -> Bool { quoted?.contains(row) != false }
    }

    private func shares(of text: String, quoted: [String], in scope: SearchFilter) throws -> Shares {
        let store = try history.open()
        let all = try store.shares(of: Passages.terms(of: text), in: scope)
        guard !quoted.isEmpty else { return Shares(all: all, quoted: nil) }
        let rows = try store.rows(withAll: quoted, in: scope)
        return Shares(all: all.filter { rows.contains($0.key) }, quoted: rows)
    }

    private func readings(of found: [(row: Int64, cosines: [Float?], share: Double, score: Double)]) throws -> [Near] {
        let readings = try history.open().readings(inRows: found.map(\.row))
        // If a row was deleted meanwhile, the others would be shifted.
        guard readings.count == found.count else { return [] }
        return zip(readings, found).map {
            Near(reading: $0, cosines: $1.cosines.map { $0.map(Double.init) }, share: $1.share, score: $1.score)
        }
    }
}
