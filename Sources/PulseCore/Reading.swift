public import struct Foundation.Date

/// An article that was read: which one, when, and where that was learned.
public struct Reading: Sendable, Hashable, Codable {
    public var article: Article
    public var readAt: Date
    /// The importer that told of it, such as `jsonl` or `newsboat`.
    public var origin: String
    /// False where the source keeps no reading time and `readAt` is a stand-in.
    public var isExact: Bool

    public init(article: Article, readAt: Date, origin: String, isExact: Bool = true) {
        self.article = article
        self.readAt = readAt
        self.origin = origin
        self.isExact = isExact
    }
}
