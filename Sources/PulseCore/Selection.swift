/// What a digest tells of: the stories that were read, by category, as many as the limit allows.
public struct Selection: Sendable, Hashable {
    /// The stories of one category, followed ones first, then newest reading first, and how much more of it was left out.
    public struct Section: Sendable, Hashable {
        public let category: Category
        public let stories: [Story]
        /// Articles, not stories.
        public let omitted: Int
        /// The language the stories are told in where it is not the reader's: `pt`, `und-Cyrl`.
        public let foreignLanguage: String?

        public init(category: Category, stories: [Story], omitted: Int, foreignLanguage: String? = nil) {
            self.category = category
            self.stories = stories
            self.omitted = omitted
            self.foreignLanguage = foreignLanguage
        }
    }

    /// Followed categories first, then in the order of `Category`; none is empty.
    public let sections: [Section]
    /// How many articles of the categories asked for were kept out by what the reader has muted.
    public let muted: Int

    /// Chooses fairly and the same every time: muted sources go; what several sources tell is one story; muted stories
    /// go. Then followed stories have a claim to half of the places, and for the rest the categories take turns, each
    /// giving its followed ones and then its newest, until the limit is reached: so neither a busy category nor a
    /// followed one can push out a quiet one. Readings of the same instant are ordered by their id.
    ///
    /// - Parameter limit: The largest number of stories, over all categories.
    public init(from readings: [Reading], interests: Interests = Interests(), limit: Int) {
        func isWanted(_ category: Category) -> Bool {
            interests.categories.isEmpty || interests.categories.contains(category)
        }
        let heard = readings.filter { !interests.mutesSource(of: $0.article) }.sorted(by: Selection.newestFirst)
        let told = StoryMerger(heard).groups().map { group in Story(group.map { heard[$0] }) }
            .filter { isWanted($0.category) }
        let stories = told.filter { !interests.mutes($0) }
        let silenced = readings.filter { interests.mutesSource(of: $0.article) && isWanted($0.article.category) }
        self.muted = silenced.count + Selection.articles(in: told) - Selection.articles(in: stories)

        var places = Places()
        let followed = stories.filter(interests.follows)
        let ids = Set(followed.map(\.lead.id))
        let queues = Dictionary(
            grouping: followed + stories.filter { !ids.contains($0.lead.id) }, by: \.category)
        places.deal(Dictionary(grouping: followed, by: \.category).mapValues(\.count), upTo: (limit + 1) / 2)
        places.deal(queues.mapValues(\.count), upTo: limit)

        self.sections = places.taken.keys.sorted { left, right in
            let (first, second) = (interests.follows(left), interests.follows(right))
            return first == second ? left < right : first
        }.map { category in
            let queue = queues[category, default: []]
            let count = places.taken[category, default: 0]
            return Section(
                category: category, stories: Array(queue.prefix(count)),
                omitted: Selection.articles(in: queue.dropFirst(count)))
        }
    }

    /// The same, by categories alone.
    public init(from readings: [Reading], categories: Set<Category>, limit: Int) {
        self.init(from: readings, interests: Interests(categories: categories), limit: limit)
    }

    /// How many stories each category may tell.
    private struct Places {
        private(set) var taken: [Category: Int] = [:]

        /// Lets the categories take turns, those that have fewest first, until so many places are dealt in all, or no
        /// category has more to tell.
        mutating func deal(_ stories: [Category: Int], upTo most: Int) {
            var room = max(0, most - taken.values.reduce(0, +))
            var round = 0
            while room > 0, stories.values.contains(where: { $0 > round }) {
                let takers = stories.keys.sorted().filter {
                    stories[$0, default: 0] > round && taken[$0, default: 0] <= round
                }
                for category in takers.prefix(room) { taken[category] = round + 1 }
                room -= min(room, takers.count)
                round += 1
            }
        }
    }

    private static func articles(in stories: some Sequence<Story>) -> Int {
        stories.reduce(0) { $0 + $1.readings.count }
    }

    private static func newestFirst(_ left: Reading, _ right: Reading) -> Bool {
        (right.readAt, left.article.id) < (left.readAt, right.article.id)
    }
}
