import Foundation
public import PulseCore
import PulseText

/// Groups articles about the same event by cosine similarity of their tf-idf vectors (SMART's "ltn" with both sides
/// normalised, as in most news clustering since Salton).
///
/// An article joins the first story whose first article is similar enough and whose others are not about something
/// else. Otherwise a summary of the day, which is similar to every story, would merge them all. Only stories with a
/// common word are compared, and of them as many as an article may cost, so the cost does not grow with the square of
/// the articles.
struct StoryMerger {
    /// Articles with at least this cosine are one story. On held-out days of news, 141 of 144 second reports were
    /// found, and 2 of 14,400 pairs were false (docs/digest.md).
    static let sameStory = 0.42
    /// The least cosine with half of the articles that joined the story before.
    private static let sameMatter = 0.12
    /// The weight of a title's words, and how many words of the text are compared.
    private static let titleCount = 2
    static let comparedWords = 80
    /// A shorter title is the name of a column or a person, and no evidence.
    private static let fewestTitleWords = 3
    /// In seconds: three days between the publications of two reports of one event.
    private static let longestGap: TimeInterval = 259_200
    /// In scalars: the beginning of a text, where news has who, what, when and where.
    private static let front = 1200
    /// What an article may cost: how many common words with others are looked at, and how many similar articles. 6,000
    /// articles of news made the same stories without these limits; they bind where one text is there a thousand times.
    static let mostShared = 16_384
    private static let mostSimilar = 128

    private let articles: [Article]
    private let words: [ArticleTerms]
    /// By term id.
    private let weights: [Double]
    private let mostShared: Int

    /// - Parameters:
    ///   - articles: Newest reading first; the order decides which article begins a story.
    ///   - words: The terms of each article, from `Weights.reading`.
    ///   - mostShared: Less in tests.
    init(
        _ articles: [Article], words: [ArticleTerms], weights: Weights, mostShared: Int = StoryMerger.mostShared
    ) {
        self.mostShared = mostShared
        self.articles = articles
        self.words = words
        self.weights = weights.all
    }

    /// The indices of the articles, grouped by story, in the order of the stories' first articles.
    func groups() -> [[Int]] {
        var groups: [[Int]] = []
        /// The first article of each story.
        var firsts = Vectors(words: weights.count, mostShared: mostShared)
        /// The vectors of the articles that joined each story.
        var others: [Int: [[Int: Double]]] = [:]
        var counts = Array(repeating: 0, count: weights.count)
        var facts = Facts(articles)
        for index in articles.indices {
            let vector = vector(of: index, &counts)
            func belongs(with others: [[Int: Double]]) -> Bool {
                let near = others.count { shares in
                    vector.reduce(0) { $0 + $1.share * (shares[$1.term] ?? 0) } >= StoryMerger.sameMatter
                }
                return near * 2 >= others.count
            }
            let near = firsts.near(vector) { StoryMerger.areNear(articles[index], articles[groups[$0][0]]) }
            let story = near.first { story in
                let first = groups[story][0]
                return facts.haveSameNumbers(index, first) && facts.agree(index, first)
                    && belongs(with: others[story, default: []])
            }
            if let story {
                groups[story].append(index)
                if others[story, default: []].count < StoryMerger.ends {
                    others[story, default: []].append(
                        vector.reduce(into: [:]) { $0[$1.term] = $1.share })
                }
            } else {
                firsts.add(vector)
                groups.append([index])
            }
        }
        return groups
    }

    /// Like `groups`, with linked groups joined: stories that continued for days.
    func threads() -> [[Int]] {
        let groups = groups()
        /// Union-find: each group's parent, which is never greater.
        var joined = Array(groups.indices)
        func least(_ group: Int) -> Int {
            var group = group
            while joined[group] != group {
                // Ways are halved, so that long ones are walked once.
                joined[group] = joined[joined[group]]
                group = joined[group]
            }
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

    /// Pairs of groups, the lesser first, with an article each that would be one story. Unlike in `groups`, numbers in
    /// titles may differ, because they grow from day to day.
    func links(between groups: [[Int]]) -> [(Int, Int)] {
        var links: [(Int, Int)] = []
        var vectors = Vectors(words: weights.count, mostShared: mostShared)
        /// The article and group of each vector.
        var members: [(article: Int, group: Int)] = []
        var counts = Array(repeating: 0, count: weights.count)
        var facts = Facts(articles)
        for (number, group) in groups.enumerated() {
            let compared =
                group.count > 2 * StoryMerger.ends
                ? Array(group.prefix(StoryMerger.ends) + group.suffix(StoryMerger.ends)) : group
            let own = compared.map { vector(of: $0, &counts) }
            var linked: Set<Int> = []
            for (article, vector) in zip(compared, own) {
                let near = vectors.near(vector) { near in
                    !linked.contains(members[near].group)
                        && StoryMerger.areNear(articles[article], articles[members[near].article])
                }
                for near in near where !linked.contains(members[near].group) {
                    if facts.agree(article, members[near].article) { linked.insert(members[near].group) }
                }
            }
            links += linked.sorted().map { ($0, number) }
            for (article, vector) in zip(compared, own) {
                vectors.add(vector)
                members.append((article, number))
            }
        }
        return links
    }

    /// How many of a group's first and last articles are compared with others.
    private static let ends = 6

    /// An inverted index of articles, to find similar ones.
    private struct Vectors {
        /// For each term, the vectors that have it and its component in them.
        private var index: [[(vector: Int, share: Double)]]
        /// By vector; 0 where it shares no term with the current one.
        private var cosines: [Double] = []

        private let mostShared: Int

        init(words: Int, mostShared: Int) {
            index = Array(repeating: [], count: words)
            self.mostShared = mostShared
        }

        mutating func add(_ vector: [(term: Int, share: Double)]) {
            for (term, share) in vector { index[term].append((cosines.count, share)) }
            cosines.append(0)
        }

        /// The vectors similar enough to one, in the order in which they were added.
        ///
        /// - Parameter isPossible: Whether a similar vector may be of the same story.
        mutating func near(_ vector: [(term: Int, share: Double)], where isPossible: (Int) -> Bool) -> [Int] {
            var found: [Int] = []
            func add(_ share: Double, _ entries: some Sequence<(vector: Int, share: Double)>) {
                for entry in entries {
                    if cosines[entry.vector] == 0 { found.append(entry.vector) }
                    cosines[entry.vector] += share * entry.share
                }
            }
            if vector.reduce(0, { $0 + index[$1.term].count }) <= mostShared {
                for (term, share) in vector { add(share, index[term]) }
            } else {
                // Rare words have all that they need; of frequent ones, the last articles are compared.
                var left = mostShared
                let rarest = vector.sorted { index[$0.term].count < index[$1.term].count }
                for (place, part) in rarest.enumerated() {
                    let entries = index[part.term].suffix(left / (rarest.count - place))
                    left -= entries.count
                    add(part.share, entries)
                }
            }
            defer { for vector in found { cosines[vector] = 0 } }
            let near = found.filter { cosines[$0] >= StoryMerger.sameStory && isPossible($0) }
            guard near.count > StoryMerger.mostSimilar else { return near.sorted() }
            return near.sorted { cosines[$0] > cosines[$1] }.prefix(StoryMerger.mostSimilar).sorted()
        }
    }

    /// The cosine of each article with one, from 0 to 1.
    func cosines(with index: Int) -> [Double] {
        var counts = Array(repeating: 0, count: weights.count)
        var shares: [Int: Double] = [:]
        for (term, share) in vector(of: index, &counts) { shares[term] = share }
        return articles.indices.map { other in
            vector(of: other, &counts).reduce(0) { $0 + $1.share * (shares[$1.term] ?? 0) }
        }
    }

    /// An article's tf-idf vector, (1 + ln tf) · idf, of length 1.
    ///
    /// - Parameter counts: Scratch space by term id; all 0 before and after.
    private func vector(of index: Int, _ counts: inout [Int]) -> [(term: Int, share: Double)] {
        let (title, body) = (words[index].title, words[index].body.prefix(words[index].compared))
        var terms: [Int] = []
        if articles[index].title.split(separator: " ").count >= StoryMerger.fewestTitleWords {
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

    /// The names and numbers of the articles, each read once, when they are first compared.
    private struct Facts {
        private let articles: [Article]
        private var titles: [Int: Set<String>] = [:]
        private var facts: [Int: Set<String>] = [:]

        init(_ articles: [Article]) { self.articles = articles }

        /// Titles with a number each that the other lacks are about two events: two earthquakes, two matches.
        mutating func haveSameNumbers(_ left: Int, _ right: Int) -> Bool {
            let (first, second) = (numbers(left), numbers(right))
            return first.isSubset(of: second) || second.isSubset(of: first)
        }

        private mutating func numbers(_ index: Int) -> Set<String> {
            if let known = titles[index] { return known }
            let parts = articles[index].title.split { !$0.isNumeric && $0 != "." && $0 != "," }
            let numbers = Set(parts.filter { $0.contains(where: \.isNumeric) }.map(String.init))
            titles[index] = numbers
            return numbers
        }

        /// Whether two reports share a name or number. Reports of one event do; those of two fires in two harbours
        /// share only common words.
        mutating func agree(_ left: Int, _ right: Int) -> Bool {
            let (first, second) = (of(left), of(right))
            return first.isEmpty || second.isEmpty || !first.isDisjoint(with: second)
        }

        private mutating func of(_ index: Int) -> Set<String> {
            if let known = facts[index] { return known }
            let article = articles[index]
            let own = Sentences.split(String(article.body.unicodeScalars.prefix(StoryMerger.front)))
                .reduce(into: Words.facts(in: article.title)) { $0.formUnion(Words.facts(in: $1)) }
            facts[index] = own
            return own
        }
    }

    private static func areNear(_ left: Article, _ right: Article) -> Bool {
        guard let left = left.publishedAt, let right = right.publishedAt else { return true }
        return abs(left.timeIntervalSince(right)) <= longestGap
    }
}

/// An article of the history that is related to another one.
public struct RelatedArticle: Sendable, Hashable {
    public let reading: Reading
    /// Cosine similarity of their weighted words, from 0 to 1.
    public let likeness: Double
    /// Whether a digest would merge the two into one story.
    public let isSameStory: Bool
    /// The cosine of the meanings, from 0 to 1, if it was found by its meaning alone; else nil.
    public let nearness: Double?

    /// Two articles on one subject, such as two days of a trial, are at least this similar; two of one category usually
    /// less.
    static let leastLikeness = 0.1

    /// The readings related to an article, without the article itself: most similar first, then newest; then those that
    /// are near by their meaning only, the nearest first.
    ///
    /// - Parameter near: What was found by its meaning: cosines by article id.
    public static func readings(
        to article: Article, among readings: [Reading], near: [String: Double] = [:]
    ) -> [RelatedArticle] {
        let others = readings.filter { $0.article.id != article.id }.sorted { $0.readAt > $1.readAt }
        // The article is first, so that its story is the first group.
        let articles = [article] + others.map(\.article)
        let (weights, words) = Weights.reading(articles)
        let merger = StoryMerger(articles, words: words, weights: weights)
        let story = Set(merger.groups().first ?? [])
        let cosines = merger.cosines(with: 0)
        return others.indices.compactMap { index -> RelatedArticle? in
            let (likeness, isSameStory) = (min(1, cosines[index + 1]), story.contains(index + 1))
            let nearness = near[others[index].article.id]
            let isAlike = isSameStory || likeness >= leastLikeness
            guard isAlike || nearness != nil else { return nil }
            return RelatedArticle(
                reading: others[index], likeness: likeness, isSameStory: isSameStory,
                nearness: isAlike ? nil : nearness)
        }
        // Swift's sort is stable.
        .sorted { ($0.nearness ?? 2, $0.likeness) > ($1.nearness ?? 2, $1.likeness) }
    }
}
