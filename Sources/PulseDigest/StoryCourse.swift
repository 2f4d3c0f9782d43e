public import PulseCore

public import struct Foundation.TimeZone

extension Selection {
    /// The sections of a week, with what was told of each story on which day.
    ///
    /// - Parameter told: What the week's digests told, the oldest first. Of days on which none told a story, its
    ///   publications tell what they add.
    public func courses(told: [ToldStory], in zone: TimeZone) -> [Digest.Section] {
        let teller = StoryTeller(weights)
        var telling: [String: [Int]] = [:]
        for (index, story) in told.enumerated() {
            for article in story.articles { telling[article.id, default: []].append(index) }
        }
        return sections.map { section in
            Digest.Section(
                heading: section.heading,
                entries: section.told.map { story in
                    let indices = Set(story.articles.flatMap { telling[$0.id, default: []] }).sorted()
                    return Selection.course(of: story, told: indices.map { told[$0] }, in: zone, by: teller)
                }, omitted: section.omitted)
        }
    }

    private static func course(
        of story: Story, told: [ToldStory], in zone: TimeZone, by teller: StoryTeller
    ) -> Digest.Entry {
        // By the day on which it was read: what is mailed in the morning is of the day before.
        let read = Dictionary(story.readings.map { ($0.article.id, $0.readAt) }) { max($0, $1) }
        let byDay = Dictionary(grouping: told) { told in
            told.articles.compactMap { read[$0.id] }.max().map { Day($0, in: zone) } ?? told.told.day
        }
        let known = Set(told.flatMap(\.articles).map(\.id))
        let others = Dictionary(grouping: story.readings.filter { !known.contains($0.article.id) }) {
            Day($0.readAt, in: zone)
        }
        var days: [Digest.DayReport] = []
        var earlier: [ToldStory] = []
        for day in Set(byDay.keys).union(others.keys).sorted() {
            var stories = byDay[day] ?? []
            if stories.isEmpty, let readings = others[day] {
                let report = Story(readings)
                let entry = KnownStory(earlier).map { teller.tell(report, after: $0) } ?? teller.tell(report)
                guard let entry, !entry.sentences.isEmpty else { continue }
                stories = [
                    ToldStory(
                        told: Digest.Update(day: day, number: 1), articles: report.articles, sentences: entry.sentences)
                ]
            }
            earlier += stories
            // Two digests may have told the same.
            var texts: Set<String> = []
            let sentences = stories.flatMap(\.sentences).filter { texts.insert($0.plain).inserted }
            days.append(Digest.DayReport(day: day, sentences: sentences))
        }
        guard let last = days.last else { return Digest.Entry(story: story, sentences: []) }
        let best = story.articles.first { $0.id == last.sentences.first?.sources.first }
        return Digest.Entry(story: best.map(story.led) ?? story, sentences: last.sentences, days: days)
    }
}
