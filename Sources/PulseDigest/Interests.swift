public import PulseCore
import PulseText

/// What a reader wants in a digest, and what not.
public struct Interests: Sendable, Hashable {
    /// Only these, or all where it is empty.
    public let categories: Set<Category>
    private let sources: Set<String>
    private let followed: [Topic]
    private let muted: [Topic]
    private let mutedSources: Set<String>

    /// - Parameters:
    ///   - sources: Names of publications: only these, or all where it is empty.
    ///   - follow: Words, or the names of categories, that come first. An entry without a word is ignored.
    ///   - mute: Words whose stories are left out.
    ///   - muteSources: Names of publications that are left out.
    public init(
        categories: Set<Category> = [], sources: [String] = [], follow: [String] = [], mute: [String] = [],
        muteSources: [String] = []
    ) {
        self.categories = categories
        self.sources = Set(sources.map(Words.name)).subtracting([""])
        followed = follow.compactMap(Topic.init)
        muted = mute.compactMap(Topic.init)
        mutedSources = Set(muteSources.map(Words.name)).subtracting([""])
    }

    /// Whether the article is left out for its publication. The story stays if others tell it too.
    func mutesSource(of article: Article) -> Bool {
        !mutedSources.isEmpty && mutedSources.contains(Words.name(article.source))
    }

    /// Whether it is of a publication that belongs in the digest.
    func wantsSource(of article: Article) -> Bool {
        sources.isEmpty || sources.contains(Words.name(article.source))
    }

    /// Whether an article is of what the reader asked for: a publication and a category that belong in the digest.
    public func wants(_ article: Article) -> Bool { wantsSource(of: article) && wants(article.category) }

    /// Whether a reading is left out for a word of its own, or for its publication.
    public func mutes(_ reading: Reading) -> Bool {
        mutesSource(of: reading.article) || isAny(of: muted, in: [reading])
    }

    /// Which of a story's readings are left without what is muted. One with a muted word is enough where the reader chose
    /// the articles: they do not want the story in other words either. Of what feeds brought, an article speaks for its
    /// own feed, and takes the others with it only where most feeds have such a word.
    func unmuted(_ readings: [Reading]) -> [Int] {
        let isMuted = readings.map { isAny(of: muted, in: [$0]) }
        let rest = readings.indices.filter { !isMuted[$0] }
        guard rest.count < readings.count else { return rest }
        let feeds = Set(readings.indices.filter { isMuted[$0] }.map { readings[$0].feed })
        let others = Set(rest.map { readings[$0].feed }).subtracting(feeds)
        return feeds.contains(nil) || feeds.count > others.count ? [] : rest
    }

    /// Whether a category belongs in the digest.
    func wants(_ category: Category) -> Bool { categories.isEmpty || categories.contains(category) }
    func asks(for category: Category) -> Bool { categories.contains(category) || follows(category) }

    func follows(_ category: Category) -> Bool { followed.contains { $0.names(category) } }

    func follows(_ heading: Digest.Heading) -> Bool {
        if case .category(let category) = heading { follows(category) } else { false }
    }

    func follows(_ story: Story) -> Bool { follows(story.category) || isAny(of: followed, in: story.readings) }

    private func isAny(of topics: [Topic], in readings: [Reading]) -> Bool {
        guard !topics.isEmpty else { return false }
        return readings.contains { reading in
            let wording = Topic.Wording(reading.article)
            return topics.contains { $0.isIn(wording) }
        }
    }
}

/// A word or phrase that a reader follows or has muted.
///
/// Whole words are compared, without regard to case and accents: “Sao Paulo” is in “SÃO PAULO’s mayor”, “art” is not in
/// “party”. In scripts without spaces between words, any part of the text matches.
public struct Topic: Sendable, Hashable {
    private let words: [String]
    /// Nil where words can be compared whole.
    private let dense: String?

    /// - Returns: nil where there is no word in the text.
    public init?(_ text: String) {
        words = Topic.words(of: text)
        if words.isEmpty { return nil }
        dense = words.contains { $0.unicodeScalars.contains(where: Topic.isDense) } ? words.joined(separator: " ") : nil
    }

    /// Whether an article is about it, by its title, its teaser and the first sentences of its text.
    public func isIn(_ article: Article) -> Bool { isIn(Wording(article)) }

    /// Whether it names a category, as sources write it or in any language of the program.
    public func names(_ category: Category) -> Bool {
        Topic.words(of: category.name) == words
            || Language.allCases.contains { Topic.words(of: category.title(in: $0)) == words }
    }

    func isIn(_ wording: Wording) -> Bool {
        if let dense { return wording.text.contains(dense) }
        guard words.count > 1 else { return wording.known.contains(words[0]) }
        guard words.allSatisfy(wording.known.contains) else { return false }
        let last = wording.words.count - words.count
        return last >= 0 && (0...last).contains { wording.words[$0..<$0 + words.count].elementsEqual(words) }
    }

    /// The words of an article in which topics are searched, prepared once for many topics.
    struct Wording {
        let words: [String]
        let known: Set<String>
        let text: String

        init(_ article: Article) {
            let lead = Sentences.split(String(article.content.prefix(Wording.front))).prefix(Wording.sentences)
            // Separated, so that no phrase reaches from one into the next.
            let parts = [article.title, article.summary] + lead
            words = parts.map { Topic.words(of: String($0.prefix(Wording.front))) }.joined(separator: [""]).map(\.self)
            known = Set(words)
            text = words.joined(separator: " ")
        }

        private static let front = 1200
        private static let sentences = 3
    }

    private static func words(of text: String) -> [String] {
        Words.all(in: Words.folded(text))
    }

    /// Thai, Lao, Khmer and Burmese, kana, Chinese characters.
    private static func isDense(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xe00...0xeff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
            0xf900...0xfaff, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
