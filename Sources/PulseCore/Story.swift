/// One event, and every article that was read about it.
public struct Story: Sendable, Hashable {
    /// At least one; the first gives the story its title.
    public let readings: [Reading]

    /// - Parameter readings: At least one, newest reading first.
    public init(_ readings: [Reading]) { self.readings = readings }

    /// The article whose title stands for the story.
    public var lead: Article { readings[0].article }
    public var articles: [Article] { readings.map(\.article) }

    /// How many publications tell it: those whose name is unknown count as one.
    public var weight: Int { Set(readings.map(\.article.source)).count }

    /// What the story is about: the first of its articles that says so.
    public var category: Category {
        readings.lazy.map(\.article.category).first { $0 != .general } ?? .general
    }

    /// The same story, with this article's title.
    public func led(by article: Article) -> Story {
        guard let index = readings.firstIndex(where: { $0.article.id == article.id }), index > 0 else { return self }
        return Story([readings[index]] + readings[..<index] + readings[(index + 1)...])
    }
}
