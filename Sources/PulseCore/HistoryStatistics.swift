public import struct Foundation.Date

/// The history in numbers.
public struct HistoryStatistics: Sendable, Hashable, Encodable {
    public struct CategoryCount: Sendable, Hashable, Encodable {
        public let category: Category
        public let articles: Int

        private enum CodingKeys: String, CodingKey { case category = "name", articles }

        public init(category: Category, articles: Int) {
            self.category = category
            self.articles = articles
        }
    }

    public let articles: Int
    /// Number of publications, not counting unknown ones.
    public let sources: Int
    /// In the order of categories, only those that have articles.
    public let categories: [CategoryCount]
    /// Nil if the history is empty.
    public let firstReadAt: Date?
    public let lastReadAt: Date?
    /// Articles whose reading time is not known exactly.
    public let approximate: Int
    /// Calendar days on which at least one article was read.
    public let daysRead: Int
    public let digests: Int

    public init(
        articles: Int, sources: Int, categories: [CategoryCount], firstReadAt: Date?, lastReadAt: Date?,
        approximate: Int, daysRead: Int, digests: Int = 0
    ) {
        self.articles = articles
        self.sources = sources
        self.categories = categories
        self.firstReadAt = firstReadAt
        self.lastReadAt = lastReadAt
        self.approximate = approximate
        self.daysRead = daysRead
        self.digests = digests
    }
}
