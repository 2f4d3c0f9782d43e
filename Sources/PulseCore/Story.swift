public import struct Foundation.Date

/// One event, and the articles about it.
public struct Story: Sendable, Hashable {
    /// At least one; the first gives the story its title.
    public let readings: [Reading]

    /// - Parameter readings: At least one, newest reading first.
    public init(_ readings: [Reading]) { self.readings = readings }

    /// The article whose title stands for the story.
    public var lead: Article { readings[0].article }
    public var articles: [Article] { readings.map(\.article) }

    /// How many publications report it; all unknown ones count as one.
    public var weight: Int { Set(readings.map(\.article.source)).count }

    /// Whether all its articles are unread entries of feeds.
    public var isWaiting: Bool { readings.allSatisfy { $0.basis == .unread } }

    /// The categories of its articles, the most frequent first; among equally frequent ones, precise before vague ones,
    /// then the last read.
    public var categories: [Category] {
        let all = readings.map(\.article.category).filter { $0 != .general }
        let counts = all.reduce(into: [Category: Int]()) { $0[$1, default: 0] += 1 }
        var seen: Set<Category> = []
        // Swift's sort is stable.
        return all.filter { seen.insert($0).inserted }.sorted {
            let (first, second) = (counts[$0, default: 0], counts[$1, default: 0])
            return first == second ? !$0.isVague && $1.isVague : first > second
        }
    }

    /// The most frequent category of its articles; `general` if none has one.
    public var category: Category { categories.first ?? .general }

    /// The same story with this article as its lead.
    public func led(by article: Article) -> Story {
        guard let index = readings.firstIndex(where: { $0.article.id == article.id }), index > 0 else { return self }
        return Story([readings[index]] + readings[..<index] + readings[(index + 1)...])
    }
}

/// An article and when it was read; or an unread entry, or a bookmark.
public struct Reading: Sendable, Hashable, Codable {
    public var article: Article
    /// For an unread entry, when it was received; for a bookmark, when it was saved.
    public var readAt: Date
    /// The importer that brought it, such as `jsonl` or `newsboat`.
    public var origin: String
    /// False if the source has no reading time, so that `readAt` is an estimate.
    public var isExact: Bool
    /// `read`, `unread` or `bookmarks`.
    public var basis: DigestBasis
    /// The feed that brought it, by its rowid; nil if the reader added it.
    public var feed: Int64?

    public init(
        article: Article, readAt: Date, origin: String, isExact: Bool = true, basis: DigestBasis = .read,
        feed: Int64? = nil
    ) {
        self.article = article
        self.readAt = readAt
        self.origin = origin
        self.isExact = isExact
        self.basis = basis
        self.feed = feed
    }

    public init(_ bookmark: Bookmark, at date: Date) {
        self.init(article: bookmark.article, readAt: date, origin: "bookmarks", isExact: false, basis: .bookmarks)
    }
}
