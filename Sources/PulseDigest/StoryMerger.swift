import Foundation
import PulseCore
import PulseText

/// Finds articles that tell the same event, so that it is told once: by the cosine of their words' weights, as news
/// clustering has done since Salton (tf-idf, SMART's "ltn" with both sides normalised).
///
/// An article joins the first story whose first article is near enough. Only stories that share a word are compared, so
/// that the cost grows with the number of articles and not with its square.
struct StoryMerger {
    /// The cosine from which on two articles tell one story. Measured on held-out days of news: 34 of 36 second reports
    /// and 1 false of 3,515 pairs (docs/digest.md).
    static let sameStory = 0.42
    /// A title counts this often beside this many words of the text.
    private static let titleCount = 2
    private static let comparedWords = 80
    /// A title of fewer words is a column's or a person's name, and no evidence.
    private static let fewestTitleWords = 3
    /// Seconds between the publications of two articles about one event: three days.
    private static let longestGap: TimeInterval = 259_200
    /// How much of a text is its front, where news says who, what, when and where.
    private static let front = 1200

    private let articles: [Article]
    private let weights: Weights

    /// - Parameter articles: Newest reading first; the order decides which article a story begins with.
    init(_ articles: [Article], weights: Weights) {
        self.articles = articles
        self.weights = weights
    }

    /// The places of the articles, by story, in the order of the stories' first articles.
    func groups() -> [[Int]] {
        var groups: [[Int]] = []
        var numbers: [Set<String>] = []
        /// For each word, the stories whose first article has it, and its share of that article's vector.
        var index: [String: [(story: Int, share: Double)]] = [:]
        for (place, article) in articles.enumerated() {
            let vector = vector(of: article)
            var cosines: [Int: Double] = [:]
            for (term, share) in vector {
                for entry in index[term, default: []] { cosines[entry.story, default: 0] += share * entry.share }
            }
            let titleNumbers = StoryMerger.numbers(in: article.title)
            let story = cosines.filter { $0.value >= StoryMerger.sameStory }.keys.sorted().first { story in
                let first = articles[groups[story][0]]
                return StoryMerger.areNear(article, first)
                    && (titleNumbers.isSubset(of: numbers[story]) || numbers[story].isSubset(of: titleNumbers))
                    && StoryMerger.agree(article, first)
            }
            if let story {
                groups[story].append(place)
                continue
            }
            for (term, share) in vector { index[term, default: []].append((groups.count, share)) }
            groups.append([place])
            numbers.append(titleNumbers)
        }
        return groups
    }

    /// An article's words with their weights, (1 + ln tf) · idf, of length 1.
    private func vector(of article: Article) -> [String: Double] {
        var counts: [String: Int] = [:]
        if article.title.split(separator: " ").count >= StoryMerger.fewestTitleWords {
            for term in Terms.set(of: article.title) { counts[term] = StoryMerger.titleCount }
        }
        for term in Terms.list(of: article.body, words: StoryMerger.comparedWords) { counts[term, default: 0] += 1 }
        let vector = counts.reduce(into: [String: Double]()) { vector, entry in
            vector[entry.key] = (1 + log(Double(entry.value))) * weights.of(entry.key)
        }
        let length = vector.values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 0 ? vector.mapValues { $0 / length } : [:]
    }

    /// Where each title has a number that the other lacks, they speak of two events: two earthquakes, two matches.
    private static func numbers(in title: String) -> Set<String> {
        Set(title.split { !$0.isNumber && $0 != "." && $0 != "," }.filter { $0.contains(where: \.isNumber) }.map(String.init))
    }

    /// Whether two reports have a name or a number in common: one event has, and two fires in two harbours have only words.
    private static func agree(_ left: Article, _ right: Article) -> Bool {
        let (first, second) = (facts(of: left), facts(of: right))
        return first.isEmpty || second.isEmpty || !first.isDisjoint(with: second)
    }

    private static func facts(of article: Article) -> Set<String> {
        Sentences.split(String(article.body.unicodeScalars.prefix(front)))
            .reduce(into: Words.facts(in: article.title)) { $0.formUnion(Words.facts(in: $1)) }
    }

    private static func areNear(_ left: Article, _ right: Article) -> Bool {
        guard let left = left.publishedAt, let right = right.publishedAt else { return true }
        return abs(left.timeIntervalSince(right)) <= longestGap
    }
}
