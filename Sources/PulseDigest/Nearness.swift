import Foundation
import PulseCore
import PulseText

/// How near reports are: whether two tell of one event, or one continues the other. If both have a vector, their
/// meaning, names and times decide (`StoryMap`); else the words that they share (`WordVectors`).
struct Nearness {
    private let articles: [Article]
    private let map: StoryMap?
    private let vectors: [CompactVector?]
    let words: WordVectors
    /// Caches by article, filled on first use. `facts` holds a report's facts in the form in which they are compared.
    private var reports: [ReportFacts?]
    private var facts: [Facts?]
    private let titles: [TitleNumbers]
    private var nameIDs: [String: Int] = [:]
    /// Names that are no evidence, such as a town's: the articles that have them are about different things.
    private var localNames: Set<String> = []

    private struct Facts {
        let report: ReportFacts
        let names, leadingNames: Names
        /// 0 without a vector.
        let columnness: Double
        /// False without a `StoryMap`.
        let isColumn: Bool
    }

    /// Reports that are further apart are never of one event. In seconds: three days.
    private static let longestGap: TimeInterval = 259_200
    /// By words alone: the least cosine for one event, and the one below which the subjects differ.
    private static let (sameStory, sameMatter) = (0.42, 0.12)
    /// Reports with this cosine and no fact in common only share a template.
    private static let samePattern = 0.2
    /// The penalty for two reports with names but none in common: texts from one template, such as those on two
    /// openings, have similar vectors.
    private static let otherNames = 1.5
    /// The penalty for a course without a shared rare name: otherwise, reports from one town would form a course.
    private static let commonPlace = 0.5
    /// The value of two reports that share some words.
    private static let doubtful = -1.0
    /// The least value of an event and a round-up that tells of it; and the least cosine if they share a single rare
    /// name, which in a local paper may be the place's.
    private static let (related, alike) = (-1.5, 0.2)
    /// A name in `fewestLocal` articles or more is local if their vectors' mean cosine is below `unlike`; and the most
    /// articles compared, in all and of one publication, so that none alone makes a name local.
    private static let (fewestLocal, unlike, mostHolders, mostOfSource) = (4, 0.2, 24, 1)
    /// The value of an article and its copy in an earlier digest.
    private static let itself = 5.0
    /// The value of a pair that cannot be one event, and the least value of any other pair.
    static let (never, least) = (-30.0, -3.0)

    init(_ articles: [Article], words: WordVectors, meanings: Meanings) {
        self.articles = articles
        self.words = words
        map = meanings.map
        vectors = articles.map { meanings.vectors[$0.id] }
        titles = articles.map { TitleNumbers($0.title) }
        reports = Array(repeating: nil, count: articles.count)
        facts = Array(repeating: nil, count: articles.count)
        if map != nil { findLocalNames() }
    }

    private mutating func findLocalNames() {
        var holders: [String: [(vector: CompactVector, source: String)]] = [:]
        for index in articles.indices {
            guard let vector = vectors[index] else { continue }
            let source = articles[index].source
            for name in report(of: index).names {
                let known = holders[name] ?? []
                guard known.count < Self.mostHolders, known.count(where: { $0.source == source }) < Self.mostOfSource
                else { continue }
                holders[name, default: []].append((vector, source))
            }
        }
        for (name, some) in holders where some.count >= Self.fewestLocal {
            var (sum, count) = (Float(0), Float(0))
            for (place, one) in some.enumerated() {
                for other in some[..<place] { (sum, count) = (sum + one.vector.cosine(with: other.vector), count + 1) }
            }
            if Double(sum / count) < Self.unlike { localNames.insert(name) }
        }
    }

    private mutating func report(of index: Int) -> ReportFacts {
        if let known = reports[index] { return known }
        let made = ReportFacts(articles[index])
        reports[index] = made
        return made
    }

    /// The same with the articles' vectors.
    func knowing(_ meanings: Meanings) -> Nearness { Nearness(articles, words: words, meanings: meanings) }

    /// Whether `sameEvent` may be above 0: a fast test that reads no names.
    func mayBeOneEvent(_ left: Int, _ right: Int) -> Bool {
        vectors[left] != nil && vectors[right] != nil || words.cosine(left, right) >= Self.sameStory
    }

    /// Whether two reports tell one event: above 0 it is more likely than not. At least `least`, or `never`.
    mutating func sameEvent(_ left: Int, _ right: Int) -> Double {
        let gap = gap(left, right)
        guard gap ?? 0 <= Self.longestGap else { return Self.never }
        if measureOtherwise(left, right) { return Self.least }
        let cosine = words.cosine(left, right)
        if cosine < Self.sameMatter, vectors[left] == nil || vectors[right] == nil { return Self.least }
        let hasSameNumbers = haveSameNumbers(left, right)
        let doAgree = agree(left, right)
        // Similar words about other names or numbers: two openings, two strikes.
        if !doAgree, cosine >= Self.samePattern || !hasSameNumbers { return Self.least }
        let byWords =
            cosine >= Self.sameStory && hasSameNumbers ? 2 : cosine >= Self.sameMatter ? Self.doubtful : Self.least
        // A column's vector is near the event it is about.
        if facts(of: left).isColumn || facts(of: right).isColumn { return byWords }
        // If neither has a name or number, meaning alone is too little.
        guard let map, hasFacts(left) || hasFacts(right), let likeness = likeness(left, right, gap) else {
            return byWords
        }
        let names = likeness.rareNames + likeness.commonNames
        let contrary = lacksNames(names, left, right, likeness) ? Self.otherNames : 0
        return max(map.sameEventValue(of: likeness) - contrary, byWords)
    }

    /// Whether one of two reports may tell of the other's event: they share rare names, and their meanings do not speak
    /// against one event. False without vectors.
    ///
    /// - Parameter ofAnySource: Whether one publication may have both: it seldom has two reports of one event, but its
    ///   articles may well be of one matter.
    mutating func areRelated(_ left: Int, _ right: Int, ofAnySource: Bool = false) -> Bool {
        guard let map, var likeness = likeness(left, right, gap(left, right)) else { return false }
        if ofAnySource { likeness.isOfOneSource = false }
        let fewest = likeness.cosine < Self.alike ? 2 : 1
        return likeness.rareNames >= fewest && map.sameEventValue(of: likeness) >= Self.related
    }

    /// The rare names in each paragraph of a possible round-up: an article whose title has none of them. Empty for
    /// others, and without vectors.
    ///
    /// - Parameter fewest: The fewest paragraphs and names.
    mutating func paragraphNames(of index: Int, fewest: Int) -> [Set<String>] {
        guard let map, vectors[index] != nil else { return [] }
        let names = report(of: index).names.filter { !map.isCommon($0) && !localNames.contains($0) }
        guard names.count >= fewest else { return [] }
        func named(_ text: String) -> Set<String> {
            let capitalised = Words.written(in: text).filter { $0.first?.isCapital == true }
            return names.intersection(capitalised.map { Words.folded(String($0)) })
        }
        guard named(articles[index].title).isEmpty else { return [] }
        let paragraphs = ReportFacts.front(of: articles[index]).unicodeScalars.split(separator: "\n")
        return paragraphs.count < fewest ? [] : paragraphs.map { named(String($0)) }
    }

    /// The round-up's paragraph on a report's event: the only one that shares names with the report.
    mutating func paragraph(of paragraphs: [Set<String>], telling index: Int) -> Int? {
        let names = report(of: index).names
        let places = paragraphs.indices.filter { !paragraphs[$0].isDisjoint(with: names) }
        return places.count == 1 ? places[0] : nil
    }

    /// Whether one of two reports may tell how the other's event went on: above 0 it is more likely than not.
    mutating func course(_ left: Int, _ right: Int) -> Double {
        // Otherwise a copy would score low: one publication seldom continues an event, and a copy may have no names.
        if articles[left].id == articles[right].id { return Self.itself }
        let gap = gap(left, right)
        if let map, hasFacts(left) || hasFacts(right), let likeness = likeness(left, right, gap) {
            guard gap ?? 0 <= StoryMap.longestCourse * 86_400 else { return Self.never }
            if words.cosine(left, right) >= Self.samePattern, !agree(left, right) { return Self.least }
            let contrary = lacksNames(likeness.rareNames, left, right, likeness) ? Self.commonPlace : 0
            return max(map.courseValue(of: likeness) - contrary, Self.least)
        }
        // Unlike in one event, numbers in titles may differ, because they grow from day to day.
        guard gap ?? 0 <= Self.longestGap, words.cosine(left, right) >= Self.sameStory, agree(left, right) else {
            return Self.least
        }
        return 2
    }

    /// In seconds; nil if a time is not known.
    private func gap(_ left: Int, _ right: Int) -> TimeInterval? {
        guard let left = articles[left].publishedAt, let right = articles[right].publishedAt else { return nil }
        return abs(left.timeIntervalSince(right))
    }

    private mutating func likeness(_ left: Int, _ right: Int, _ gap: TimeInterval?) -> StoryMap.Likeness? {
        guard let one = vectors[left], let other = vectors[right] else { return nil }
        let (first, second) = (facts(of: left), facts(of: right))
        let (language, another) = (articles[left].writtenLanguage, articles[right].writtenLanguage)
        return StoryMap.Likeness(
            cosine: Double(one.cosine(with: other)), gap: (gap ?? 0) / 86_400,
            isAcross: language != nil && another != nil && language != another,
            isForeign: Self.isForeign(language) && Self.isForeign(another),
            rareNames: first.names.rare.shared(with: second.names.rare),
            commonNames: first.names.common.shared(with: second.names.common),
            shares: (first.leadingNames.share(in: second.names), second.leadingNames.share(in: first.names)),
            isOfOneSource: articles[left].source == articles[right].source,
            columnness: first.columnness + second.columnness)
    }

    /// Titles with a number each that the other lacks are about two events: two earthquakes, two matches.
    private func haveSameNumbers(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (titles[left].all, titles[right].all)
        return first.isSubset(of: second) || second.isSubset(of: first)
    }

    /// Whether the titles have measurements, and none in common: two earthquakes. “1.2” may be 1.24.
    private func measureOtherwise(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (titles[left].measurements, titles[right].measurements)
        guard !first.isEmpty, !second.isEmpty else { return false }
        return !first.contains { one in second.contains { one.hasPrefix($0) || $0.hasPrefix(one) } }
    }

    /// Whether reports share a name or number, or one has none. Those of one event do; two harbour fires share only
    /// common words.
    private mutating func agree(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (facts(of: left).report.all, facts(of: right).report.all)
        return first.isEmpty || second.isEmpty || !first.isDisjoint(with: second)
    }

    /// Whether two reports with names share none; false across languages, because these spell names differently.
    ///
    /// - Parameter shared: How many they have in common.
    private mutating func lacksNames(_ shared: Int, _ left: Int, _ right: Int, _ likeness: StoryMap.Likeness) -> Bool {
        shared == 0 && !likeness.isAcross && facts(of: left).names.count > 0 && facts(of: right).names.count > 0
    }

    private mutating func hasFacts(_ index: Int) -> Bool { !facts(of: index).report.all.isEmpty }

    private mutating func facts(of index: Int) -> Facts {
        if let known = facts[index] { return known }
        let report = report(of: index)
        let isCommon = { [map, localNames] name in map?.isCommon(name) == true || localNames.contains(name) }
        let columnness = vectors[index].flatMap { map?.columnness($0) } ?? 0
        let made = Facts(
            report: report, names: Names(report.names, &nameIDs, where: isCommon),
            leadingNames: Names(report.leadingNames, &nameIDs, where: isCommon), columnness: columnness,
            isColumn: map != nil && ReportFacts.isColumn(articles[index]))
        facts[index] = made
        return made
    }

    /// Whether a language is known, and is not English, in which names stand out more.
    private static func isForeign(_ language: String?) -> Bool { language.map { $0 != Language.english.code } ?? false }
}

/// Rare and common names as sorted ids, quickly compared.
private struct Names {
    let rare, common: [Int]

    /// - Parameter ids: The ids of all names so far.
    init(_ names: Set<String>, _ ids: inout [String: Int], where isCommon: (String) -> Bool) {
        rare = Self.sorted(names.filter { !isCommon($0) }, &ids)
        common = Self.sorted(names.filter(isCommon), &ids)
    }

    private static func sorted(_ names: Set<String>, _ ids: inout [String: Int]) -> [Int] {
        names.map { name in
            let id = ids[name] ?? ids.count
            ids[name] = id
            return id
        }.sorted()
    }

    /// A common name is worth less than a rare one.
    private static func worth(rare: Int, common: Int) -> Double { Double(rare) + 0.4 * Double(common) }

    var count: Int { rare.count + common.count }

    /// The share of these names that the others include, from 0 to 1.
    func share(in other: Names) -> Double {
        Self.worth(rare: rare.shared(with: other.rare), common: common.shared(with: other.common))
            / (0.5 + Self.worth(rare: rare.count, common: common.count))
    }
}

extension [Int] {
    /// How many numbers two sorted arrays have in common.
    fileprivate func shared(with other: [Int]) -> Int {
        var (left, right, shared) = (0, 0, 0)
        while left < count, right < other.count {
            let (one, two) = (self[left], other[right])
            if one == two { shared += 1 }
            if one <= two { left += 1 }
            if two <= one { right += 1 }
        }
        return shared
    }
}
