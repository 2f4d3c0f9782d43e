public import struct Foundation.Date

/// What is known of a digest before a word of it is written: its heading, in numbers.
public struct DigestOverview: Sendable, Hashable {
    public struct Topic: Sendable, Hashable {
        public let category: Category
        /// Told of or not.
        public let articles: Int

        public init(category: Category, articles: Int) {
            self.category = category
            self.articles = articles
        }
    }

    public let date: Date
    public let period: Period
    /// How many articles the digest tells of.
    public let told: Int
    /// How many more were read.
    public let omitted: Int
    /// How many were kept out by what the reader has muted.
    public let muted: Int
    public let sources: Int
    /// In the order in which they are told.
    public let topics: [Topic]
    /// How many days in a row, up to the digest's own, have something read; 0 where that is not known.
    public let daysInARow: Int

    public init(_ digest: Digest) {
        date = digest.date
        period = digest.period
        told = digest.readings.count
        omitted = digest.sections.reduce(0) { $0 + $1.omitted }
        muted = digest.muted
        sources = digest.sourceCount
        topics = Topic.sums(of: digest.sections.map { ($0.category, $0.articles.count + $0.omitted) })
        daysInARow = digest.daysInARow
    }

    public init(date: Date, period: Period, prompts: [DigestPrompt], muted: Int, daysInARow: Int) {
        let readings = prompts.flatMap(\.readings)
        self.date = date
        self.period = period
        told = readings.count
        omitted = prompts.reduce(0) { $0 + $1.omitted }
        self.muted = muted
        sources = readings.sourceCount
        topics = Topic.sums(of: prompts.map { ($0.category, $0.readings.count + $0.omitted) })
        self.daysInARow = daysInARow
    }
}

extension DigestOverview.Topic {
    /// One topic a category, however many sections tell it.
    static func sums(of counts: [(category: Category, articles: Int)]) -> [Self] {
        var sums: [Category: Int] = [:]
        var order: [Category] = []
        for (category, articles) in counts {
            if sums[category] == nil { order.append(category) }
            sums[category, default: 0] += articles
        }
        return order.map { Self(category: $0, articles: sums[$0, default: 0]) }
    }
}
