import Foundation
import PulseCore
import PulseText

/// Groups articles about the same event by the cosine of their words' weights (tf-idf, SMART's "ltn" with both sides
/// normalised, as in most news clustering since Salton).
///
/// An article joins the first story whose first article is near enough and whose others are not about something else:
/// an article that repeats the news of the day is near to each of them, and must not make one story of all. Only stories
/// that share a word are compared, so that the cost grows with the number of articles and not with its square.
struct StoryMerger {
    /// Two articles with at least this cosine are one story. Measured on held-out days of news: 34 of 36 second reports
    /// and 1 false of 3,515 pairs (docs/digest.md).
    static let sameStory = 0.42
    /// What an article has at least in common with half of those that joined its story before it.
    private static let sameMatter = 0.12
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
        /// The first article of each story.
        var firsts = Vectors(words: weights.count)
        /// By story: the words of the articles that joined it.
        var others: [Int: [[Int: Double]]] = [:]
        var counts = Array(repeating: 0, count: weights.count)
        var facts: [Int: Set<String>] = [:]
        for (place, article) in articles.enumerated() {
            let vector = vector(of: place, &counts)
            func belongs(with others: [[Int: Double]]) -> Bool {
                let near = others.count { shares in
                    vector.reduce(0) { $0 + $1.share * (shares[$1.term] ?? 0) } >= StoryMerger.sameMatter
                }
                return near * 2 >= others.count
            }
            let story = firsts.near(vector).first { story in
                let first = groups[story][0]
                return StoryMerger.haveSameNumbers(article, articles[first]) && areOne(place, first, &facts)
                    && belongs(with: others[story, default: []])
            }
            if let story {
                groups[story].append(place)
                if others[story, default: []].count < StoryMerger.ends {
                    others[story, default: []].append(
                        vector.reduce(into: [:]) { $0[$1.term] = $1.share })
                }
            } else {
                firsts.add(vector)
                groups.append([place])
            }
        }
        return groups
    }

    /// The same, with groups joined that `links` finds: stories that went on for days.
    func threads() -> [[Int]] {
        let groups = groups()
        /// By group: the least one that it is joined with, or one on the way there.
        var joined = Array(groups.indices)
        func least(_ group: Int) -> Int {
            var group = group
            while joined[group] != group { group = joined[group] }
            return group
        }
        for (first, second) in links(between: groups) {
            let (left, right) = (least(first), least(second))
            joined[max(left, right)] = min(left, right)
        }
        var threads: [Int: [Int]] = [:]
        for group in groups.indices { threads[least(group), default: []] += groups[group] }
        return threads.sorted { $0.key < $1.key }.map { $0.value.sorted() }
    }

    /// Pairs of groups, the lesser first, of which an article of the one and an article of the other would be one
    /// story. Numbers in titles may differ here: from day to day they grow.
    func links(between groups: [[Int]]) -> [(Int, Int)] {
        var links: [(Int, Int)] = []
        var vectors = Vectors(words: weights.count)
        /// By vector: its article, and the group of that.
        var members: [(place: Int, group: Int)] = []
        var counts = Array(repeating: 0, count: weights.count)
        var facts: [Int: Set<String>] = [:]
        for (number, group) in groups.enumerated() {
            let compared =
                group.count > 2 * StoryMerger.ends
                ? Array(group.prefix(StoryMerger.ends) + group.suffix(StoryMerger.ends)) : group
            let own = compared.map { vector(of: $0, &counts) }
            var linked: Set<Int> = []
            for (place, vector) in zip(compared, own) {
                for near in vectors.near(vector) where !linked.contains(members[near].group) {
                    if areOne(place, members[near].place, &facts) { linked.insert(members[near].group) }
                }
            }
            links += linked.sorted().map { ($0, number) }
            for (place, vector) in zip(compared, own) {
                vectors.add(vector)
                members.append((place, number))
            }
        }
        return links
    }

    /// How many of a group's first articles, and of its last, are compared with others.
    private static let ends = 6

    /// Whether two articles whose words are near enough may be about one event.
    private func areOne(_ first: Int, _ second: Int, _ facts: inout [Int: Set<String>]) -> Bool {
        guard StoryMerger.areNear(articles[first], articles[second]) else { return false }
        for place in [first, second] where facts[place] == nil {
            facts[place] = StoryMerger.facts(of: articles[place])
        }
        return StoryMerger.agree(facts[first] ?? [], facts[second] ?? [])
    }

    /// Articles by their words, to find those near to another.
    private struct Vectors {
        /// For each word, which vectors have it, and its share of them.
        private var index: [[(vector: Int, share: Double)]]
        /// By vector; 0 for those that share no word with the one at hand.
        private var cosines: [Double] = []

        init(words: Int) { index = Array(repeating: [], count: words) }

        mutating func add(_ vector: [(term: Int, share: Double)]) {
            for (term, share) in vector { index[term].append((cosines.count, share)) }
            cosines.append(0)
        }

        /// Those of one story with a vector, in the order in which they were added.
        mutating func near(_ vector: [(term: Int, share: Double)]) -> [Int] {
            var found: [Int] = []
            for (term, share) in vector {
                for entry in index[term] {
                    if cosines[entry.vector] == 0 { found.append(entry.vector) }
                    cosines[entry.vector] += share * entry.share
                }
            }
            defer { for vector in found { cosines[vector] = 0 } }
            return found.filter { cosines[$0] >= StoryMerger.sameStory }.sorted()
        }
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
