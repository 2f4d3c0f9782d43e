import Foundation
import PulseCore
import PulseText

/// Groups articles about the same event by the cosine of their words' weights (tf-idf, SMART's "ltn" with both sides
/// normalised, as in most news clustering since Salton).
///
/// An article joins the first story whose first article is near enough. Only stories that share a word are compared, so
/// that the cost grows with the number of articles and not with its square.
struct StoryMerger {
    /// Two articles with at least this cosine are one story. Measured on held-out days of news: 34 of 36 second reports
    /// and 1 false of 3,515 pairs (docs/digest.md).
    static let sameStory = 0.42
    /// How often a title's words count, and how many words of the text are compared.
    private static let titleCount = 2
    static let comparedWords = 80
    /// A shorter title is the name of a column or a person, and no evidence.
    private static let fewestTitleWords = 3
    /// Seconds between the publications of two articles about one event: three days.
    private static let longestGap: TimeInterval = 259_200
    /// Scalars of a text's front, where news says who, what, when and where.
    private static let front = 1200

    private let articles: [Article]
    private let words: [ArticleTerms]
    /// By the word's number.
    private let weights: [Double]

    /// - Parameters:
    ///   - articles: Newest reading first; the order decides which article a story begins with.
    ///   - words: For each article, from `Weights.reading`.
    init(_ articles: [Article], words: [ArticleTerms], weights: Weights) {
        self.articles = articles
        self.words = words
        self.weights = weights.all
    }

    /// Indices of the articles, grouped by story, in the order of the stories' first articles.
    func groups() -> [[Int]] {
        var groups: [[Int]] = []
        /// For each word, the stories whose first article has it, and its share of that article's vector.
        var index: [[(story: Int, share: Double)]] = Array(repeating: [], count: weights.count)
        /// By story; 0 for those that share no word with the article at hand.
        var cosines: [Double] = []
        var counts = Array(repeating: 0, count: weights.count)
        var facts: [Int: Set<String>] = [:]
        func agree(_ first: Int, _ second: Int) -> Bool {
            for place in [first, second] where facts[place] == nil {
                facts[place] = StoryMerger.facts(of: articles[place])
            }
            return StoryMerger.agree(facts[first] ?? [], facts[second] ?? [])
        }
        for (place, article) in articles.enumerated() {
            let vector = vector(of: place, &counts)
            var near: [Int] = []
            for (term, share) in vector {
                for entry in index[term] {
                    if cosines[entry.story] == 0 { near.append(entry.story) }
                    cosines[entry.story] += share * entry.share
                }
            }
            let same = near.filter { cosines[$0] >= StoryMerger.sameStory }.sorted()
            for story in near { cosines[story] = 0 }
            let story = same.first { story in
                let first = articles[groups[story][0]]
                return StoryMerger.areNear(article, first) && StoryMerger.haveSameNumbers(article, first)
                    && agree(place, groups[story][0])
            }
            if let story {
                groups[story].append(place)
                continue
            }
            for (term, share) in vector { index[term].append((groups.count, share)) }
            groups.append([place])
            cosines.append(0)
        }
        return groups
    }

    /// How near each article is to the one at a place: the cosine, from 0 to 1.
    func cosines(with place: Int) -> [Double] {
        var counts = Array(repeating: 0, count: weights.count)
        var shares: [Int: Double] = [:]
        for (term, share) in vector(of: place, &counts) { shares[term] = share }
        return articles.indices.map { other in
            vector(of: other, &counts).reduce(0) { $0 + $1.share * (shares[$1.term] ?? 0) }
        }
    }

    /// An article's words with their weights, (1 + ln tf) · idf, of length 1.
    ///
    /// - Parameter counts: All 0, by the word's number.
    private func vector(of place: Int, _ counts: inout [Int]) -> [(term: Int, share: Double)] {
        let (title, body) = (words[place].title, words[place].body.prefix(words[place].compared))
        var terms: [Int] = []
        if articles[place].title.split(separator: " ").count >= StoryMerger.fewestTitleWords {
            for term in title where counts[term] == 0 {
                counts[term] = StoryMerger.titleCount
                terms.append(term)
            }
        }
        for term in body {
            if counts[term] == 0 { terms.append(term) }
            counts[term] += 1
        }
        let vector = terms.map { term in
            defer { counts[term] = 0 }
            return (term: term, share: (1 + log(Double(counts[term]))) * weights[term])
        }
        let length = vector.reduce(0) { $0 + $1.share * $1.share }.squareRoot()
        return length > 0 ? vector.map { ($0.term, $0.share / length) } : []
    }

    /// Titles that each have a number which the other lacks are about two events: two earthquakes, two matches.
    private static func haveSameNumbers(_ left: Article, _ right: Article) -> Bool {
        let (first, second) = (numbers(in: left.title), numbers(in: right.title))
        return first.isSubset(of: second) || second.isSubset(of: first)
    }

    private static func numbers(in title: String) -> Set<String> {
        let parts = title.split { !$0.isNumeric && $0 != "." && $0 != "," }
        return Set(parts.filter { $0.contains(where: \.isNumeric) }.map(String.init))
    }

    /// Whether two reports have a name or a number in common. Reports of one event do; those of two fires in two
    /// harbours have only words in common.
    private static func agree(_ first: Set<String>, _ second: Set<String>) -> Bool {
        first.isEmpty || second.isEmpty || !first.isDisjoint(with: second)
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
