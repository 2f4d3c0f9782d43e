public import PulseCore

/// What a reader wants to be told of, and what not.
public struct Interests: Sendable, Hashable {
    /// Keeps to these; all where it is empty.
    public let categories: Set<Category>
    private let followed: [Topic]
    private let muted: [Topic]
    private let mutedSources: Set<String>

    /// - Parameters:
    ///   - follow: Words, or the names of categories, that come first. What holds no word is passed over.
    ///   - mute: Words that keep a story out.
    ///   - muteSources: Names of publications that are kept out.
    public init(
        categories: Set<Category> = [], follow: [String] = [], mute: [String] = [], muteSources: [String] = []
    ) {
        self.categories = categories
        followed = follow.compactMap(Topic.init)
        muted = mute.compactMap(Topic.init)
        mutedSources = Set(muteSources.map(Topic.folded)).subtracting([""])
    }

    /// Whether the article's publication is kept out: its own article only, not the story that others tell too.
    func mutesSource(of article: Article) -> Bool {
        !mutedSources.isEmpty && mutedSources.contains(Topic.folded(article.source))
    }

    /// Whether a story is kept out: whoever does not want to hear of something does not want it in other words either,
    /// so one article with the word is enough.
    func mutes(_ story: Story) -> Bool { isAny(of: muted, in: story) }

    /// Whether a category is asked for, where any is.
    func wants(_ category: Category) -> Bool { categories.isEmpty || categories.contains(category) }
    func asks(for category: Category) -> Bool { categories.contains(category) || follows(category) }

    func follows(_ category: Category) -> Bool { followed.contains { $0.names(category) } }

    func follows(_ heading: Digest.Heading) -> Bool {
        if case .category(let category) = heading { follows(category) } else { false }
    }

    func follows(_ story: Story) -> Bool { follows(story.category) || isAny(of: followed, in: story) }

    private func isAny(of topics: [Topic], in story: Story) -> Bool {
        guard !topics.isEmpty else { return false }
        return story.readings.contains { reading in
            let wording = Topic.Wording(reading.article)
            return topics.contains { $0.isIn(wording) }
        }
    }
}
