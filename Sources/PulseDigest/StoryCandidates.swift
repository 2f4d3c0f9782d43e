import Foundation
public import PulseCore

/// What the stories of a digest are made of, read and compared once: the reports of wanted sources, and those of the
/// stories that earlier digests told.
public struct StoryCandidates {
    let interests: Interests
    /// `wanted` includes muted sources; `kept` does not, and has the newest first.
    let wanted, kept: [Reading]
    let earlier: [PreviousStory]
    /// Of the kept reports alone.
    let weights: Weights
    /// Has the articles of the kept reports, followed by the earlier ones.
    let merger: StoryMerger
    private let articles: [Article]

    /// - Parameter earlier: The stories of the reader's earlier digests, the oldest first.
    public init(_ readings: [Reading], interests: Interests = Interests(), earlier: [PreviousStory] = []) {
        (self.interests, self.earlier) = (interests, earlier)
        wanted = readings.filter { interests.wantsSource(of: $0.article) }
        kept = wanted.filter { !interests.mutesSource(of: $0.article) }.sorted {
            ($1.readAt, $1.ownDate, $0.article.id) < ($0.readAt, $0.ownDate, $1.article.id)
        }
        let own = kept.map(\.article)
        let read = Weights.reading(own)
        weights = read.weights
        let before = earlier.flatMap(\.articles)
        let all = before.isEmpty ? read : weights.reading(before, after: read.words)
        articles = own + before
        merger = StoryMerger(articles, grouping: own.count, words: all.words, weights: all.weights)
    }

    /// The articles whose vectors are needed: those whose event others may report, too, the most likely first.
    public var doubtful: [Article] { merger.doubtful().map { articles[$0] } }

    /// Whether one of its reports is news and no feature.
    func isNews(_ story: Story) -> Bool { story.articles.contains(where: weights.isNews) }
}

extension Reading {
    /// All entries of a refresh have the same time, so unread ones are ordered by their own dates.
    fileprivate var ownDate: Date { basis == .read ? .distantPast : article.publishedAt ?? .distantPast }
}
