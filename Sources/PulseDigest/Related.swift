public import PulseCore

/// An article of the history that has to do with another one.
public struct Related: Sendable, Hashable {
    public let reading: Reading
    /// From 0 to 1: how much of their words the two share, rare words counting most.
    public let likeness: Double
    /// Whether a digest of both would merge them into one story.
    public let isSameStory: Bool

    /// Two articles of one subject, such as two days of a trial, share this much; two of one category mostly less.
    static let leastLikeness = 0.1

    /// Those of the readings that have to do with an article, without the article itself: the most alike first, and of
    /// two that are equally alike the newer one.
    public static func readings(to article: Article, among readings: [Reading]) -> [Related] {
        let others = readings.filter { $0.article.id != article.id }.sorted { $0.readAt > $1.readAt }
        // The article comes first, so that its own story begins with it.
        let articles = [article] + others.map(\.article)
        let (weights, words) = Weights.reading(articles)
        let merger = StoryMerger(articles, words: words, weights: weights)
        let story = Set(merger.groups().first ?? [])
        let cosines = merger.cosines(with: 0)
        return others.indices.map { index in
            Related(
                reading: others[index], likeness: min(1, cosines[index + 1]), isSameStory: story.contains(index + 1))
        }
        .filter { $0.isSameStory || $0.likeness >= leastLikeness }
        // Swift's sort is stable.
        .sorted { $0.likeness > $1.likeness }
    }
}
