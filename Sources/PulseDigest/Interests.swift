public import PulseCore
import PulseText

/// What a reader wants in a digest, and what to leave out.
public struct Interests: Sendable, Hashable {
    /// Only these; empty for all.
    public let categories: Set<Category>
    private let sources: Set<String>
    private let followed: Topics
    /// The sections that come first.
    private let sections: [Topic]
    private let muted: Topics
    private let mutedSources: Set<String>

    /// - Parameters:
    ///   - sources: Only these publications; empty for all.
    ///   - follow: Words or names of categories that come first. An entry without a word is ignored.
    ///   - sections: Names of categories and publications, whose sections come first.
    ///   - mute: Stories with these words are left out.
    ///   - muteSources: Publications that are left out.
    public init(
        categories: Set<Category> = [], sources: [String] = [], follow: [String] = [], sections: [String] = [],
        mute: [String] = [], muteSources: [String] = []
    ) {
        self.categories = categories
        self.sources = Set(sources.map(Words.name)).subtracting([""])
        followed = Topics(follow.compactMap(Topic.init))
        self.sections = sections.compactMap(Topic.init)
        muted = Topics(mute.compactMap(Topic.init))
        mutedSources = Set(muteSources.map(Words.name)).subtracting([""])
    }

    /// Whether the article's publication is muted. Its story remains if other publications have it.
    func mutesSource(of article: Article) -> Bool {
        !mutedSources.isEmpty && mutedSources.contains(Words.name(article.source))
    }

    func wantsSource(of article: Article) -> Bool {
        sources.isEmpty || sources.contains(Words.name(article.source))
    }

    /// Whether both the article's publication and its category are wanted.
    public func wants(_ article: Article) -> Bool { wantsSource(of: article) && wants(article.category) }

    public func mutes(_ reading: Reading) -> Bool {
        mutesSource(of: reading.article) || isAny(of: muted, in: [reading])
    }

    /// The indices of a story's readings that remain after muting. One muted word removes the whole story where the
    /// reader chose the article: they do not want the story from others either. A muted unread entry removes only
    /// itself, unless feeds with a muted word outnumber the others.
    func unmuted(_ readings: [Reading]) -> [Int] {
        let isMuted = readings.map { isAny(of: muted, in: [$0]) }
        let rest = readings.indices.filter { !isMuted[$0] }
        guard rest.count < readings.count else { return rest }
        let feeds = Set(readings.indices.filter { isMuted[$0] }.map { readings[$0].feed })
        let others = Set(rest.map { readings[$0].feed }).subtracting(feeds)
        return feeds.contains(nil) || feeds.count > others.count ? [] : rest
    }

    /// Whether a story is in a category that is wanted: its articles may be in several.
    func wants(_ story: Story) -> Bool {
        wants(story.category) || story.categories.contains(where: wants)
    }

    func wants(_ category: Category) -> Bool { categories.isEmpty || categories.contains(category) }
    func asks(for category: Category) -> Bool {
        categories.contains(category) || follows(category) || hasPlace(.category(category))
    }

    func follows(_ category: Category) -> Bool { followed.names(category) }

    func follows(_ heading: Digest.Heading) -> Bool {
        if case .category(let category) = heading { follows(category) } else { false }
    }

    /// A section's place among those that come first; `sections.count` for others.
    func place(of heading: Digest.Heading) -> Int {
        sections.firstIndex { section in
            switch heading {
            case .category(let category): section.names(category)
            case .source(let source): section == Topic(source)
            default: false
            }
        } ?? sections.count
    }

    func hasPlace(_ heading: Digest.Heading) -> Bool { place(of: heading) < sections.count }

    func follows(_ story: Story) -> Bool { follows(story.category) || isAny(of: followed, in: story.readings) }

    private func isAny(of topics: Topics, in readings: [Reading]) -> Bool {
        !topics.isEmpty && readings.contains { topics.areAny(in: Topic.words(in: $0.article)) }
    }
}

/// A word or phrase that a reader follows or mutes.
///
/// Whole words are compared, without case and accents: “Sao Paulo” is in “SÃO PAULO’s mayor”, “art” is not in “party”.
/// In scripts without spaces, any substring matches.
public struct Topic: Sendable, Hashable {
    fileprivate let words: [String]
    /// The phrase in a script without spaces; else nil.
    fileprivate let dense: String?

    /// - Returns: nil if the text has no word.
    public init?(_ text: String) {
        words = Topic.words(of: text)
        if words.isEmpty { return nil }
        dense = words.contains { $0.unicodeScalars.contains(where: \.isDense) } ? words.joined(separator: " ") : nil
    }

    /// Whether it is the name of a category, as sources write it or in any language of the program.
    public func names(_ category: Category) -> Bool { Topic.names(of: category).contains(words) }

    fileprivate static func names(of category: Category) -> [[String]] {
        [Topic.words(of: category.name)] + Language.allCases.map { Topic.words(of: category.title(in: $0)) }
    }

    /// The words of an article to search for topics.
    fileprivate static func words(in article: Article) -> [String] {
        let lead = Sentences.split(String(article.content.prefix(front))).prefix(sentences)
        // Separated, so that no phrase spans two of them.
        let parts = [article.title, article.summary] + lead
        return parts.map { words(of: String($0.prefix(front))) }.joined(separator: [""]).map(\.self)
    }

    private static let (front, sentences) = (1200, 3)

    private static func words(of text: String) -> [String] { Words.all(in: Words.folded(text)) }
}

/// Topics, all searched for at once: grouped by length, as there are few lengths.
private struct Topics: Sendable, Hashable {
    /// By the number of words.
    private var phrases: [Int: Set<[String]>] = [:]
    /// By the number of scalars.
    private var dense: [Int: Set<String>] = [:]
    private let words: Set<[String]>

    init(_ topics: [Topic]) {
        words = Set(topics.map(\.words))
        for topic in topics {
            if let text = topic.dense {
                dense[text.unicodeScalars.count, default: []].insert(text)
            } else {
                phrases[topic.words.count, default: []].insert(topic.words)
            }
        }
    }

    var isEmpty: Bool { words.isEmpty }

    func names(_ category: Category) -> Bool { !isEmpty && Topic.names(of: category).contains(where: words.contains) }

    func areAny(in words: [String]) -> Bool {
        for (count, phrases) in phrases where count <= words.count {
            if (0...words.count - count).contains(where: { phrases.contains(Array(words[$0..<$0 + count])) }) {
                return true
            }
        }
        guard !dense.isEmpty else { return false }
        let text = Array(words.joined(separator: " ").unicodeScalars)
        for (count, phrases) in dense where count <= text.count {
            let isThere = (0...text.count - count).contains { start in
                var part = String.UnicodeScalarView()
                part.append(contentsOf: text[start..<start + count])
                return phrases.contains(String(part))
            }
            if isThere { return true }
        }
        return false
    }
}
