public import PulseCore
import PulseText
import Synchronization

/// The model that judges paraphrases: an encoder, and the network that compares its vectors.
public struct ParaphraseModel: Sendable {
    let head: ParaphraseHead
    let encode: SentenceEncoder

    public init(head: ParaphraseHead, encode: @escaping SentenceEncoder) {
        self.head = head
        self.encode = encode
    }
}

/// The result of checking a sentence.
public struct SentenceVerdict: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// A quotation, word for word.
        case quoted
        /// Not word for word in the articles, but supported by them.
        case supported
        case refused
    }

    public var kind: Kind
    /// How well the articles support a paraphrase; 0 is the average of good writers. Nil: it was not computed.
    public var score: Double?
    /// The words that the articles do not seem to support.
    public var doubtful: [Range<String.Index>] = []
    /// The ids of the articles that support it.
    public var sources: [String] = []
    /// Why it is refused; nil: the articles do not seem to support it.
    public var refusal: QuotationCheck.Refusal?
    /// Whether it is only a part of an article's sentence; and whether that sentence goes on after a quotation.
    public var isPart = false
    public var isCut = false
}

/// The measurements of a paraphrase, before a threshold is applied.
package struct ParaphraseScore {
    package var score: Double
    /// The score without the penalty for objections.
    package var bare: Double
    /// The part of `bare` that comes from the networks.
    package var head: Double
    /// The share of the claim's word pairs in the evidence.
    package var covered: Double
    package var objections: Set<ParaphraseRule>
    package var doubtful: [Range<String.Index>]
    var sources: [String]
}

/// Checks whether a story's articles support a model's sentence. A quotation passes by `QuotationCheck`; a paraphrase,
/// if no rule objects and its score reaches a threshold, which depends on the model that wrote it.
///
/// The check makes errors: see docs/digest.md. The encoder has a thread of its own; on any other, a check waits for it.
public final class SentenceCheck: Sendable {
    private let copies: QuotationCheck
    private let model: ParaphraseModel?
    private let writer: ModelReliability
    private let story: [TokenizedSentence]
    /// The id of the article that each sentence of the story is from.
    private let owners: [String]
    private let numbers: Set<String>
    /// The vectors of sentences of the story, by their indices.
    private let encoded = Mutex<[Int: TokenVectors]>([:])

    /// The score at which a paraphrase passes; nil: none does. Chosen on half of FaithBench, which is not used for
    /// training.
    public static func threshold(for writer: ModelReliability) -> Double? {
        switch writer {
        case .strong: 0.2
        case .unknown: 1.3
        case .small: nil
        }
    }

    /// The most sentences and articles of a story, and the most characters of an article and of a claim.
    private static let (mostSentences, mostArticles, longestText, longest) = (200, 8, 20_000, 600)
    private static let fewestWords = 4
    /// The most sentences of a story whose vectors are cached, up to 150 kB for each.
    private static let mostEncoded = 24
    /// Subtracted from the score of a claim that a rule objects to.
    private static let penalty = 3.0

    /// - Parameters:
    ///   - articles: The articles of one story.
    ///   - model: Nil: only quotations pass. The same is true if an article is not in English.
    public init(_ articles: [Article], writer: ModelReliability, model: ParaphraseModel?) {
        let articles = Array(articles.prefix(Self.mostArticles))
        copies = QuotationCheck(articles)
        self.writer = writer
        let model = articles.allSatisfy { $0.language(or: .english) == .english } ? model : nil
        self.model = model
        var (story, owners): ([TokenizedSentence], [String]) = ([], [])
        var numbers: Set<String> = []
        if model != nil {
            for article in articles {
                let share = Self.mostSentences / articles.count
                for sentence in Sentences.split(String(article.body.prefix(Self.longestText)), most: share) {
                    story.append(TokenizedSentence(sentence))
                    owners.append(article.id)
                }
                let text = String((article.title + "\n" + article.body).prefix(Self.longestText))
                numbers.formUnion(TokenizedSentence.words(text).compactMap(ParaphraseWords.number))
            }
        }
        (self.story, self.owners, self.numbers) = (story, owners, numbers)
    }

    /// Whether a sentence that begins with these words may pass. See `QuotationCheck.mayPass`.
    public func mayPass(beginning front: String) -> Bool {
        readsOwnWords || copies.mayPass(beginning: front)
    }

    /// Whether paraphrases may pass.
    public var readsOwnWords: Bool { model != nil && Self.threshold(for: writer) != nil }

    /// Encodes a sentence of the story that is probably evidence for a claim with this beginning. Done while the model
    /// writes the claim, so that nobody waits for it afterwards.
    func encodeAhead(for front: String) {
        guard readsOwnWords, let model, !story.isEmpty, !copies.mayPass(beginning: front) else { return }
        let known = encoded.withLock { Set($0.keys) }
        let places = TokenizedSentence.evidence(for: TokenizedSentence(front), in: story)
        guard known.count < Self.mostEncoded, let next = places.first(where: { !known.contains($0) }),
            let vectors = try? model.encode([story[next].pieces]).first
        else { return }
        encoded.withLock { $0[next] = vectors }
    }

    /// - Throws: The encoder's errors. Then only quotations can be shown.
    public func verdict(_ sentence: String) throws -> SentenceVerdict {
        switch copies.verdict(on: sentence) {
        case .quoted(let sources): return SentenceVerdict(kind: .quoted, sources: sources)
        case .supported(let sources, let isVerbatim):
            return SentenceVerdict(
                kind: isVerbatim ? .quoted : .supported, sources: sources, isPart: true,
                isCut: isVerbatim && copies.isCut(sentence))
        case .refused(let refusal):
            guard [.words, .cut].contains(refusal), let verdict = try paraphraseVerdict(on: sentence) else {
                return SentenceVerdict(kind: .refused, refusal: refusal)
            }
            return verdict
        }
    }

    /// Nil if the writer may only copy, or `score(of:)` is nil.
    private func paraphraseVerdict(on sentence: String) throws -> SentenceVerdict? {
        guard let threshold = Self.threshold(for: writer), let score = try score(of: sentence) else { return nil }
        let passes = score.score >= threshold && score.objections.isEmpty
        return SentenceVerdict(
            kind: passes ? .supported : .refused, score: score.score, doubtful: score.doubtful,
            sources: passes ? score.sources : [])
    }

    /// Nil if there is no model, or if the sentence is too short, too long or incomplete.
    package func score(of sentence: String) throws -> ParaphraseScore? {
        guard let model, !story.isEmpty, sentence.prefix(Self.longest + 1).count <= Self.longest,
            Sentences.isClosed(sentence)
        else { return nil }
        let claim = TokenizedSentence(sentence)
        guard claim.keysInOrder.count >= Self.fewestWords else { return nil }
        // The numbers that no article has.
        let unknown = TokenizedSentence.words(claim.text).filter { word in
            ParaphraseWords.number(word).map { !numbers.contains($0) } ?? false
        }.map { $0.startIndex..<$0.endIndex }
        let places = TokenizedSentence.evidence(for: claim, in: story)
        guard let compared = try compare(claim, with: places, by: model) else { return nil }
        var objections = objections(to: claim, places)
        if !unknown.isEmpty { objections.insert(.number) }
        var doubtful = claim.ranges.indices.filter { compared.doubtful.contains($0) }.map { claim.ranges[$0] }
        doubtful = (doubtful + unknown.filter { number in !doubtful.contains { $0.overlaps(number) } })
            .sorted { $0.lowerBound < $1.lowerBound }
        var sources: [String] = []
        for owner in places.map({ owners[$0] }) where !sources.contains(owner) { sources.append(owner) }
        return ParaphraseScore(
            score: compared.score - (objections.isEmpty ? 0 : Self.penalty), bare: compared.score, head: compared.head,
            covered: compared.covered, objections: objections, doubtful: Self.joined(doubtful, in: sentence),
            sources: sources)
    }

    // MARK: - Rules

    /// The objections of all rules but the one about numbers.
    private func objections(to claim: TokenizedSentence, _ places: [Int]) -> Set<ParaphraseRule> {
        let words = ParaphraseWords.all(in: claim.text)
        let evidence = places.map { ParaphraseWords.all(in: story[$0].text) }
        let shared = places.map { claim.pairs.intersection(story[$0].pairs).count }
        guard let nearest = places.indices.max(by: { shared[$0] < shared[$1] }) else { return [] }
        let isTurned =
            words.isDisjoint(with: ParaphraseWords.negations)
            ? !claim.keys.isDisjoint(with: ParaphraseWords.denied(in: story[places[nearest]].text))
            : evidence.allSatisfy { $0.isDisjoint(with: ParaphraseWords.negations) }
        // Whether the claim has one of two opposites, and the evidence only the other.
        func isOpposite(_ one: Set<String>, _ other: Set<String>) -> Bool {
            !words.isDisjoint(with: one) && words.isDisjoint(with: other) && evidence.allSatisfy(one.isDisjoint)
                && !evidence[nearest].isDisjoint(with: other)
        }
        let isOpposed = ParaphraseWords.opposites.contains { isOpposite($0.0, $0.1) || isOpposite($0.1, $0.0) }
        let limits = ParaphraseWords.limits
        let isUnhedged = !evidence[nearest].isDisjoint(with: limits) && words.isDisjoint(with: limits)
        let isDoubtful = !words.isDisjoint(with: ParaphraseWords.doubts)
        let isHedged = isDoubtful && evidence.allSatisfy { $0.isDisjoint(with: ParaphraseWords.open) }
        let rules: [(ParaphraseRule, Bool)] = [
            (.negation, isTurned), (.opposite, isOpposed), (.droppedHedge, isUnhedged), (.addedHedge, isHedged),
            (.speaker, hasOtherSpeaker(claim, places, nearest)), (.fragment, ParaphraseWords.isFragment(claim.text)),
        ]
        return Set(rules.filter(\.1).map(\.0))
    }

    /// Whether the evidence quotes somebody, but not the speaker that the claim names.
    private func hasOtherSpeaker(_ claim: TokenizedSentence, _ places: [Int], _ nearest: Int) -> Bool {
        let speakers = ParaphraseWords.speakers(in: claim.text)
        let speaking = places.filter { ParaphraseWords.isSpeech(story[$0].text) }
        guard !speakers.isEmpty, !speaking.isEmpty else { return false }
        // If the nearest sentence names no speaker (“he said”), the name may be in the sentence before.
        let place = places[nearest]
        if !ParaphraseWords.speakers(in: story[place].text).isEmpty {
            return !speakers.isSubset(of: story[place].keys)
        }
        return speakers.contains { speaker in
            !speaking.contains { place in story[max(0, place - 1)...place].contains { $0.keys.contains(speaker) } }
        }
    }

    // MARK: - The encoder

    private func compare(
        _ claim: TokenizedSentence, with places: [Int], by model: ParaphraseModel
    ) throws -> (score: Double, head: Double, covered: Double, doubtful: Set<Int>)? {
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
        let width = ParaphraseHead.width
        guard !own.tokens.isEmpty, columns > 0, own.values.count == own.tokens.count * width,
            evidence.count == columns * width
        else { return nil }
        let similarities = ParaphraseHead.product(own.values, own.tokens.count, evidence, columns, width)
        let features = TokenFeatures.of(own, claim, parts, similarities: similarities)
        let claimFeatures = ClaimFeatures.of(claim, places.map { story[$0] })
        let output = model.head.output(
            for: own, evidence: evidence, similarities: similarities, features: features, claimFeatures: claimFeatures)
        let doubtful = Set(zip(own.pieces, output.logits).filter { $0.1 > 0 }.map(\.0))
        return (output.score, output.head, claimFeatures[1], doubtful)
    }

    /// Joins ranges with only white space between them.
    private static func joined(_ ranges: [Range<String.Index>], in text: String) -> [Range<String.Index>] {
        ranges.reduce(into: []) { joined, range in
            if let last = joined.last, text[last.upperBound..<range.lowerBound].allSatisfy(\.isWhitespace) {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }

    // MARK: - Shortening

    /// The part of a sentence before its doubtful words, cut at a comma or the like, if that passes; else nil.
    public func withoutDoubtfulEnd(
        _ sentence: String, _ judgement: SentenceVerdict
    ) throws -> (sentence: String, judgement: SentenceVerdict)? {
        guard let front = Self.front(of: sentence, before: judgement.doubtful) else { return nil }
        let verdict = try verdict(front)
        return verdict.kind == .refused ? nil : (front, verdict)
    }

    /// The text before the last comma, dash, bracket or semicolon that precedes all doubtful words; nil if it has fewer
    /// than six words.
    static func front(of sentence: String, before doubtful: [Range<String.Index>]) -> String? {
        guard let first = doubtful.first?.lowerBound else { return nil }
        // “10,000” and “10–15” are not cut.
        let cut = sentence[..<first].indices.last {
            ",;–—(".contains(sentence[$0]) && sentence[sentence.index(after: $0)...].first?.isNumber != true
        }
        guard let cut, TokenizedSentence.words(String(sentence[..<cut])).count >= 6 else { return nil }
        let front = sentence[..<cut].reversed().drop { $0.isWhitespace }.reversed()
        return String(front) + "."
    }
}
