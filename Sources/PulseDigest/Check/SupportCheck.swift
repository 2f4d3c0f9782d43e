public import PulseCore
import PulseText
import Synchronization

/// What decides about a model's own words, beside the comparison of words: an encoder and the head that reads its
/// vectors.
public struct CheckModel: Sendable {
    let head: CheckHead
    let encode: SentenceEncoder

    public init(head: CheckHead, encode: @escaping SentenceEncoder) {
        self.head = head
        self.encode = encode
    }
}

/// What the check says of a sentence.
public struct Judgement: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable { case quoted, supported, refused }

    public var kind: Kind
    /// How well it is borne out, where that was asked: 0 is what the sentences of good writers have on average.
    public var score: Double?
    /// The words that seem not to be borne out.
    public var doubtful: [Range<String.Index>] = []
    /// The ids of the articles that bear it out.
    public var sources: [String] = []
    /// Why it is refused; nil: what it says seems not to be borne out.
    public var refusal: StoryCheck.Refusal?
    /// Of a quotation, whether it is a part of a sentence.
    public var isPart = false

    public init(
        kind: Kind, score: Double? = nil, doubtful: [Range<String.Index>] = [], sources: [String] = [],
        refusal: StoryCheck.Refusal? = nil, isPart: Bool = false
    ) {
        self.kind = kind
        self.score = score
        self.doubtful = doubtful
        self.sources = sources
        self.refusal = refusal
        self.isPart = isPart
    }
}

/// Checks what a model wrote about a story. Copies pass by `StoryCheck`. A sentence in other words passes where rules
/// have nothing against it and an encoder finds its words borne out; how well they must be depends on the writer.
///
/// It errs: see docs/digest.md. Where it has an encoder, it is to be asked on the encoder's thread.
public final class SupportCheck: Sendable {
    private let copies: StoryCheck
    private let model: CheckModel?
    private let writer: WriterClass
    private let story: [Said]
    /// The article that each sentence of the story is from.
    private let owners: [String]
    private let numbers: Set<String>
    private let keys: Set<String>
    /// What was made of sentences of the story.
    private let encoded = Mutex<[Int: TokenVectors]>([:])

    /// At which score a sentence passes; found on half of FaithBench, of which nothing is trained on.
    public static func threshold(for writer: WriterClass) -> Double? {
        switch writer {
        case .strong: 0.8
        case .unknown: 2.2
        case .small: nil
        }
    }

    /// Sentences of a story, articles of it, and characters of an article's text and of a claim.
    private static let (mostSentences, mostArticles, longestText, longest) = (200, 8, 20_000, 600)
    private static let fewestWords = 4

    /// - Parameters:
    ///   - articles: Of one story.
    ///   - model: Nil: only copies pass. So they do where an article is not in English.
    public init(_ articles: [Article], writer: WriterClass, model: CheckModel?) {
        copies = StoryCheck(articles)
        self.writer = writer
        let isEnglish = articles.allSatisfy { $0.language(or: .english) == .english }
        let model = isEnglish ? model : nil
        self.model = model
        var (story, owners): ([Said], [String]) = ([], [])
        var (numbers, keys): (Set<String>, Set<String>) = ([], [])
        if model != nil {
            for article in articles.prefix(Self.mostArticles) {
                let share = Self.mostSentences / min(articles.count, Self.mostArticles)
                for sentence in Sentences.split(String(article.body.prefix(Self.longestText)), most: share) {
                    story.append(Said(sentence))
                    owners.append(article.id)
                }
                keys.formUnion(Said(String(article.title.prefix(Self.longest))).order)
                for word in Said.words(String((article.title + "\n" + article.body).prefix(Self.longestText))) {
                    if let number = ClaimWords.number(word) { numbers.insert(number) }
                }
            }
            for said in story { keys.formUnion(said.keys) }
        }
        (self.story, self.owners, self.numbers, self.keys) = (story, owners, numbers, keys)
    }

    /// False: no sentence that begins with these words will pass, whatever follows. See `StoryCheck.mayPass`.
    public func mayPass(beginning front: String) -> Bool {
        model != nil && Self.threshold(for: writer) != nil || copies.mayPass(beginning: front)
    }

    /// - Throws: What the encoder threw; nothing is to be shown then but copies.
    public func verdict(_ sentence: String) throws(PulseError) -> Judgement {
        switch copies.verdict(on: sentence) {
        case .quoted(let sources): return Judgement(kind: .quoted, sources: sources)
        case .supported(let sources): return Judgement(kind: .quoted, sources: sources, isPart: true)
        case .refused(let refusal):
            guard refusal == .words, let model else { return Judgement(kind: .refused, refusal: refusal) }
            return try weigh(sentence, model)
        }
    }

    private func weigh(_ sentence: String, _ model: CheckModel) throws(PulseError) -> Judgement {
        let refused = Judgement(kind: .refused, refusal: .words)
        guard !story.isEmpty, sentence.prefix(Self.longest + 1).count <= Self.longest,
            Sentences.isClosed(sentence)
        else { return refused }
        let claim = Said(sentence)
        guard claim.order.count >= Self.fewestWords else { return refused }
        let unheard = unheardOf(in: claim)
        if !unheard.numbers.isEmpty { return Judgement(kind: .refused, doubtful: unheard.numbers, refusal: .words) }

        let places = Said.evidence(for: claim, in: story)
        let reading = try read(claim, against: places, missing: unheard.names, by: model)
        guard let reading else { return refused }
        let doubtful = claim.ranges.indices.filter { reading.doubtful.contains($0) }.map { claim.ranges[$0] }
        let isRuledOut = turnsRound(claim, places)
        let passes = Self.threshold(for: writer).map { reading.score >= $0 && !isRuledOut } ?? false
        var sources: [String] = []
        for owner in places.map({ owners[$0] }) where !sources.contains(owner) { sources.append(owner) }
        return Judgement(
            kind: passes ? .supported : .refused, score: reading.score,
            doubtful: Self.joined(doubtful, in: sentence), sources: passes ? sources : [])
    }

    // MARK: - What rules can see

    /// Numbers that no report has, and how many names.
    private func unheardOf(in claim: Said) -> (numbers: [Range<String.Index>], names: Int) {
        var unheard: [Range<String.Index>] = []
        var names = 0
        for (place, word) in Said.words(claim.text).enumerated() {
            if let number = ClaimWords.number(word) {
                if !numbers.contains(number) { unheard.append(word.startIndex..<word.endIndex) }
            } else if place > 0, word.first?.isUppercase == true, !ClaimWords.small.contains(word.lowercased()),
                !keys.contains(Said.key(word))
            {
                names += 1
            }
        }
        return (unheard, min(3, names))
    }

    /// Whether the claim says “not” and the evidence does not, or the nearest of it does and the claim does not; or
    /// whether it drops an “alleged”.
    private func turnsRound(_ claim: Said, _ places: [Int]) -> Bool {
        let words = ClaimWords.all(in: claim.text)
        let evidence = places.map { ClaimWords.all(in: story[$0].text) }
        let nearest = places.indices.max { one, other in
            overlap(claim, places[one]) < overlap(claim, places[other])
        }
        let isNegated = !words.isDisjoint(with: ClaimWords.negations)
        if isNegated, evidence.allSatisfy({ $0.isDisjoint(with: ClaimWords.negations) }) { return true }
        guard let nearest else { return false }
        // One side of a pair, of which the evidence has only the other.
        func isOpposite(_ one: Set<String>, _ other: Set<String>) -> Bool {
            !words.isDisjoint(with: one) && words.isDisjoint(with: other) && evidence.allSatisfy(one.isDisjoint)
                && !evidence[nearest].isDisjoint(with: other)
        }
        if ClaimWords.opposites.contains(where: { isOpposite($0.0, $0.1) || isOpposite($0.1, $0.0) }) { return true }
        if !isNegated, !evidence[nearest].isDisjoint(with: ClaimWords.plainNegations) { return true }
        return !evidence[nearest].isDisjoint(with: ClaimWords.limits) && words.isDisjoint(with: ClaimWords.limits)
    }

    private func overlap(_ claim: Said, _ place: Int) -> Int { claim.pairs.intersection(story[place].pairs).count }

    // MARK: - What the encoder sees

    private func read(
        _ claim: Said, against places: [Int], missing: Int, by model: CheckModel
    ) throws(PulseError) -> (score: Double, doubtful: Set<Int>)? {
        var known = encoded.withLock { $0 }
        let lacking = places.filter { known[$0] == nil }
        var fresh = try model.encode([claim.pieces] + lacking.map { story[$0].pieces })
        guard fresh.count == lacking.count + 1 else { return nil }
        let own = fresh.removeFirst()
        for (place, vectors) in zip(lacking, fresh) { known[place] = vectors }
        encoded.withLock { $0.merge(known) { $1 } }
        let parts = places.compactMap { known[$0] }.filter { !$0.tokens.isEmpty }
        let evidence = parts.flatMap(\.values)
        let columns = parts.reduce(0) { $0 + $1.tokens.count }
        let width = CheckHead.width
        guard !own.tokens.isEmpty, columns > 0, own.values.count == own.tokens.count * width,
            evidence.count == columns * width
        else { return nil }
        let likeness = CheckHead.product(own.values, own.tokens.count, evidence, columns, width)
        let counts = TokenCounts.of(own, claim, parts, likeness: likeness)
        let reading = model.head.read(
            own, evidence: evidence, likeness: likeness, counts: counts,
            claimCounts: ClaimCounts.of(claim, places.map { story[$0] }))
        let doubtful = Set(zip(own.pieces, reading.logits).filter { $0.1 > 0 }.map(\.0))
        return (reading.score, doubtful)
    }

    /// Neighbours become one, with what stands between them.
    private static func joined(_ ranges: [Range<String.Index>], in text: String) -> [Range<String.Index>] {
        ranges.reduce(into: []) { joined, range in
            if let last = joined.last, text[last.upperBound..<range.lowerBound].allSatisfy(\.isWhitespace) {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }

    // MARK: - A second chance

    /// The sentence without its end, where all doubtful words stand behind a comma or the like and what stands before
    /// passes; nil otherwise.
    public func withoutDoubtfulEnd(
        _ sentence: String, _ judgement: Judgement
    ) throws(PulseError) -> (sentence: String, judgement: Judgement)? {
        guard let front = Self.front(of: sentence, before: judgement.doubtful) else { return nil }
        let verdict = try verdict(front)
        return verdict.kind == .refused ? nil : (front, verdict)
    }

    /// What stands before the last comma, dash, bracket or semicolon that comes before all doubtful words.
    static func front(of sentence: String, before doubtful: [Range<String.Index>]) -> String? {
        guard let first = doubtful.first?.lowerBound else { return nil }
        let cut = sentence[..<first].lastIndex { ",;–—(".contains($0) }
        guard let cut, Said.words(String(sentence[..<cut])).count >= 6 else { return nil }
        let front = sentence[..<cut].reversed().drop { $0.isWhitespace }.reversed()
        return String(front) + "."
    }
}
