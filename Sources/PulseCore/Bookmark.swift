public import struct Foundation.Date

/// An article that the reader bookmarked, read or not. `savedAt` is nil where the source does not give a time.
public struct Bookmark: Sendable, Hashable {
    public let article: Article
    public let savedAt: Date?

    public init(article: Article, savedAt: Date?) {
        self.article = article
        self.savedAt = savedAt
    }
}
