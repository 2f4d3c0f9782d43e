public import PulseCore
import PulseText

/// What a sentence needs to be shown as an answer. That the passages support it is not enough, since they may not be
/// about the question.
public struct AnswerStandard: Sendable {
    private let words: Set<String>
    /// The terms of each article, by its id.
    private let terms: [String: Set<String>]
    private let isStrict: Bool
    /// Whether the articles have all names and numbers of the question. Otherwise nothing they say answers it, however
    /// true.
    public let isAnswerable: Bool

    /// The common letters of two forms of a name: “Brazil”, “Brazilian”.
    private static let stem = 5
    /// A shorter name may be written in another way: “US”, “UN”.
    private static let shortestName = 4

    /// - Parameters:
    ///   - question: Without its search filters.
    ///   - articles: The articles in the prompt.
    ///   - isStrict: Whether a sentence must have most of the question's words, because a model that may only quote may
    ///     quote anything.
    public init(_ question: String, articles: [Article], isStrict: Bool) {
        words = Terms.set(of: question)
        terms = Dictionary(articles.map { ($0.id, Terms.set(of: $0.text)) }, uniquingKeysWith: { $0.union($1) })
        self.isStrict = isStrict
        // In all capitals, names cannot be recognised.
        let facts = question.contains(where: \.isLowercase) ? Words.facts(in: question) : []
        let names = facts.map(Words.folded).filter { $0.contains(where: \.isNumber) || $0.count >= Self.shortestName }
        let known = Set(
            articles.flatMap { Words.all(in: Words.folded($0.title + "\n" + $0.summary + "\n" + $0.content)) })
        let stems = Set(known.map { String($0.prefix(Self.stem)) })
        isAnswerable = names.allSatisfy { name in
            known.contains(name) || !name.contains(where: \.isNumber) && stems.contains(String(name.prefix(Self.stem)))
        }
    }

    func isMet(by sentence: String) -> Bool {
        isAnswerable && (!isStrict || 2 * words.intersection(Terms.set(of: sentence)).count > words.count)
    }

    /// Keeps those of a sentence's sources that say most of it: the check names all that it read.
    func sources(of sentence: Sentence) -> Sentence {
        let said = Terms.set(of: sentence.text)
        let shared = sentence.sources.map { (id: $0, count: terms[$0, default: []].intersection(said).count) }
        let most = shared.map(\.count).max() ?? 0
        return Sentence(
            text: sentence.text, title: sentence.title, sources: shared.filter { 2 * $0.count > most }.map(\.id),
            origin: sentence.origin, doubtful: sentence.doubtful)
    }
}
