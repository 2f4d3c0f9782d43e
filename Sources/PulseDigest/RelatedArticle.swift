public import PulseCore

/// An article of the history that is related to another one.
public struct RelatedArticle: Sendable, Hashable {
    public let reading: Reading
    /// Cosine similarity of their weighted words, from 0 to 1.
    public let likeness: Double
    /// Whether a digest would merge the two into one story.
    public let isSameStory: Bool
    /// The cosine of the meanings, from 0 to 1, if it was found by its meaning alone; else nil.
    public let nearness: Double?

    /// Two articles on one subject, such as two days of a trial, are at least this similar; two of one category usually
    /// less.
    public static let leastLikeness = 0.1
    /// Reports of one event in different words may be only this similar: then their meaning is compared.
    public static let leastDoubtful = 0.03

    /// The readings related to an article, without the article itself: most similar first, then newest; then those that
    /// are near by their meaning only, the nearest first.
    ///
    /// - Parameters:
    ///   - least: The least likeness of those that are not of the same story.
    ///   - near: What was found by its meaning: cosines by article id.
    public static func readings(
        to article: Article, among readings: [Reading], atLeast least: Double = leastLikeness,
        near: [String: Double] = [:], meanings: Meanings = .none
    ) -> [RelatedArticle] {
        let others = readings.filter { $0.article.id != article.id }.sorted { $0.readAt > $1.readAt }
        // The article is first, so that its story is the first group.
        let articles = [article] + others.map(\.article)
        let (weights, words) = Weights.reading(articles)
        var merger = StoryMerger(articles, words: words, weights: weights, meanings: meanings)
        let story = Set(merger.groups().first ?? [])
        return others.indices.compactMap { index -> RelatedArticle? in
            let (likeness, isSameStory) = (min(1, merger.wordCosine(0, index + 1)), story.contains(index + 1))
            let nearness = near[others[index].article.id]
            let isAlike = isSameStory || likeness >= least
            guard isAlike || nearness != nil else { return nil }
            return RelatedArticle(
                reading: others[index], likeness: likeness, isSameStory: isSameStory,
                nearness: isAlike ? nil : nearness)
        }
        // Swift's sort is stable.
        .sorted { ($0.nearness ?? 2, $0.likeness) > ($1.nearness ?? 2, $1.likeness) }
    }
}
