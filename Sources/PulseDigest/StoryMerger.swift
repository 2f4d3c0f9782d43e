import PulseCore

/// Groups articles about one event, by average linkage: the two nearest groups are joined as long as their articles
/// tell one event on average (`Nearness`). So a summary of the day, which resembles an article of every story, joins
/// none, and it does not matter which article comes first.
struct StoryMerger {
    /// How many of the articles are grouped; the others are of earlier stories.
    let grouped: Int
    private var nearness: Nearness
    /// The articles that tell of several stories, and continue none, as `groups` found them.
    private var roundUps: Set<Int> = []
    /// For each article, those before it that may tell the same event, the most similar first.
    private let neighbours: [[(article: Int, cosine: Double)]]

    /// How many articles of a group are compared with those of another.
    private static let compared = 4
    /// The fewest stories that a round-up tells, and the most related articles that are looked at to find them.
    private static let (fewestTold, mostTold) = (3, 24)
    /// Two groups are joined if their articles' average value is at least this share of the lesser one within a group:
    /// else they are two events of one person, firm or place. Measured (docs/digest.md): hardly any event is then
    /// told twice, and of two such events 8 instead of 28 pairs are joined.
    private static let leastShare = 0.4
    /// The least average value of a course.
    private static let leastAverage = -1.0
    /// Articles with a lower cosine of words are not worth comparing by meaning.
    private static let leastCosine = 0.03

    /// - Parameters:
    ///   - grouped: How many of the articles, the first ones, are grouped; nil: all.
    ///   - words: The terms of each article, from `Weights.reading`.
    ///   - mostShared: Less in tests.
    init(
        _ articles: [Article], grouping grouped: Int? = nil, words: [ArticleTerms], weights: Weights,
        meanings: Meanings = .none, mostShared: Int = WordVectors.mostShared
    ) {
        self.grouped = grouped ?? articles.count
        let vectors = WordVectors(articles, words: words, weights: weights, mostShared: mostShared)
        nearness = Nearness(articles, words: vectors, meanings: meanings)
        neighbours = vectors.neighbours()
    }

    /// The same with the articles' vectors.
    func knowing(_ meanings: Meanings) -> StoryMerger {
        var merger = self
        merger.nearness = nearness.knowing(meanings)
        return merger
    }

    /// The articles whose vectors are needed: those that share words with another, the most similar first.
    func doubtful() -> [Int] {
        var best: [Int: Double] = [:]
        for (article, near) in neighbours.enumerated() {
            for other in near where other.cosine >= Self.leastCosine {
                for place in [article, other.article] { best[place] = max(best[place] ?? 0, other.cosine) }
            }
        }
        return best.keys.sorted { (best[$0] ?? 0, $1) > (best[$1] ?? 0, $0) }
    }

    /// The indices of the articles, grouped by story, in the order of the stories' first articles.
    mutating func groups() -> [[Int]] {
        var members = (0..<grouped).map { [$0] }
        /// Which groups a group may be joined with.
        var near: [Set<Int>] = Array(repeating: [], count: grouped)
        /// How often the compared articles of a group changed: a link with an older count is stale.
        var changes = Array(repeating: 0, count: grouped)
        /// The least value of a group's links: 0 for an article alone.
        var leastValues = Array(repeating: 0.0, count: grouped)
        var links = LinkHeap()
        for (article, others) in neighbours.prefix(grouped).enumerated() {
            for other in others where nearness.mayBeOneEvent(article, other.article) {
                let value = nearness.sameEvent(article, other.article)
                guard value > 0 else { continue }
                near[article].insert(other.article)
                near[other.article].insert(article)
                links.add(LinkHeap.Link(value: value, groups: (other.article, article), changes: (0, 0)))
            }
        }
        while let link = links.removeGreatest() {
            var (into, other) = link.groups
            guard !members[into].isEmpty, !members[other].isEmpty, (changes[into], changes[other]) == link.changes
            else { continue }
            // Merges the one with fewer neighbours, so that each is visited few times.
            if near[into].count < near[other].count { swap(&into, &other) }
            let isSame = members[into].count >= Self.compared
            members[into] += members[other]
            members[other] = []
            if !isSame {
                changes[into] += 1
                leastValues[into] = max(0, Self.leastShare * inner(members[into]))
            }
            for group in near[other] {
                near[group].remove(other)
                if group != into { near[group].insert(into) }
            }
            let new = near[other].subtracting(near[into]).subtracting([into])
            near[into].formUnion(new)
            near[into].remove(other)
            near[other] = []
            for group in isSame ? new : near[into] {
                let value = self.link(members[into], members[group])
                guard value > min(leastValues[into], leastValues[group]) else { continue }
                links.add(
                    LinkHeap.Link(value: value, groups: (into, group), changes: (changes[into], changes[group])))
            }
        }
        return apart(members.filter { !$0.isEmpty }).map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// The groups, with each round-up alone: an article that tells of three stories, no two of them related.
    private mutating func apart(_ groups: [[Int]]) -> [[Int]] {
        var owner = Array(repeating: 0, count: grouped)
        for (number, group) in groups.enumerated() { for article in group { owner[article] = number } }
        /// For each article the others that share words with it; and for those to be grouped, the ones related to it.
        var (near, related): ([[Int]], [[Int]]) = (neighbours.map { _ in [] }, neighbours.map { _ in [] })
        for (article, others) in neighbours.enumerated() {
            for other in others.map(\.article) {
                near[article].append(other)
                near[other].append(article)
                guard article < grouped, nearness.areRelated(article, other) else { continue }
                related[article].append(other)
                related[other].append(article)
            }
        }
        roundUps = Set(neighbours.indices.filter { tellsSeveral($0, near[$0]) })
        for article in 0..<grouped where related[article].count >= Self.fewestTold {
            /// One article of each story that it tells.
            var told: [Int] = []
            var seen: Set<Int> = [owner[article]]
            if let companion = groups[owner[article]].first(where: { $0 != article }) { told.append(companion) }
            for other in related[article].prefix(Self.mostTold) where seen.insert(owner[other]).inserted {
                if told.allSatisfy({ !nearness.areRelated($0, other, ofAnySource: true) }) { told.append(other) }
            }
            if told.count >= Self.fewestTold { roundUps.insert(article) }
        }
        return groups.flatMap { group -> [[Int]] in
            let rest = group.filter { !roundUps.contains($0) }
            return (rest.isEmpty ? [] : [rest]) + group.filter(roundUps.contains).map { [$0] }
        }
    }

    /// Whether three paragraphs each tell of another article's event, even of an earlier digest.
    private mutating func tellsSeveral(_ article: Int, _ near: [Int]) -> Bool {
        guard near.count >= Self.fewestTold else { return false }
        let paragraphs = nearness.paragraphNames(of: article, fewest: Self.fewestTold)
        guard !paragraphs.isEmpty else { return false }
        var told: [Int: Int] = [:]
        for other in near where told.count < Self.fewestTold {
            guard let place = nearness.paragraph(of: paragraphs, telling: other), told[place] == nil,
                told.values.allSatisfy({ !nearness.areRelated($0, other, ofAnySource: true) })
            else { continue }
            told[place] = other
        }
        return told.count >= Self.fewestTold
    }

    /// The average of `sameEvent` within a group of several.
    private mutating func inner(_ group: [Int]) -> Double {
        let some = group.prefix(Self.compared)
        var sum = 0.0
        for (place, one) in some.enumerated() { for other in some[..<place] { sum += nearness.sameEvent(one, other) } }
        return 2 * sum / Double(some.count * (some.count - 1))
    }

    /// The average of `sameEvent` for two groups.
    private mutating func link(_ left: [Int], _ right: [Int]) -> Double {
        var (sum, count) = (0.0, 0.0)
        for one in left.prefix(Self.compared) {
            for other in right.prefix(Self.compared) {
                sum += nearness.sameEvent(one, other)
                count += 1
            }
        }
        return sum / count
    }

    /// The cosine of two articles' words, from 0 to 1.
    func wordCosine(_ left: Int, _ right: Int) -> Double { nearness.words.cosine(left, right) }

    /// Like `groups`, with linked groups joined: stories that continued for days.
    mutating func threads() -> [[Int]] {
        let groups = groups()
        /// Union-find: each group's parent, which is never greater.
        var joined = Array(groups.indices)
        func least(_ group: Int) -> Int {
            var group = group
            while joined[group] != group {
                // Path halving, so that long paths are walked once.
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

    /// Pairs of groups, the lesser first, of which one may tell how the other's event went on.
    mutating func links(between groups: [[Int]]) -> [(Int, Int)] {
        /// The group of each article; a round-up has none.
        var owner: [Int: Int] = [:]
        for (number, group) in groups.enumerated() {
            for article in group where !roundUps.contains(article) { owner[article] = number }
        }
        var found: [Int: Set<Int>] = [:]
        for (article, number) in owner {
            for other in neighbours[article] where other.cosine >= Self.leastCosine {
                guard let second = owner[other.article], second != number else { continue }
                found[min(number, second), default: []].insert(max(number, second))
            }
        }
        return found.sorted { $0.key < $1.key }.flatMap { first, others in
            others.sorted().filter { isCourse(groups[first], groups[$0]) }.map { (first, $0) }
        }
    }

    /// Whether the mean of the average and the greatest value is above 0: a course has aspects that its beginning
    /// lacked. One similar report is too little if most differ: a second recall, a second fire in the same city.
    private mutating func isCourse(_ left: [Int], _ right: [Int]) -> Bool {
        var (sum, count, most) = (0.0, 0.0, Nearness.never)
        for one in Self.ends(of: left) {
            for other in Self.ends(of: right) {
                let value = nearness.course(one, other)
                (sum, count, most) = (sum + value, count + 1, max(most, value))
            }
        }
        let average = sum / count
        return average + most > 0 && average > Self.leastAverage
    }

    /// A group's articles; of a large group, only the first and last ones.
    private static func ends(of group: [Int]) -> [Int] {
        group.count > 2 * compared ? Array(group.prefix(compared) + group.suffix(compared)) : group
    }
}

/// A binary heap of links between groups, the greatest first.
private struct LinkHeap {
    struct Link {
        let value: Double
        let groups: (Int, Int)
        /// The groups' changes when it was made.
        let changes: (Int, Int)

        /// Of equal ones, the first in the articles' order is greater, so that the result is always the same.
        func isGreater(than other: Link) -> Bool {
            value == other.value
                ? (min(groups.0, groups.1), max(groups.0, groups.1))
                    < (min(other.groups.0, other.groups.1), max(other.groups.0, other.groups.1))
                : value > other.value
        }
    }

    private var links: [Link] = []

    mutating func add(_ link: Link) {
        links.append(link)
        var place = links.count - 1
        while place > 0, links[place].isGreater(than: links[(place - 1) / 2]) {
            links.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeGreatest() -> Link? {
        guard let greatest = links.first else { return nil }
        links.swapAt(0, links.count - 1)
        links.removeLast()
        var place = 0
        while true {
            var next = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < links.count && links[child].isGreater(than: links[next]) { next = child }
            if next == place { return greatest }
            links.swapAt(place, next)
            place = next
        }
    }
}
