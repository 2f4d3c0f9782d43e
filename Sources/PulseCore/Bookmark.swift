public import struct Foundation.Date

/// An article that the reader marked to keep, read or not, and when; nil where the source does not say.
public struct Bookmark: Sendable, Hashable {
    public let article: Article
    public let savedAt: Date?

    public init(article: Article, savedAt: Date?) {
        self.article = article
        self.savedAt = savedAt
    }
}
