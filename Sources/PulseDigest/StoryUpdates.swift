public import PulseCore

public import struct Foundation.TimeZone

/// A story of an earlier digest.
public struct PreviousStory: Sendable, Hashable {
    public let update: Digest.Update
    /// The quoted report first.
    let articles: [Article]
    let sentences: [Sentence]

    /// Its sentences, as `Sentence.plain`.
    public var told: [String] { sentences.map(\.plain) }

    /// With some of its sentences only; nil if none is left.
    func keeping(_ isKept: (Sentence) -> Bool) -> PreviousStory? {
        let kept = sentences.filter(isKept)
        return kept.isEmpty ? nil : PreviousStory(update: update, articles: articles, sentences: kept)
    }

    /// Stories are compared with digests of this many days, today included, so that a weekday is unambiguous.
    public static let days = 7
}

extension Digest {
    /// The digest's numbered stories. One without a sentence was told by its headline.
    ///
    /// - Parameter titled: Whether to include stories shown by title only, for lack of room.
    public func previousStories(in zone: TimeZone, titled: Bool = false) -> [PreviousStory] {
        let day = Day(date, in: zone)
        var first = 1
        return sections.flatMap { section in
            defer { first += section.stories.count }
            let titles = titled ? section.titled.map { Entry(story: $0, sentences: []) } : []
            return (section.entries + titles).enumerated().map { index, entry in
                let lead = entry.story.lead
                let headline = [Sentence(text: lead.title, sources: [lead.id], origin: .copied)]
                let told = entry.sentences.isEmpty ? headline : entry.sentences
                return PreviousStory(
                    update: Update(day: day, number: first + index, text: told.joinedText),
                    articles: entry.story.articles, sentences: told)
            }
        }
    }
}

/// What earlier digests said about a story.
struct PreviousCoverage {
    let last: Digest.Update
    /// The ids of the articles they were based on.
    let articles: Set<String>
    private let terms: Set<String>
    /// `terms`, and those of the headlines.
    private let titled: Set<String>

    /// If the title has at least the first newness, the sentence needs only the second instead of `Weights.leastNew`:
    /// it may repeat most of what was told, as in “The teacher who was missing has been found.” Measured with
    /// follow-ups of one sentence and with repetitions.
    private static let (leastOfTitle, leastBelow) = (0.25, 0.08)

    /// - Parameter stories: Not empty, the oldest first.
    init?(_ stories: [PreviousStory]) {
        guard let last = stories.last else { return nil }
        self.last = last.update
        articles = Set(stories.lazy.flatMap(\.articles).map(\.id))
        terms = Set(stories.lazy.flatMap(\.sentences).flatMap { Terms.list(of: $0.plain) })
        titled = terms.union(stories.lazy.flatMap(\.articles).flatMap { Terms.list(of: $0.title) })
    }

    func isNews(in article: Article, _ weights: Weights) -> (String) -> Bool {
        let isTitleNew = weights.newness(of: article.title, beyond: titled) >= Self.leastOfTitle
        let least = isTitleNew ? Self.leastBelow : Weights.leastNew
        return { weights.newness(of: $0, beyond: terms) >= least }
    }

    /// Whether the title of an article without sentences is news.
    func isNews(title: String, _ weights: Weights) -> Bool {
        weights.newness(of: title, beyond: terms) >= Weights.leastNew
    }
}

/// Finds earlier coverage of stories. A story continues an earlier one if `StoryMerger` links them, and also all that
/// is linked to that one.
struct StoryUpdates {
    /// By group; nil if the story is new.
    let known: [PreviousCoverage?]

    /// - Parameters:
    ///   - merger: Has the articles that it groups, followed by those of `earlier`.
    ///   - groups: The current stories, which need not have all current articles.
    ///   - earlier: The oldest first.
    init(_ merger: consuming StoryMerger, groups: [[Int]], earlier: [PreviousStory]) {
        guard !earlier.isEmpty else {
            known = groups.map { _ in nil }
            return
        }
        var next = merger.grouped
        let past = earlier.map { story in
            defer { next += story.articles.count }
            return Array(next..<next + story.articles.count)
        }
        var before: [[Int]] = Array(repeating: [], count: groups.count)
        var related: [[Int]] = Array(repeating: [], count: earlier.count)
        for (first, second) in merger.links(between: groups + past) where second >= groups.count {
            let later = second - groups.count
            if first < groups.count {
                before[first].append(later)
            } else {
                related[later].append(first - groups.count)
                related[first - groups.count].append(later)
            }
        }
        // Most stories continue the same few, so what these said is put together once.
        var coverage: [[Int]: PreviousCoverage] = [:]
        known = before.map { direct in
            var (found, open) = (Set(direct), direct)
            while let story = open.popLast() {
                for other in related[story] where found.insert(other).inserted { open.append(other) }
            }
            let stories = found.sorted()
            if let known = coverage[stories] { return known }
            let made = PreviousCoverage(stories.map { earlier[$0] })
            coverage[stories] = made
            return made
        }
    }
}
