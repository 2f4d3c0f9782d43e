public import Foundation
public import PulseCore
import PulseText

/// What somebody likes to read, judged by what they read: the publications, categories and words more frequent in it
/// than in all articles, and similar meanings. It orders unread stories, and leaves nothing out.
public struct Taste: Sendable {
    /// Something more, or less, frequent in what somebody reads.
    public struct Trait: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable { case publication, category, word }

        public let kind: Kind
        public let name: String
        /// How many of the articles read have it.
        public let articles: Int
        /// The logarithm of its frequency in what was read over that in all articles.
        public let lift: Double

        fileprivate init?(_ kind: Kind, _ tally: Tally, expected: Double) {
            (self.kind, name, articles) = (kind, tally.name, tally.read)
            lift = log((tally.weight + 1) / (expected + 1))
            // Short words such as “first” are no interest.
            let isTelling = kind != .word || name.count >= 6 || name.first?.isUppercase == true
            guard lift > 0 ? isTelling && articles >= Taste.fewest && lift >= Taste.clear : lift <= -Taste.least
            else { return nil }
        }
    }

    private struct Key: Hashable {
        let kind: Trait.Kind
        let name: String
    }

    private let traits: [Key: Trait]
    private let vectors: [String: CompactVector]
    private let read: [(vector: CompactVector, weight: Double)]

    /// The days after which a reading counts half; how many words of an article are looked at, and how many of the
    /// strongest count; and how many of the readings with the nearest meaning count.
    private static let (halfLife, mostWords, tellingWords, nearest) = (14.0, 60, 8, 3)
    /// A trait is disliked with a lift of -`least` or below, and liked with a lift of `clear` (half as often again as
    /// in all articles) or above in at least `fewest` articles. With fewer than `fewestVectors` vectors of readings,
    /// meaning does not count.
    private static let (least, clear, fewest, fewestVectors) = (0.05, log(1.5), 4, 5)
    private static let worthOfMeaning = 5.0

    /// - Parameters:
    ///   - read: What was read in the last weeks.
    ///   - others: The other articles, such as unread ones.
    ///   - forgotten: Names that do not count.
    ///   - meanings: Of any of them.
    public init(read: [Reading], others: [Article], forgotten: [String] = [], meanings: Meanings = .none, now: Date) {
        var tallies: [Key: Tally] = [:]
        var total = 0.0
        var vectors: [(vector: CompactVector, weight: Double)] = []
        for reading in read {
            let weight = pow(0.5, max(0, now.timeIntervalSince(reading.readAt)) / 86_400 / Self.halfLife)
            total += weight
            if let vector = meanings.vectors[reading.article.id] { vectors.append((vector, weight)) }
            for (key, name) in Self.keys(of: reading.article) {
                tallies[key, default: Tally(name: name)].read += 1
                tallies[key]?.weight += weight
            }
        }
        for article in others {
            for (key, name) in Self.keys(of: article) { tallies[key, default: Tally(name: name)].others += 1 }
        }
        let size = Double(max(1, read.count + others.count))
        for name in forgotten {
            tallies[Key(kind: .publication, name: Words.name(name))] = nil
            tallies[Key(kind: .category, name: Words.name(name))] = nil
            if let term = Terms.term(name.lowercased()) { tallies[Key(kind: .word, name: term)] = nil }
        }
        traits = tallies.reduce(into: [:]) { traits, tally in
            let (key, tally) = tally
            let expected = total * Double(tally.read + tally.others) / size
            traits[key] = Trait(key.kind, tally, expected: expected)
        }
        self.vectors = meanings.vectors
        self.read = vectors
    }

    /// How often something occurs; `weight` counts the readings by how recent they are.
    fileprivate struct Tally {
        /// As it was first written.
        let name: String
        var read = 0
        var others = 0
        var weight = 0.0
    }

    /// The traits of an article, with their spelling.
    private static func keys(of article: Article) -> [Key: String] {
        var keys: [Key: String] = [:]
        if !article.source.isEmpty { keys[Key(kind: .publication, name: Words.name(article.source))] = article.source }
        if !article.category.isVague {
            keys[Key(kind: .category, name: Words.name(article.category.name))] = article.category.name
        }
        let front = article.title + " " + String(article.body.prefix(mostWords * 12))
        // Datelines and credits name the publication.
        let own = Set(Words.all(in: article.source.lowercased()))
        for word in Words.written(in: front).prefix(mostWords) {
            let lower = word.lowercased()
            guard let term = Terms.term(lower), !ignored.contains(lower), !own.contains(lower),
                !lower.contains(where: \.isNumber)
            else { continue }
            keys[Key(kind: .word, name: term)] = String(word)
        }
        return keys
    }

    private static let agencies: Set<String> = [
        "aap", "afp", "ani", "ansa", "ap", "bloomberg", "dpa", "efe", "ians", "kyodo", "lusa", "newswire", "prnewswire",
        "pti", "reuters", "tass", "upi", "xinhua", "yonhap",
    ]

    /// Agencies, months and days, in which nobody takes an interest.
    private static let ignored = Language.allCases.reduce(into: agencies) { dates, language in
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: language.locale)
        let symbols =
            calendar.monthSymbols + calendar.shortMonthSymbols + calendar.weekdaySymbols + calendar.shortWeekdaySymbols
        dates.formUnion(symbols.map { $0.lowercased() })
    }

    /// How much more likely somebody is to read an article than others, as a sum of logarithms; about 0 if nothing is
    /// known.
    func liking(of article: Article) -> Double {
        var (words, sum) = ([Double](), 0.0)
        for key in Self.keys(of: article).keys {
            guard let trait = traits[key] else { continue }
            if key.kind == .word { words.append(trait.lift) } else { sum += trait.lift }
        }
        // Completely ordered, so that the sum is the same each time.
        words.sort { (abs($1), $1) < (abs($0), $0) }
        return sum + words.prefix(Self.tellingWords).reduce(0, +) + nearness(vectors[article.id])
    }

    /// The names of an article's most liked traits.
    func reasons(for article: Article) -> [String] {
        Self.keys(of: article).keys.compactMap { traits[$0] }.filter { $0.lift > 0 }
            .sorted { ($1.lift, $0.name) < ($0.lift, $1.name) }.prefix(3).map(\.name)
    }

    private func nearness(_ vector: CompactVector?) -> Double {
        guard let vector, read.count >= Self.fewestVectors else { return 0 }
        let near = read.map { Double($0.vector.cosine(with: vector)) * min(1, 0.5 + $0.weight) }.sorted(by: >)
        return near.prefix(Self.nearest).reduce(0, +) / Double(Self.nearest) * Self.worthOfMeaning
    }

    /// The traits that are liked, the strongest first.
    public var likings: [Trait] {
        traits.values.filter { $0.lift > 0 }.sorted { ($1.lift, $0.name) < ($0.lift, $1.name) }
    }
}
