import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Makes and stores missing vectors while a question waits: of each article that shares words with it, or has a similar
/// title, the passage that shares most words; of the nearest articles, all passages.
struct QuestionEncoder: Sendable {
    let history: History
    let encoder: Encoder
    /// The time at which the question stops waiting.
    let deadline: ContinuousClock.Instant

    /// How long a question waits.
    static let patience: Duration = .seconds(2)
    /// The most articles encoded for shared words before titles are compared, and in all; the most titles compared, and
    /// the most articles encoded for these; and the most articles encoded whole.
    private static let (firstByWords, mostByWords, mostByTitle, mostNear, mostWhole) = (32, 96, 400, 8, 5)
    /// The numbers of passages and of titles that are encoded between two checks of the clock.
    private static let (atATime, titlesAtATime) = (8, 32)

    /// Adds new vectors to the rows.
    ///
    /// - Parameter likely: Articles that share words with the question, the likeliest first, and how much they share.
    func complete(
        _ rows: inout [ArticleRanking.Row], with likely: [(row: Int64, share: Double)], for question: String,
        _ vector: CompactVector, in scope: SearchFilter
    ) async throws {
        var work = Work(question: question, vector: vector, rows: rows)
        let byWords = likely.prefix(Self.mostByWords).map(\.row)
        // Each step leaves time for the next, however slow the machine is.
        let start = ContinuousClock.now
        func part(_ share: Double) -> ContinuousClock.Instant { start + start.duration(to: deadline) * share }
        try await encode(byWords.prefix(Self.firstByWords), &work, until: part(0.5))
        try await encode(nearTitles(to: vector, in: scope, until: part(0.75))[...], &work, until: part(0.85))
        let shares = Dictionary(likely.map { ($0.row, $0.share) }) { first, _ in first }
        try await complete(work.nearest(shares, most: Self.mostWhole), &work)
        try await encode(byWords[...], &work, until: deadline)
        rows = work.rows
        keep(work.made)
    }

    private struct Work {
        let question: String
        let vector: CompactVector
        var rows: [ArticleRanking.Row]
        /// The places of articles in `rows`.
        var places: [Int64: Int] = [:]
        /// The new vectors.
        var made: [(row: Int64, article: Article, bytes: [UInt8])] = []

        init(question: String, vector: CompactVector, rows: [ArticleRanking.Row]) {
            (self.question, self.vector, self.rows) = (question, vector, rows)
            for (place, row) in rows.enumerated() { places[row.row] = place }
        }

        /// The passage that shares most words with the question, if it has no vector.
        func wanted(_ row: Int64, _ article: Article) -> (passages: [String], place: Int)? {
            let passages = Passages.of(article)
            let words = Passages.scores(question, passages)
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

    /// Encodes of each article the passage that shares most words with the question.
    private func encode(
        _ articles: ArraySlice<Int64>, _ work: inout Work, until deadline: ContinuousClock.Instant
    ) async throws {
        let store = try history.open()
        var rest = articles.filter { row in work.places[row].map { work.rows[$0].begun != nil } ?? true }[...]
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

    /// The articles whose titles are nearest to the question: a title takes an eighth of a passage's time.
    private func nearTitles(
        to vector: CompactVector, in scope: SearchFilter, until deadline: ContinuousClock.Instant
    ) async throws -> [Int64] {
        var rest = try history.open().titlesWithoutVectors(
            form: PassageVectors.form, in: scope, limit: Self.mostByTitle)[...]
        var near: [(row: Int64, cosine: Float)] = []
        while !rest.isEmpty, .now < deadline {
            if Task.isCancelled { throw PulseError.interrupted }
            let next = rest.prefix(Self.titlesAtATime)
            rest = rest.dropFirst(Self.titlesAtATime)
            let vectors = PassageVectors.pack(try await encoder.vectors(of: next.map(\.title)))
            for (own, cosine) in zip(next, vectors.withUnsafeBytes(vector.cosines)) {
                near.append((own.row, cosine ?? -1))
            }
        }
        return near.sorted { $0.cosine > $1.cosine }.prefix(Self.mostNear).map(\.row)
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
