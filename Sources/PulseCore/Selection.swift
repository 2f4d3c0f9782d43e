/// What a digest tells of: the articles that were read, by category, as many as the limit allows.
public struct Selection: Sendable, Hashable {
    /// The articles of one category, newest reading first, and how many more of it were left out.
    public struct Section: Sendable, Hashable {
        public let category: Category
        public let readings: [Reading]
        public let omitted: Int

        public init(category: Category, readings: [Reading], omitted: Int) {
            self.category = category
            self.readings = readings
            self.omitted = omitted
        }
    }

    /// In the order of `Category`; none is empty.
    public let sections: [Section]

    public init(sections: [Section]) { self.sections = sections }

    /// Chooses fairly and the same every time: the categories take turns, each giving its newest reading, until the
    /// limit is reached, so that a busy category cannot push out a quiet one. Readings of the same instant are
    /// ordered by their id.
    ///
    /// - Parameters:
    ///   - categories: Keeps to these; all where it is empty.
    ///   - limit: The largest number of articles, over all categories.
    public init(from readings: [Reading], categories: Set<Category> = [], limit: Int) {
        let wanted = readings.filter { categories.isEmpty || categories.contains($0.article.category) }
        let queues = Dictionary(grouping: wanted, by: \.article.category)
            .mapValues { $0.sorted(by: Selection.newestFirst) }
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
            return Section(category: category, readings: Array(queue.prefix(count)), omitted: queue.count - count)
        }
    }

    public var articleCount: Int { sections.reduce(0) { $0 + $1.readings.count } }

    private static func newestFirst(_ left: Reading, _ right: Reading) -> Bool {
        (right.readAt, left.article.id) < (left.readAt, right.article.id)
    }
}
