import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseStore
import PulseText

/// Finds the passages that are nearest to a question: by their meaning, where an encoder has made vectors of them; the
/// others by their words.
struct PassageFinder: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store
    /// Nil: everything is found by its words.
    let encoder: Encoder?
    let basis: Basis
    /// In what part of it to look; what the question itself says comes on top.
    let scope: SearchScope

    struct Finding: Sendable {
        /// The best of each story, the best story first.
        var passages: [Passage] = []
        /// What a model is to answer from, the nearest first: of a story there may be several.
        var material: [Passage] = []
        /// Whether the time or the publication that the question names was passed over, because nothing was there.
        var isBeyond = false
    }

    /// An article and its passages, the nearest first.
    private struct Candidate {
        let reading: Reading
        let passages: [(text: String, score: Double?)]
        var score: Double { passages.first?.score ?? 0 }
    }

    /// Articles that are compared by their texts, and that are encoded for one question.
    private static let (mostCandidates, mostEncoded) = (40, 24)
    /// Passages that a model reads, and of one article.
    private static let (mostMaterial, mostOfOne) = (4, 2)
    /// Where even the best is further off, the cosines say little: what shares words with the question comes first, and
    /// so many are looked for by them. Of 89 questions 85 had a better one.
    private static let (vague, mostVague) = (0.3, 8)

    func find(_ question: AskedQuestion, limit: Int) async throws(PulseError) -> Finding {
        var narrow = scope
        if let period = question.period { narrow.period = period }
        if !question.sources.isEmpty { narrow.sources = question.sources }
        var finding = try await find(question, in: narrow, limit: limit)
        if finding.passages.isEmpty, narrow != scope {
            finding = try await find(question, in: scope, limit: limit)
            finding.isBeyond = !finding.passages.isEmpty
        }
        return finding
    }

    private func find(
        _ question: AskedQuestion, in scope: SearchScope, limit: Int
    ) async throws(PulseError) -> Finding {
        let vector: PassageVectors.Vector?
        if let encoder {
            vector = PassageVectors.Vector(try await encoder.vector(of: question.subject))
        } else {
            vector = nil
        }
        var candidates: [Candidate] = []
        if basis == .read, question.quoted.isEmpty, let vector {
            candidates = try stored(near: vector, question, in: scope)
        }
        let isVague = candidates.first.map { $0.score < Self.vague } ?? false
        let words = try byWords(question, in: scope, isEncoded: vector != nil && !isVague)
            .filter { reading in !candidates.contains { $0.reading.article.id == reading.article.id } }
        for reading in words.prefix(vector == nil ? Self.mostCandidates : isVague ? Self.mostVague : Self.mostEncoded) {
            candidates.append(try await candidate(reading, question, vector))
        }
        if vector != nil { candidates = Self.sorted(candidates, by: question) }
        return finding(Array(candidates.prefix(Self.mostCandidates)), limit: limit)
    }

    private static func sorted(_ candidates: [Candidate], by question: AskedQuestion) -> [Candidate] {
        // Swift's sort is stable.
        let near = candidates.sorted { $0.score > $1.score }
        guard let best = near.first, best.score < vague else { return near }
        let texts = near.map { $0.reading.article.title + "\n" + $0.reading.article.text }
        let first = Passages.byWords(question.subject, texts)
        return first.map { near[$0] } + near.indices.filter { !first.contains($0) }.map { near[$0] }
    }

    // MARK: - By meaning

    private func stored(
        near vector: PassageVectors.Vector, _ question: AskedQuestion, in scope: SearchScope
    ) throws(PulseError) -> [Candidate] {
        try StoredVectors(open: open).nearest(in: scope, most: Self.mostCandidates, by: vector.cosines).map {
            ranked($0.reading, Passages.of($0.reading.article), $0.cosines.map(Double.init), question)
        }
    }

    private func candidate(
        _ reading: Reading, _ question: AskedQuestion, _ vector: PassageVectors.Vector?
    ) async throws(PulseError) -> Candidate {
        let passages = Passages.of(reading.article)
        guard let vector, let encoder else {
            let best = Passages.byWords(question.subject, passages)
            return Candidate(
                reading: reading,
                passages: best.map { (Passages.excerpt(of: passages[$0], for: question.subject), nil) })
        }
        let vectors = try await encoder.vectors(of: reading.article)
        let cosines = PassageVectors.pack(vectors).withUnsafeBytes(vector.cosines)
        return ranked(reading, passages, cosines.map(Double.init), question)
    }

    private func ranked(
        _ reading: Reading, _ passages: [String], _ scores: [Double], _ question: AskedQuestion
    ) -> Candidate {
        let ranked = zip(passages, scores).sorted { $0.1 > $1.1 }
        return Candidate(
            reading: reading,
            passages: ranked.prefix(Self.mostOfOne).map {
                (Passages.excerpt(of: $0.0, for: question.subject), $0.1)
            })
    }

    // MARK: - By words

    /// Articles that share words with the question, the best first: those that have no vectors, or all that hold what
    /// is quoted.
    private func byWords(
        _ question: AskedQuestion, in scope: SearchScope, isEncoded: Bool
    ) throws(PulseError) -> [Reading] {
        let store = try open(.readOnly)
        let all: [Reading]
        switch basis {
        case .read, .readAndUnread:
            if let first = question.quoted.first {
                all = try store.search("\"\(first)\"", limit: Self.mostCandidates * 5)
            } else {
                all = try store.readings(
                    withAnyOf: Passages.words(of: question.subject), in: scope,
                    withoutVectors: isEncoded ? PassageVectors.form : nil, limit: Self.mostCandidates)
                return all
            }
        case .unread: all = try store.unread()
        case .bookmarks:
            all = try store.bookmarks().map { bookmark in
                Reading(
                    article: bookmark.article, readAt: bookmark.savedAt ?? bookmark.article.publishedAt ?? .distantPast,
                    origin: "bookmarks", isExact: false, basis: .bookmarks)
            }
        }
        let here = all.filter { scope.holds($0) && $0.article.holds(question.quoted) }
        if here.count <= Self.mostEncoded { return here }
        let places = Passages.byWords(question.subject, here.map { $0.article.title + "\n" + $0.article.text })
        return places.map { here[$0] }
    }

    // MARK: - What is shown and what is read

    private func finding(_ candidates: [Candidate], limit: Int) -> Finding {
        let stories = Passages.stories(candidates.map(\.reading.article)).prefix(limit)
        let passages = stories.compactMap { story -> Passage? in
            let best = candidates[story[0]]
            guard let passage = best.passages.first else { return nil }
            return Passage(
                reading: best.reading, text: passage.text, score: passage.score,
                others: story.dropFirst().map { candidates[$0].reading })
        }
        let material = stories.flatMap { $0 }.sorted().flatMap { place in
            candidates[place].passages.map {
                Passage(reading: candidates[place].reading, text: $0.text, score: $0.score)
            }
        }
        let ranked = material.filter { $0.reading.article.canBeAskedAbout }
            .sorted { $0.score ?? 0 > $1.score ?? 0 }.prefix(Self.mostMaterial)
        return Finding(passages: passages, material: Array(ranked))
    }
}

extension Encoder {
    /// One for each of an article's passages.
    func vectors(of article: Article) throws(PulseError) -> [[Float]] {
        var vectors: [[Float]] = []
        for passage in Passages.of(article) { vectors.append(try vector(of: Passages.read(passage, of: article))) }
        return vectors
    }
}

extension SearchScope {
    func holds(_ reading: Reading) -> Bool {
        let article = reading.article
        let isInTime =
            period.map { $0.contains(reading.readAt) || article.publishedAt.map($0.contains) == true } ?? true
        return isInTime && (category.map { article.category == $0 } ?? true)
            && (sources.isEmpty || sources.contains { Words.name($0) == Words.name(article.source) })
    }
}

extension Article {
    /// Whether all of these words stand in it as they are, whatever their case and accents.
    fileprivate func holds(_ quoted: [String]) -> Bool {
        guard !quoted.isEmpty else { return true }
        let own = " " + Words.name([title, summary, content].joined(separator: "\n")) + " "
        return quoted.allSatisfy { own.contains(" " + Words.name($0) + " ") }
    }
}
