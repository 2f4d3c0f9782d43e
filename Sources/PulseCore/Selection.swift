/// What a digest tells of: the stories that were read, by category, as many as the limit allows.
public struct Selection: Sendable, Hashable {
    /// The stories of one category, newest reading first, and how much more of it was left out.
    public struct Section: Sendable, Hashable {
        public let category: Category
        public let stories: [Story]
        /// Articles, not stories.
        public let omitted: Int

        public init(category: Category, stories: [Story], omitted: Int) {
            self.category = category
            self.stories = stories
            self.omitted = omitted
        }
    }

    /// In the order of `Category`; none is empty.
    public let sections: [Section]

    /// Chooses fairly and the same every time: what several sources tell is one story; then the categories take turns,
    /// each giving its newest, until the limit is reached, so that a busy category cannot push out a quiet one.
    /// Readings of the same instant are ordered by their id.
    ///
    /// - Parameters:
    ///   - categories: Keeps to these; all where it is empty.
    ///   - limit: The largest number of stories, over all categories.
    public init(from readings: [Reading], categories: Set<Category> = [], limit: Int) {
        let newest = readings.sorted(by: Selection.newestFirst)
        let stories = StoryMerger(newest).groups().map { group in Story(group.map { newest[$0] }) }
            .filter { categories.isEmpty || categories.contains($0.category) }
        let queues = Dictionary(grouping: stories, by: \.category)
        var taken: [Category: Int] = [:]
        var left = max(0, limit)
        var round = 0
        while left > 0 {
            let givers = queues.keys.sorted().filter { queues[$0, default: []].count > round }
            if givers.isEmpty { break }
            for category in givers.prefix(left) { taken[category] = round + 1 }
            left -= min(left, givers.count)
            round += 1
        }
        self.sections = taken.keys.sorted().map { category in
            let queue = queues[category, default: []]
            let count = taken[category, default: 0]
            return Section(
                category: category, stories: Array(queue.prefix(count)),
                omitted: queue.dropFirst(count).reduce(0) { $0 + $1.readings.count })
        }
    }

    private static func newestFirst(_ left: Reading, _ right: Reading) -> Bool {
        (right.readAt, left.article.id) < (left.readAt, right.article.id)
    }
}
