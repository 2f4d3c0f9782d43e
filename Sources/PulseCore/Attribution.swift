import PulseText

/// Finds which articles stand behind a sentence, by the words they share.
public struct Attribution: Sendable {
    /// The least share of a sentence's content words that an article must hold to support it. Sentences true to
    /// their source were measured at 0.64 and more, wrong ones at 0.07; the same bound is used elsewhere
    /// (Agentic-FinSearch, pull request 302).
    public static let leastOverlap = 0.34

    private let articles: [(id: String, words: Set<String>)]

    public init(_ articles: [Article]) {
        self.articles = articles.map { article in
            let text = [article.title, article.summary, article.content, article.source].joined(separator: " ")
            return (article.id, Set(Words.all(in: text)))
        }
    }

    /// The sentences of a text, each with its sources.
    public func sentences(of text: String) -> [Sentence] {
        text.split(separator: "\n\n").flatMap { Sentences.split(String($0)) }.map(attribute)
    }

    func attribute(_ sentence: String) -> Sentence {
        let words = Set(Words.all(in: sentence))
        let content = words.filter(Words.isContent)
        // Where nothing is said, nothing is to be supported.
        guard !content.isEmpty else { return Sentence(text: sentence, sources: [], isGrounded: true) }
        let overlaps = articles.enumerated().map { index, article in
            (index: index, share: Double(content.intersection(article.words).count) / Double(content.count))
        }
        let best = overlaps.map(\.share).max() ?? 0
        guard best >= Attribution.leastOverlap else { return Sentence(text: sentence, sources: [], isGrounded: false) }
        // An article that holds nearly as much as the best is a second source, one that merely shares a topic is not.
        let supporting = overlaps.filter { $0.share >= max(Attribution.leastOverlap, best * 0.9) }
            .sorted { ($1.share, $0.index) < ($0.share, $1.index) }
        let held = supporting.reduce(into: Set<String>()) { $0.formUnion(articles[$1.index].words) }
        let facts = Words.facts(in: sentence)
        return Sentence(
            text: sentence, sources: supporting.map { articles[$0.index].id }, isGrounded: facts.isSubset(of: held))
    }
}
