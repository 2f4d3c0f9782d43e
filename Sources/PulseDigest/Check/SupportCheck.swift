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

/// What a sentence is judged by, before a threshold.
public struct Weighing {
    public var score: Double
    /// Without what rules have against it; what the encoder and the head make of it, alone; and the share of its
    /// pairs of words that are covered.
    public var bare, head, covered: Double
    public var objections: Set<ClaimRule>
    public var doubtful: [Range<String.Index>]
    var sources: [String]
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
    /// Sentences of a story whose vectors are kept: 150 kB each at most.
    private static let mostEncoded = 24
    private static let penalty = 3.0

    /// - Parameters:
    ///   - articles: Of one story.
    ///   - model: Nil: only copies pass. So they do where an article is not in English.
    public init(_ articles: [Article], writer: WriterClass, model: CheckModel?) {
        let articles = Array(articles.prefix(Self.mostArticles))
        copies = StoryCheck(articles)
        self.writer = writer
        let isEnglish = articles.allSatisfy { $0.language(or: .english) == .english }
        let model = isEnglish ? model : nil
        self.model = model
        var (story, owners): ([Said], [String]) = ([], [])
        var numbers: Set<String> = []
        if model != nil {
            for article in articles {
                let share = Self.mostSentences / articles.count
                for sentence in Sentences.split(String(article.body.prefix(Self.longestText)), most: share) {
                    story.append(Said(sentence))
                    owners.append(article.id)
                }
                for word in Said.words(String((article.title + "\n" + article.body).prefix(Self.longestText))) {
                    if let number = ClaimWords.number(word) { numbers.insert(number) }
                }
            }
        }
        (self.story, self.owners, self.numbers) = (story, owners, numbers)
    }

    /// False: no sentence that begins with these words will pass, whatever follows. See `StoryCheck.mayPass`.
    public func mayPass(beginning front: String) -> Bool {
        readsOwnWords || copies.mayPass(beginning: front)
    }

    /// Whether anything but copies may pass.
    public var readsOwnWords: Bool { model != nil && Self.threshold(for: writer) != nil }

    /// Makes the vectors of one sentence of the story that the verdict on a sentence with this beginning may need: while
    /// it is being written nobody waits for them.
    func readAhead(of front: String) {
        guard readsOwnWords, let model, !story.isEmpty, !copies.mayPass(beginning: front) else { return }
        let known = encoded.withLock { Set($0.keys) }
        let places = Said.evidence(for: Said(front), in: story)
        guard known.count < Self.mostEncoded, let next = places.first(where: { !known.contains($0) }),
            let vectors = try? model.encode([story[next].pieces]).first
        else { return }
        encoded.withLock { $0[next] = vectors }
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
        guard let threshold = Self.threshold(for: writer), let weighing = try weighing(of: sentence, model) else {
            return Judgement(kind: .refused, refusal: .words)
        }
        let passes = weighing.score >= threshold && weighing.objections.isEmpty
        return Judgement(
            kind: passes ? .supported : .refused, score: weighing.score, doubtful: weighing.doubtful,
            sources: passes ? weighing.sources : [])
    }

    /// Nil where nothing can be weighed: the sentence is too short, too long or has no end, or nothing reads it.
    public func weighing(of sentence: String) throws(PulseError) -> Weighing? {
        guard let model else { return nil }
        return try weighing(of: sentence, model)
    }

    private func weighing(of sentence: String, _ model: CheckModel) throws(PulseError) -> Weighing? {
        guard !story.isEmpty, sentence.prefix(Self.longest + 1).count <= Self.longest,
            Sentences.isClosed(sentence)
        else { return nil }
        let claim = Said(sentence)
        guard claim.order.count >= Self.fewestWords else { return nil }
        let unheard = unheardNumbers(in: claim)
        let places = Said.evidence(for: claim, in: story)
        guard let reading = try read(claim, against: places, by: model) else { return nil }
        var objections = objections(to: claim, places)
        if !unheard.isEmpty { objections.insert(.number) }
        var doubtful = claim.ranges.indices.filter { reading.doubtful.contains($0) }.map { claim.ranges[$0] }
        doubtful = (doubtful + unheard.filter { number in !doubtful.contains { $0.overlaps(number) } })
            .sorted { $0.lowerBound < $1.lowerBound }
        var sources: [String] = []
        for owner in places.map({ owners[$0] }) where !sources.contains(owner) { sources.append(owner) }
        return Weighing(
            // What a rule has something against is worse than what it has not.
            score: reading.score - (objections.isEmpty ? 0 : Self.penalty), bare: reading.score, head: reading.head,
            covered: reading.covered, objections: objections, doubtful: Self.joined(doubtful, in: sentence),
            sources: sources)
    }

    // MARK: - What rules can see

    /// Numbers that no report has.
    private func unheardNumbers(in claim: Said) -> [Range<String.Index>] {
        Said.words(claim.text).filter { word in ClaimWords.number(word).map { !numbers.contains($0) } ?? false }
            .map { $0.startIndex..<$0.endIndex }
    }

    /// What there is against the claim beside numbers.
    private func objections(to claim: Said, _ places: [Int]) -> Set<ClaimRule> {
        let words = ClaimWords.all(in: claim.text)
        let evidence = places.map { ClaimWords.all(in: story[$0].text) }
        let nearest = places.indices.max { one, other in
            overlap(claim, places[one]) < overlap(claim, places[other])
        }
        guard let nearest else { return [] }
        var objections: Set<ClaimRule> = []
        let isTurned =
            words.isDisjoint(with: ClaimWords.negations)
            ? !claim.keys.isDisjoint(with: ClaimWords.denied(in: story[places[nearest]].text))
            : evidence.allSatisfy { $0.isDisjoint(with: ClaimWords.negations) }
        if isTurned { objections.insert(.negation) }
        // One side of a pair, of which the evidence has only the other.
        func isOpposite(_ one: Set<String>, _ other: Set<String>) -> Bool {
            !words.isDisjoint(with: one) && words.isDisjoint(with: other) && evidence.allSatisfy(one.isDisjoint)
                && !evidence[nearest].isDisjoint(with: other)
        }
        if ClaimWords.opposites.contains(where: { isOpposite($0.0, $0.1) || isOpposite($0.1, $0.0) }) {
            objections.insert(.opposite)
        }
        if !evidence[nearest].isDisjoint(with: ClaimWords.limits), words.isDisjoint(with: ClaimWords.limits) {
            objections.insert(.limit)
        }
        if !words.isDisjoint(with: ClaimWords.doubts), evidence.allSatisfy({ $0.isDisjoint(with: ClaimWords.open) }) {
            objections.insert(.doubt)
        }
        if hasOtherSpeaker(claim, places, nearest) { objections.insert(.speaker) }
        return objections
    }

    /// Whether somebody is quoted in the evidence, and not who is said to be.
    private func hasOtherSpeaker(_ claim: Said, _ places: [Int], _ nearest: Int) -> Bool {
        let speakers = ClaimWords.speakers(in: claim.text)
        let speaking = places.filter { ClaimWords.isSpeech(story[$0].text) }
        guard !speakers.isEmpty, !speaking.isEmpty else { return false }
        // Where the nearest names its speaker, there; else also in the sentence before, for where “he” speaks.
        let place = places[nearest]
        if !ClaimWords.speakers(in: story[place].text).isEmpty {
            return !speakers.isSubset(of: story[place].keys)
        }
        return speakers.contains { speaker in
            !speaking.contains { place in story[max(0, place - 1)...place].contains { $0.keys.contains(speaker) } }
        }
    }

    private func overlap(_ claim: Said, _ place: Int) -> Int { claim.pairs.intersection(story[place].pairs).count }

    // MARK: - What the encoder sees

    private func read(
        _ claim: Said, against places: [Int], by model: CheckModel
    ) throws(PulseError) -> (score: Double, head: Double, covered: Double, doubtful: Set<Int>)? {
        var known = encoded.withLock { $0 }
        if known.count > Self.mostEncoded { known = known.filter { places.contains($0.key) } }
        let lacking = places.filter { known[$0] == nil }
        var fresh = try model.encode([claim.pieces] + lacking.map { story[$0].pieces })
        guard fresh.count == lacking.count + 1 else { return nil }
        let own = fresh.removeFirst()
        for (place, vectors) in zip(lacking, fresh) { known[place] = vectors }
        encoded.withLock { [known] in $0 = known }
        let parts = places.compactMap { known[$0] }.filter { !$0.tokens.isEmpty }
        let evidence = parts.flatMap(\.values)
        let columns = parts.reduce(0) { $0 + $1.tokens.count }
        let width = CheckHead.width
        guard !own.tokens.isEmpty, columns > 0, own.values.count == own.tokens.count * width,
            evidence.count == columns * width
        else { return nil }
        let likeness = CheckHead.product(own.values, own.tokens.count, evidence, columns, width)
        let counts = TokenCounts.of(own, claim, parts, likeness: likeness)
        let claimCounts = ClaimCounts.of(claim, places.map { story[$0] })
        let reading = model.head.read(
            own, evidence: evidence, likeness: likeness, counts: counts, claimCounts: claimCounts)
        let doubtful = Set(zip(own.pieces, reading.logits).filter { $0.1 > 0 }.map(\.0))
        return (reading.score, reading.head, claimCounts[1], doubtful)
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
