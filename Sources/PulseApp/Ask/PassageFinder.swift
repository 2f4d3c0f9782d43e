import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseStore
import PulseText

/// Finds the most relevant passages for a question, by the articles' vectors and words.
struct PassageFinder: Sendable {
    let history: History
    /// Nil: only words are compared.
    let encoder: Encoder?
    let basis: DigestBasis
    /// The part of the history to search. The question's own filters narrow it further.
    let scope: SearchFilter
    /// Recognises reports of one event.
    let reports: ReportVectors

    struct Finding: Sendable {
        /// The best passage of each story, the best story first; all stories of `material` are among them.
        var passages: [Passage] = []
        /// The passages for the model, the best first. There may be several of one story.
        var material: [Passage] = []
        /// The filters of the question; nil: it has none.
        var searched: AppliedFilter?
        /// How many articles of the scope could be compared by their words only.
        var byWordsOnly = 0
        /// Whether even the nearest passage is about something else.
        var isUnrelated = false
        fileprivate var best = -1.0

        /// If even the best passage has a lower cosine, it is usually about something else (docs/ask.md).
        private static let near = 0.31

        var isFar: Bool { passages.first?.score.map { $0 < Self.near } ?? passages.isEmpty }
    }

    /// An article and its best passages, the best first.
    private struct Candidate {
        let reading: Reading
        var passages: [Ranked] = []

        var score: Double { passages.first?.score ?? 0 }
    }

    private struct Ranked {
        let text: String
        /// The cosine with the question; nil if the article has no vectors.
        let cosine: Double?
        let score: Double
    }

    /// The most articles whose passages are compared, and the most that are encoded while the question waits.
    private static let (mostCandidates, mostEncoded) = (40, 24)
    /// The newest articles of a time that is asked about without a subject.
    private static let mostOfTime = 200
    /// The most passages for the model, the most stories that they are from, and the most passages of one article.
    private static let (mostMaterial, mostStories, mostOfOne) = (4, 5, 2)
    private static let muchNearer = 0.14
    /// A result's cosine and its article's weighted share of the question's words are added up. If no sum reaches
    /// `related`, all results are about something else (docs/ask.md).
    private static let (related, shareWeight) = (0.3, 0.1)
    /// A result with less than this fraction of the best sum is about something else, too.
    private static let leastOfBest = 0.5

    func find(_ question: AskedQuestion, limit: Int) async throws -> Finding {
        let lack = try isOfHistory ? history.open().countWithoutVectors(form: PassageVectors.form) : 0
        var (finding, kept) = try await search(question, limit: limit, isEncoding: lack > 0)
        finding.searched = question.searched(kept)
        if lack > 0, !question.isOpen {
            finding.byWordsOnly += try history.open().countWithoutVectors(
                form: PassageVectors.form, countsPartial: false)
        }
        let words = AskedWord.all(in: question.subject)
        // Without an encoder, it is unknown whether they are related.
        guard encoder != nil, !words.isEmpty, question.quoted.isEmpty else { return finding }
        let relations = finding.passages.map { passage in
            let share = AskedWord.share(words, in: passage.reading.article)
            return (passage.score ?? ArticleRanking.guess * share) + Self.shareWeight * share
        }
        guard let most = relations.max() else { return finding }
        finding.isUnrelated = most < Self.related
        let near = zip(finding.passages, relations).filter { $0.1 >= Self.leastOfBest * most }.map(\.0)
        finding.passages = finding.isUnrelated ? Array(finding.passages.prefix(1)) : near
        let left = Set(finding.isUnrelated ? [] : near.flatMap { [$0.reading] + $0.others }.map(\.article.id))
        finding.material.removeAll { !left.contains($0.reading.article.id) }
        return finding
    }

    /// - Parameter isEncoding: Whether articles of the history lack vectors.
    /// - Returns: `kept`: nil if all filters of the question were applied. Otherwise its publications if they still
    ///   limited the search; empty if they did not.
    private func search(
        _ question: AskedQuestion, limit: Int, isEncoding: Bool
    ) async throws -> (found: Finding, kept: [String]?) {
        let narrow = scope.narrowed(by: question)
        if narrow != scope, question.isOpen {
            let told = largest(of: try newest(in: narrow, most: Self.mostOfTime), most: max(limit, Self.mostStories))
            return (finding(told.map { candidate($0, [], share: 0, question) }, limit: limit), nil)
        }
        let vector: CompactVector? =
            if let encoder { CompactVector(try await encoder.vector(ofQuestion: question.subject)) } else { nil }
        // The wider search needs time for vectors, too.
        let start = ContinuousClock.now
        let here = try await find(
            question, vector, in: narrow, limit: limit, isEncoding: isEncoding,
            until: start + (narrow == scope ? QuestionEncoder.patience : QuestionEncoder.patience / 2))
        // “In May” may be the time of an event, so all times are searched, too; other publications only if the named
        // ones have nothing.
        var wide = here.passages.isEmpty ? scope : narrow
        wide.period = scope.period
        guard wide != narrow else { return (here, nil) }
        let everywhere = try await find(
            question, vector, in: wide, limit: limit, isEncoding: isEncoding, until: start + QuestionEncoder.patience)
        let nearest = everywhere.passages.first?.reading.article
        let isMeant = try nearest.map { article in try isNamed(question, in: article, notIn: narrow) } ?? false
        guard isMeant || everywhere.best > here.best + Self.muchNearer else { return (here, nil) }
        return (everywhere, wide.sources == scope.sources ? [] : wide.sources)
    }

    private func find(
        _ question: AskedQuestion, _ vector: CompactVector?, in scope: SearchFilter, limit: Int,
        isEncoding: Bool, until deadline: ContinuousClock.Instant
    ) async throws -> Finding {
        var read: [Candidate] = []
        if isOfHistory {
            let near = try await ArticleRanking(history: history).find(
                question.subject, vector, quoted: question.quoted, in: scope, most: Self.mostCandidates,
                by: isEncoding
                    ? encoder.map { QuestionEncoder(history: history, encoder: $0, deadline: deadline) } : nil)
            read = near.map { candidate($0.reading, $0.cosines, share: $0.share, question) }
            if basis == .read { return finding(read, limit: limit) }
        }
        let (waiting, byWordsOnly) = try await others(question, vector, in: scope, until: deadline)
        var found = finding((read + waiting).sorted { $0.score > $1.score }, limit: limit)
        found.byWordsOnly = byWordsOnly
        return found
    }

    /// - Parameters:
    ///   - cosines: See `ArticleRanking.Near.cosines`.
    ///   - share: See `ArticleRanking.Near.share`.
    private func candidate(
        _ reading: Reading, _ cosines: [Double?], share: Double, _ question: AskedQuestion
    ) -> Candidate {
        let passages = Passages.of(reading.article)
        let words = Passages.shares(of: question.subject, in: passages)
        let most = max(words.max() ?? 0, .leastNonzeroMagnitude)
        // A passage without a vector counts as no nearer than the nearest of the others.
        let guess = cosines.compactMap(\.self).max() ?? ArticleRanking.guess
        let ranked = passages.indices.map { place in
            let cosine = place < cosines.count ? cosines[place] : nil
            let worth = share * words[place] / most
            return (place, cosine, (cosine ?? guess * worth) + ArticleRanking.weight * worth)
        }
        .sorted { $0.2 > $1.2 }.prefix(Self.mostOfOne)
        return Candidate(
            reading: reading,
            passages: ranked.map {
                Ranked(text: Passages.excerpt(of: passages[$0.0], for: question.subject), cosine: $0.1, score: $0.2)
            })
    }

    // MARK: - Bookmarks and unread entries

    private func others(
        _ question: AskedQuestion, _ vector: CompactVector?, in scope: SearchFilter,
        until deadline: ContinuousClock.Instant
    ) async throws -> ([Candidate], byWordsOnly: Int) {
        let all = try basis == .bookmarks ? saved() : history.open().unread()
        let here = all.filter { scope.holds($0) && $0.article.holds(question.quoted) }
        let shares = Passages.shares(of: question.subject, in: here.map { $0.article.title + "\n" + $0.article.text })
        let some = here.indices.filter { shares[$0] > 0 }
        let first = (some.isEmpty || here.count <= Self.mostEncoded ? Array(here.indices) : some)
            .sorted { shares[$0] > shares[$1] }
        var candidates: [Candidate] = []
        var encoded = 0
        for place in first.prefix(encoder == nil ? Self.mostCandidates : Self.mostEncoded) {
            let reading = here[place]
            var cosines: [Double?] = []
            if let vector, let encoder, .now < deadline {
                encoded += 1
                let vectors = try await encoder.vectors(of: reading.article)
                cosines = PassageVectors.pack(vectors).withUnsafeBytes(vector.cosines).map { $0.map(Double.init) }
            }
            candidates.append(candidate(reading, cosines, share: shares[place], question))
        }
        return (candidates.sorted { $0.score > $1.score }, here.count - encoded)
    }

    private func saved() throws -> [Reading] {
        try history.open().bookmarks().map { bookmark in
            Reading(bookmark, at: bookmark.savedAt ?? bookmark.article.publishedAt ?? .distantPast)
        }
    }

    // MARK: - The result

    /// The readings of the stories that most publications have; stories of equally many stay in the given order.
    private func largest(of readings: [Reading], most: Int) -> [Reading] {
        let articles = readings.map(\.article)
        let stories = Passages.stories(articles, meanings: reports.kept(of: articles))
        let sizes = stories.map { story in Set(story.map { articles[$0].source }).count }
        return stories.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.prefix(most).flatMap { stories[$0] }
            .map { readings[$0] }
    }

    private func finding(_ candidates: [Candidate], limit: Int) -> Finding {
        let articles = candidates.map(\.reading.article)
        let all = Passages.stories(articles, meanings: reports.kept(of: articles))
        let stories = all.prefix(max(limit, Self.mostStories))
        let passages = stories.compactMap { story -> Passage? in
            let best = candidates[story[0]]
            guard let passage = best.passages.first else { return nil }
            return Passage(
                reading: best.reading, text: Self.shown(passage.text, of: best.reading), score: passage.cosine,
                others: story.dropFirst().map { candidates[$0].reading })
        }
        let ranked = all.prefix(Self.mostStories).flatMap { $0 }.sorted().flatMap { place in
            candidates[place].passages.map { (candidates[place].reading, $0) }
        }
        .filter { $0.0.article.canBeAskedAbout }.sorted { $0.1.score > $1.1.score }
        let material = ranked.prefix(Self.mostMaterial).map {
            Passage(reading: $0.0, text: Self.shown($0.1.text, of: $0.0), score: $0.1.cosine)
        }
        return Finding(passages: passages, material: material, best: candidates.first?.score ?? -1)
    }

    private static func shown(_ text: String, of reading: Reading) -> String {
        AssistantOrders.without(text) ?? reading.article.title
    }

    // MARK: - Single words of a question

    /// A word in at most this many articles counts like a name.
    private static let rare = 3
    /// Counting stops here: words in more articles than this are equally frequent.
    private static let mostCounted = 500

    /// The words of a question that no article has. If something related was found, verbs are left out, since articles
    /// may use other words for them.
    func missing(_ question: AskedQuestion, _ finding: Finding) throws -> [String] {
        guard isOfHistory else { return [] }
        let store = try history.open()
        return try AskedWord.all(in: question.subject)
            .filter { $0.isName || $0.isThing || finding.isUnrelated }
            .filter { word in try store.countMatches([word.term], upTo: 1) == 0 }.map(\.text)
    }

    /// Whether a name or a rare word of the question is in the article, and in no article of the scope.
    private func isNamed(_ question: AskedQuestion, in article: Article, notIn scope: SearchFilter) throws -> Bool {
        guard isOfHistory else { return false }
        let store = try history.open()
        for word in AskedWord.all(in: question.subject) {
            if try Self.isTelling(word, in: store), try store.hasMatch(word.term, in: article),
                try store.countMatches([word.term], in: scope, upTo: 1) == 0
            {
                return true
            }
        }
        return false
    }

    /// The earlier questions that a question continues.
    func context(of question: AskedQuestion, after earlier: [AskedQuestion]) throws -> [AskedQuestion] {
        guard isOfHistory, !earlier.isEmpty else { return earlier }
        let store = try history.open()
        let asked = (earlier + [question]).suffix(3)
        var context: [AskedQuestion] = []
        for (last, next) in zip(asked, asked.dropFirst()) {
            context = try Self.context(of: next, after: context + [last], in: store)
        }
        return context
    }

    /// The earlier questions that a question continues: none if it has a new name or rare word that shares no article
    /// with the last question's rarest word. If only its numbers are new, they replace the last question's.
    ///
    /// - Parameter earlier: The last question, after those that it continues.
    private static func context(
        of question: AskedQuestion, after earlier: [AskedQuestion], in store: borrowing Store
    ) throws -> [AskedQuestion] {
        guard let last = earlier.last else { return [] }
        let said = Set(earlier.flatMap { AskedWord.all(in: $0.subject) }.map(\.term))
        let new = AskedWord.all(in: question.subject).filter { !said.contains($0.term) }
        if !new.isEmpty, new.allSatisfy(\.isNumber) { return [last.withoutNumbers] }
        var rarest: (term: String, count: Int)?
        for word in AskedWord.all(in: last.subject) {
            let count = try store.countMatches([word.term], upTo: rarest?.count ?? mostCounted)
            if count > 0, count < rarest?.count ?? .max { rarest = (word.term, count) }
        }
        guard let rarest else { return earlier }
        for word in new where try isTelling(word, in: store) {
            if try store.countMatches([word.term, rarest.term], upTo: 1) == 0 { return [] }
        }
        return earlier
    }

    private static func isTelling(_ word: AskedWord, in store: borrowing Store) throws -> Bool {
        let count = try store.countMatches([word.term], upTo: rare + 1)
        return count > 0 && (word.isName || count <= rare)
    }

    private func newest(in scope: SearchFilter, most: Int) throws -> [Reading] {
        let store = try history.open()
        let all: [Reading]
        switch (basis, scope.period) {
        case (.unread, _): all = try store.unread()
        case (.bookmarks, _): all = try saved()
        case (_, let period?): all = try store.readings(in: period)
        case (_, nil): all = try store.list(limit: most, category: scope.category, source: scope.sources.first)
        }
        return Array(all.filter(scope.holds).sorted { $0.readAt > $1.readAt }.prefix(most))
    }

    private var isOfHistory: Bool { basis == .read || basis == .readAndUnread }
}

extension AskedQuestion {
    /// - Parameter kept: See `PassageFinder.search`.
    fileprivate func searched(_ kept: [String]?) -> AppliedFilter? {
        guard period != nil || !sources.isEmpty else { return nil }
        return AppliedFilter(period: period, sources: sources, isBeyond: kept != nil, kept: kept ?? [])
    }
}

extension Encoder {
    /// The encoder that compares texts in any language. It comes with the program.
    ///
    /// - Parameter savesMemory: Whether it takes less memory, but more time: after a refresh, feeds hold much of it.
    /// - Throws: Also if memory is short: a control group ends a program that takes too much.
    static func ofMeanings(in locations: Locations, savesMemory: Bool = false) throws -> Encoder {
        let encoder = try load((locations.resources ?? "") + "/models/pulse-meaning.gguf", repacksWeights: !savesMemory)
        guard MemoryBudget.current().least ?? .max >= encoder.memory else {
            throw PulseError(.tryAgain, "There is not enough memory to compare texts by their meaning.")
        }
        return encoder
    }

    /// The vector of a question. The encoder was trained with this mark before questions, to tell them from titles.
    func vector(ofQuestion text: String) throws -> [Float] { try vector(of: "query: " + text) }

    func vectors(of article: Article) throws -> [[Float]] {
        try vectors(of: Passages.of(article).map { Passages.encoderInput($0, of: article) })
    }
}

extension SearchFilter {
    /// The scope of the options, narrowed by the question's filters.
    fileprivate func narrowed(by question: AskedQuestion) -> SearchFilter {
        var scope = self
        if let asked = question.period {
            let (from, to) = (max(asked.from, period?.from ?? asked.from), min(asked.to, period?.to ?? asked.to))
            scope.period = from <= to ? Period(from: from, to: to) : Period(from: .distantFuture, to: .distantFuture)
        }
        if !question.sources.isEmpty { scope.sources = question.sources }
        return scope
    }

    fileprivate func holds(_ reading: Reading) -> Bool {
        let article = reading.article
        let isInTime =
            period.map { $0.contains(reading.readAt) || article.publishedAt.map($0.contains) == true } ?? true
        return isInTime && (category.map { article.category == $0 } ?? true)
            && (sources.isEmpty || sources.contains { Words.name($0) == Words.name(article.source) })
    }
}

extension Article {
    /// Whether the article has all of these phrases, ignoring case and accents.
    fileprivate func holds(_ quoted: [String]) -> Bool {
        guard !quoted.isEmpty else { return true }
        let own = " " + Words.name([title, summary, content].joined(separator: "\n")) + " "
        return quoted.allSatisfy { own.contains(" " + Words.name($0) + " ") }
    }
}
