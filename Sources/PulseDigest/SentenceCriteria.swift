public import PulseCore
import PulseText

/// What a model's sentence needs to replace a publication's, besides passing the check: it must tell the story's news.
/// This is measured in the way in which the publication's sentence was selected.
public struct StoryCriteria: Sendable {
    private let weights: Weights
    private let titles: String
    /// The terms of the story's sentences in an earlier digest; empty for a new story. The sentence needs others.
    private let known: Set<String>
    private let lexicon: LeadLexicon?
    /// The most words, and the least share of the titles' weighted words.
    private let longest: Int
    private let leastOverlap: Double

    /// How many words more than asked for a model may write. If the publication's sentence is longer, the model's may
    /// be as long.
    private static let allowance = 4
    private static let overlap = 0.3

    /// - Parameters:
    ///   - entry: The story in its publication's words.
    ///   - reports: The articles in the prompt.
    public init(_ entry: Digest.Entry, reports: [Article], length: StoryLength = .normal) {
        weights = Weights(reports)
        titles = reports.map(\.title).joined(separator: " ")
        known = Terms.set(of: entry.update?.text ?? "")
        lexicon = reports.first?.supportedLanguage?.leadLexicon
        // Without titles before them, which the model's sentence does not need.
        let own = entry.sentences.map(\.text).joined(separator: " ")
        longest = max(length.words + StoryCriteria.allowance, own.wordCount)
        leastOverlap = min(StoryCriteria.overlap, weights.overlap(own, titles))
    }

    func areMet(by sentence: String) -> Bool {
        guard sentence.wordCount <= longest, sentence.hasNameOrNumber, lexicon?.pointsBack(sentence) != true,
            lexicon?.hasVerb(sentence) != false, weights.overlap(sentence, titles) >= leastOverlap
        else { return false }
        return known.isEmpty || weights.newness(of: sentence, beyond: known) >= Weights.leastNew
    }
}

/// What a sentence of a summary needs, besides passing the check: it must be a sentence on the article's subject.
struct SummaryCriteria: Sendable {
    private let lexicon: LeadLexicon?
    /// The terms of the titles and of the first sentences.
    private let terms: Set<String>

    init(_ reports: [Article]) {
        lexicon = reports.first?.supportedLanguage?.leadLexicon
        terms = reports.reduce(into: []) { terms, report in
            terms.formUnion(Terms.set(of: ([report.title] + Lead(report).candidates).joined(separator: "\n")))
        }
    }

    func areMet(by sentence: String) -> Bool {
        lexicon?.isCaption(sentence) != true && !Terms.set(of: sentence).isDisjoint(with: terms)
    }
}

/// What a sentence needs to be an answer to a question, besides passing the check: it may be supported but off topic.
public struct QuestionCriteria: Sendable {
    private let words: Set<String>
    /// The terms of each article, by its id.
    private let terms: [String: Set<String>]
    private let isStrict: Bool
    /// Whether the articles have all names and numbers of the question. Otherwise they cannot answer it.
    public let isAnswerable: Bool

    /// The first letters that two forms of a name have in common: “Brazil”, “Brazilian”.
    private static let stem = 5
    /// A shorter name such as “US” may have other spellings.
    private static let shortestName = 4

    /// - Parameters:
    ///   - question: Without its search filters.
    ///   - articles: The articles in the prompt.
    ///   - isStrict: Whether a sentence must have most of the question's words. For a model that may only quote: it may
    ///     quote anything.
    public init(_ question: String, articles: [Article], isStrict: Bool) {
        words = Terms.set(of: question)
        terms = Dictionary(articles.map { ($0.id, Terms.set(of: $0.text)) }, uniquingKeysWith: { $0.union($1) })
        self.isStrict = isStrict
        // If all letters are capitals, names cannot be recognised.
        let facts = question.contains(where: \.isLowercase) ? Words.facts(in: question) : []
        let names = facts.map(Words.folded).filter { $0.contains(where: \.isNumber) || $0.count >= Self.shortestName }
        let known = Set(
            articles.flatMap { Words.all(in: Words.folded($0.title + "\n" + $0.summary + "\n" + $0.content)) })
        let stems = Set(known.map { String($0.prefix(Self.stem)) })
        isAnswerable = names.allSatisfy { name in
            known.contains(name) || !name.contains(where: \.isNumber) && stems.contains(String(name.prefix(Self.stem)))
        }
    }

    func areMet(by sentence: String) -> Bool {
        isAnswerable && (!isStrict || 2 * words.intersection(Terms.set(of: sentence)).count > words.count)
    }

    /// Keeps the sources that share more than half as many terms with the sentence as the best one does, because the
    /// check lists all that it compared.
    func sources(of sentence: Sentence) -> Sentence {
        let said = Terms.set(of: sentence.text)
        let shared = sentence.sources.map { (id: $0, count: terms[$0, default: []].intersection(said).count) }
        let most = shared.map(\.count).max() ?? 0
        return Sentence(
            text: sentence.text, title: sentence.title,
            sources: shared.filter { 2 * $0.count > most || most == 0 }.map(\.id),
            origin: sentence.origin, doubtful: sentence.doubtful)
    }
}
