public import PulseCore

/// An article of the history that is related to another one.
public struct Related: Sendable, Hashable {
    public let reading: Reading
    /// Cosine similarity of their weighted words, from 0 to 1.
    public let likeness: Double
    /// Whether a digest would merge the two into one story.
    public let isSameStory: Bool

    /// Two articles on one subject, such as two days of a trial, are at least this similar; two of one category usually
    /// less.
    static let leastLikeness = 0.1

    /// The readings related to an article, without the article itself: most similar first, then newest.
    public static func readings(to article: Article, among readings: [Reading]) -> [Related] {
        let others = readings.filter { $0.article.id != article.id }.sorted { $0.readAt > $1.readAt }
        // The article is first, so that its story is the first group.
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
