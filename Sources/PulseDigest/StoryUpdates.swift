public import PulseCore

public import struct Foundation.TimeZone

/// A story as an earlier digest told it.
public struct ToldStory: Sendable, Hashable {
    public let told: Digest.Update
    let articles: [Article]
    let sentences: [Sentence]

    /// Stories are compared with what was told on so many days, today among them: a weekday then means one day only.
    public static let days = 7
}

extension Digest {
    /// The stories of the digest that are told in sentences, with their numbers.
    public func toldStories(in zone: TimeZone) -> [ToldStory] {
        let day = Day(date, in: zone)
        var first = 1
        return sections.flatMap { section in
            defer { first += section.stories.count }
            return section.entries.enumerated().filter { !$1.sentences.isEmpty }.map { index, entry in
                ToldStory(
                    told: Update(day: day, number: first + index, text: entry.sentences.joinedText),
                    articles: entry.story.articles, sentences: entry.sentences)
            }
        }
    }
}

/// What a reader was told of a story before.
struct KnownStory {
    /// The last time.
    let last: Digest.Update
    /// The ids of the articles that were behind it.
    private(set) var articles: Set<String> = []
    private var terms: Set<String> = []

    /// A sentence adds something if as much of its weight is new.
    private static let leastNew = 0.3

    /// - Parameter told: At least one, the oldest first.
    init?(_ told: [ToldStory]) {
        guard let last = told.last?.told else { return nil }
        self.last = last
        for story in told {
            articles.formUnion(story.articles.map(\.id))
            for sentence in story.sentences { terms.formUnion(Terms.list(of: sentence.plain)) }
        }
    }

    /// How much of a sentence's weighted words, its names and numbers among them, was not told yet: from 0 to 1.
    func newness(of sentence: String, _ weights: Weights) -> Double {
        let said = Terms.set(of: sentence)
        let all = weights.total(said)
        return all > 0 ? weights.total(said.subtracting(terms)) / all : 0
    }

    func isNews(_ sentence: String, _ weights: Weights) -> Bool {
        newness(of: sentence, weights) >= KnownStory.leastNew
    }
}

/// Finds what was told before of the stories at hand: a story goes on from an earlier one if `StoryMerger` would have
/// made one of them, and from what that one went on from.
struct StoryUpdates {
    /// By the number of the group; nil where the story is new.
    let known: [KnownStory?]

    /// - Parameters:
    ///   - merger: Of the articles at hand and, behind them, those of `earlier`.
    ///   - groups: The stories at hand.
    ///   - earlier: The oldest first.
    init(_ merger: StoryMerger, groups: [[Int]], earlier: [ToldStory]) {
        guard !earlier.isEmpty else {
            known = groups.map { _ in nil }
            return
        }
        var next = groups.reduce(0) { $0 + $1.count }
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
        known = before.map { direct in
            var (found, open) = (Set(direct), direct)
            while let story = open.popLast() {
                for other in related[story] where found.insert(other).inserted { open.append(other) }
            }
            return KnownStory(found.sorted().map { earlier[$0] })
        }
    }
}
