import Foundation
package import PulseCore
package import PulseDigest
import PulseInference
import PulseRendering
import PulseStore

/// Finds the articles related to one, and the course of its story.
package struct StoryCourse {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) { (self.app, self.reporter) = (app, reporter) }

    /// Before and after the article, in seconds: 90 days.
    private static let reach: Double = 90 * 86_400
    /// The most articles to compare, the nearest in time, which takes a second or two; and the most to compare by
    /// meaning.
    private static let (mostCompared, mostKnown) = (5000, 80)

    /// The read and unread articles that are most similar to one, the most similar first; their vectors; and how near
    /// in meaning they are, by id.
    private func similar(to reading: Reading, atLeast count: Int) async throws -> (
        [Reading], Meanings, [String: Double]
    ) {
        let period = Period(
            from: reading.readAt.addingTimeInterval(-Self.reach), to: reading.readAt.addingTimeInterval(Self.reach))
        let store = try app.history.open()
        var readings = try store.readings(in: period) + store.unread().filter { period.contains($0.readAt) }
        _ = consume store
        if readings.count > Self.mostCompared {
            func distance(_ other: Reading) -> Double { abs(other.readAt.timeIntervalSince(reading.readAt)) }
            readings = Array(readings.sorted { distance($0) < distance($1) }.prefix(Self.mostCompared))
        }
        let most = max(count, Self.mostKnown)
        let found = try await ArticleSearch(in: app, reporter: reporter).near(reading.article, in: period, limit: most)
        let known = Set(readings.map(\.article.id))
        readings += found.map(\.reading).filter { !known.contains($0.article.id) }
        let near = Dictionary(found.map { ($0.reading.article.id, $0.nearness ?? 0) }) { first, _ in first }
        let close = RelatedArticle.readings(
            to: reading.article, among: readings, atLeast: RelatedArticle.leastDoubtful, near: near
        ).prefix(most).map(\.reading)
        let meanings = try await ReportVectors(in: app, reporter: reporter).meanings(
            of: [reading.article] + close.map(\.article), within: ReportVectors.patience)
        return (close, meanings, near)
    }

    package func related(to reading: Reading, limit: Int) async throws -> [RelatedArticle] {
        let (close, meanings, near) = try await similar(to: reading, atLeast: limit)
        return Array(
            RelatedArticle.readings(to: reading.article, among: close, near: near, meanings: meanings).prefix(limit))
    }

    /// The story of an article with its days, and the sentences of it that digests told.
    package func story(of reading: Reading) async throws -> (entry: Digest.Entry, told: Set<String>) {
        let (close, meanings, _) = try await similar(to: reading, atLeast: 0)
        let candidates = StoryCandidates([reading] + close)
        let told = try told(of: [reading] + close)
        let entry = StorySelection.course(
            of: reading.article, in: candidates, meanings: meanings, told: told, zone: app.timeZone)
        return (entry, Set(told.flatMap(\.told)))
    }

    /// The stories of the digests of the days on which these articles were read, and of the days after.
    private func told(of readings: [Reading]) throws -> [PreviousStory] {
        let day = 86_400.0
        let days = Set(
            readings.flatMap { [$0.readAt, $0.readAt.addingTimeInterval(day)] }.map { Day($0, in: app.timeZone) })
        let store = try app.history.open()
        var stories: [PreviousStory] = []
        for day in days.sorted() {
            guard let date = day.start(in: app.calendar) else { continue }
            if case .digest(let digest) = try store.digest(on: date, calendar: app.calendar), !digest.isWeek {
                stories += digest.previousStories(in: app.timeZone)
            }
        }
        return stories
    }
}
