import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Makes missing vectors while a question waits, and stores them. Of articles with the nearest titles or with most of
/// the question's words, it encodes the passage that shares most words; of the nearest articles, all passages.
struct QuestionEncoder: Sendable {
    let history: History
    let encoder: Encoder
    let deadline: ContinuousClock.Instant

    /// How long a question waits.
    static let patience: Duration = .seconds(2)
    /// The most articles whose titles are compared: those that share words, and the newest; the most of which a passage
    /// is encoded, and the most of which all passages are.
    private static let (mostByWords, mostByTitle, mostEncoded, mostWhole) = (400, 400, 96, 5)
    /// The weight of an article's share of words beside its title's cosine: a title says less than a passage.
    private static let titleWeight = 0.5
    /// The numbers of passages and of titles that are encoded between two checks of the clock.
    private static let (atATime, titlesAtATime) = (8, 32)

    /// Adds new vectors to the rows.
    ///
    /// - Parameter shares: Of articles that share words with the question: see `ArticleRanking.Near.share`.
    func complete(
        _ rows: inout [ArticleRanking.Row], with shares: [Int64: Double], for question: String,
        _ vector: CompactVector, in scope: SearchFilter
    ) async throws {
        var work = Work(question: question, vector: vector, rows: rows)
        // Each step leaves time for the next, however slow the machine is.
        let start = ContinuousClock.now
        func part(_ share: Double) -> ContinuousClock.Instant { start + start.duration(to: deadline) * share }
        // The best first; of equal ones, the newer first.
        let likely = shares.filter { work.lacks($0.key) }.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
            .prefix(Self.mostByWords).map(\.key)
        let cosines = try await titleCosines(of: likely, to: vector, in: scope, until: part(0.5))
        func worth(_ row: Int64) -> Double {
            let share = shares[row] ?? 0
            return (cosines[row].map(Double.init) ?? ArticleRanking.guess * share) + Self.titleWeight * share
        }
        let near = Set(likely).union(cosines.keys).map { (row: $0, worth: worth($0)) }
            .sorted { ($0.worth, $0.row) > ($1.worth, $1.row) }.prefix(Self.mostEncoded).map(\.row)
        try await encode(near, &work, until: part(0.85))
        try await complete(work.nearest(shares, most: Self.mostWhole), &work)
        try await encode(near, &work, until: deadline)
        rows = work.rows
        keep(work.made)
    }

    private struct Work {
        let question: String
        let vector: CompactVector
        var rows: [ArticleRanking.Row]
        /// The places of articles in `rows`.
        var places: [Int64: Int] = [:]
        var made: [(row: Int64, article: Article, bytes: [UInt8])] = []

        init(question: String, vector: CompactVector, rows: [ArticleRanking.Row]) {
            (self.question, self.vector, self.rows) = (question, vector, rows)
            for (place, row) in rows.enumerated() { places[row.row] = place }
        }

        /// Whether a passage of the article has no vector.
        func lacks(_ row: Int64) -> Bool { places[row].map { rows[$0].begun != nil } ?? true }

        /// The passage that shares most words with the question, if it has no vector.
        func wanted(_ row: Int64, _ article: Article) -> (passages: [String], place: Int)? {
            let passages = Passages.of(article)
            let words = Passages.shares(of: question, in: passages)
            guard let most = words.max(), let place = words.firstIndex(of: most) else { return nil }
            guard let known = places[row].map({ rows[$0].cosines }), known.indices.contains(place) else {
                return (passages, place)
            }
            return known[place] == nil ? (passages, place) : nil
        }

        /// The nearest articles so far, the nearest first.
        func nearest(_ shares: [Int64: Double], most: Int) -> [Int64] {
            rows.map { ($0.row, Double($0.best) + ArticleRanking.weight * (shares[$0.row] ?? 0)) }
                .sorted { $0.1 > $1.1 }.prefix(most).map(\.0)
        }

        mutating func add(_ values: [Float], at place: Int, of passages: Int, _ row: Int64, _ article: Article) {
            let known = places[row]
            var bytes = known.flatMap { rows[$0].begun } ?? PassageVectors.room(for: passages)
            guard bytes.count == PassageVectors.room(for: passages).count else { return }
            PassageVectors.put(values, at: place, in: &bytes)
            let now = bytes.withUnsafeBytes { ArticleRanking.Row(row, $0, vector) }
            if let known { rows[known] = now } else { rows.append(now) }
            places[row] = known ?? rows.count - 1
            made.append((row, article, bytes))
        }
    }

    /// Encodes the passages of articles that still lack vectors.
    private func complete(_ nearest: [Int64], _ work: inout Work) async throws {
        let readings = try history.open().readings(inRows: nearest)
        guard readings.count == nearest.count else { return }
        for (row, reading) in zip(nearest, readings) where .now < deadline {
            let passages = Passages.of(reading.article)
            guard let own = work.places[row], work.rows[own].cosines.count == passages.count else { continue }
            let missing = passages.indices.filter { work.rows[own].cosines[$0] == nil }
            let texts = missing.map { Passages.encoderInput(passages[$0], of: reading.article) }
            for (place, values) in zip(missing, try await encoder.vectors(of: texts)) {
                work.add(values, at: place, of: passages.count, row, reading.article)
            }
        }
    }

    /// Encodes each article's passage that shares most words with the question.
    private func encode(
        _ articles: [Int64], _ work: inout Work, until deadline: ContinuousClock.Instant
    ) async throws {
        let store = try history.open()
        var rest = articles.filter(work.lacks)[...]
        while !rest.isEmpty, .now < deadline {
            if Task.isCancelled { throw PulseError.interrupted }
            let next = rest.prefix(Self.atATime)
            rest = rest.dropFirst(Self.atATime)
            let readings = try store.readings(inRows: Array(next))
            // If a row was deleted meanwhile, the others would be shifted.
            guard readings.count == next.count else { return }
            let wanted = zip(next, readings).compactMap { row, reading in
                work.wanted(row, reading.article).map { (row, reading.article, $0.passages, $0.place) }
            }
            let texts = wanted.map { Passages.encoderInput($0.2[$0.3], of: $0.1) }
            for ((row, article, passages, place), values) in zip(wanted, try await encoder.vectors(of: texts)) {
                work.add(values, at: place, of: passages.count, row, article)
            }
        }
    }

    /// The cosines of titles with the question: alternately of the articles that share words with it, the likeliest
    /// first, and of the newest. A title takes an eighth of a passage's time.
    private func titleCosines(
        of likely: [Int64], to vector: CompactVector, in scope: SearchFilter, until deadline: ContinuousClock.Instant
    ) async throws -> [Int64: Float] {
        let store = try history.open()
        let newest = try store.titlesWithoutVectors(form: PassageVectors.form, in: scope, limit: Self.mostByTitle)
        let titles = Dictionary(newest.map { ($0.row, $0.title) }) { first, _ in first }
        let lists = [likely, newest.map(\.row)]
        var rest: [Int64] = []
        var seen: Set<Int64> = []
        for place in 0..<max(likely.count, newest.count) {
            for row in lists.compactMap({ $0.indices.contains(place) ? $0[place] : nil })
            where seen.insert(row).inserted { rest.append(row) }
        }
        var cosines: [Int64: Float] = [:]
        while !rest.isEmpty, .now < deadline {
            if Task.isCancelled { throw PulseError.interrupted }
            let next = rest.prefix(Self.titlesAtATime)
            rest.removeFirst(next.count)
            let older = next.filter { titles[$0] == nil }
            let readings = try store.readings(inRows: Array(older))
            // If a row was deleted meanwhile, the others would be shifted.
            guard readings.count == older.count else { break }
            let read = Dictionary(uniqueKeysWithValues: zip(older, readings.map(\.article.title)))
            let vectors = PassageVectors.pack(
                try await encoder.vectors(of: next.map { titles[$0] ?? read[$0] ?? "" }))
            for (row, cosine) in zip(next, vectors.withUnsafeBytes(vector.cosines)) { cosines[row] = cosine ?? -1 }
        }
        return cosines
    }

    /// A history that cannot be written can still be searched.
    private func keep(_ made: [(row: Int64, article: Article, bytes: [UInt8])]) {
        for isWhole in [true, false] {
            let some = made.filter { PassageVectors.areAll(in: $0.bytes) == isWhole }
            guard !some.isEmpty else { continue }
            try? history.open(.readWrite).keepVectors(
                some, form: isWhole ? PassageVectors.form : PassageVectors.begun)
        }
    }
}
