public import PulseCore

/// An article of the history that has to do with another one.
public struct Related: Sendable, Hashable {
    public let reading: Reading
    /// From 0 to 1: how much of their words the two share, rare words counting most.
    public let likeness: Double
    /// Whether a digest of both would merge them into one story.
    public let isSameStory: Bool
    /// From 0 to 1: how near its meaning is, where it is here for that; nil: it is here for its words.
    public let nearness: Double?

    /// Two articles of one subject, such as two days of a trial, share this much; two of one category mostly less.
    static let leastLikeness = 0.1

    /// Those of the readings that have to do with an article, without the article itself: the most alike first, and of
    /// two that are equally alike the newer one; then those that are near by their meaning only, the nearest first.
    ///
    /// - Parameter near: What was found by its meaning, with its nearness, by the articles' ids.
    public static func readings(
        to article: Article, among readings: [Reading], near: [String: Double] = [:]
    ) -> [Related] {
        let others = readings.filter { $0.article.id != article.id }.sorted { $0.readAt > $1.readAt }
        // The article comes first, so that its own story begins with it.
        let articles = [article] + others.map(\.article)
        let (weights, words) = Weights.reading(articles)
        let merger = StoryMerger(articles, words: words, weights: weights)
        let story = Set(merger.groups().first ?? [])
        let cosines = merger.cosines(with: 0)
        return others.indices.compactMap { index -> Related? in
            let (likeness, isSameStory) = (min(1, cosines[index + 1]), story.contains(index + 1))
            let nearness = near[others[index].article.id]
            let isAlike = isSameStory || likeness >= leastLikeness
            guard isAlike || nearness != nil else { return nil }
            return Related(
                reading: others[index], likeness: likeness, isSameStory: isSameStory,
                nearness: isAlike ? nil : nearness)
        }
        // Swift's sort is stable.
        .sorted { ($0.nearness ?? 2, $0.likeness) > ($1.nearness ?? 2, $1.likeness) }
    }
}
