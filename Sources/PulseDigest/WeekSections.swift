public import PulseCore

public import struct Foundation.TimeZone

extension Selection {
    /// The sections of a week's digest, with each story's sentences day by day.
    ///
    /// - Parameter told: The stories of the week's digests, the oldest first. For days without a digest of the story,
    ///   the publications' news is added.
    public func courses(told: [PreviousStory], in zone: TimeZone) -> [Digest.Section] {
        let selector = SentenceSelector(weights)
        var indices: [String: [Int]] = [:]
        for (index, story) in told.enumerated() {
            for article in story.articles { indices[article.id, default: []].append(index) }
        }
        return sections.map { section in
            Digest.Section(
                heading: section.heading,
                entries: section.summarized.map { story in
                    let stories = Set(story.articles.flatMap { indices[$0.id, default: []] }).sorted()
                    return Selection.entry(of: story, told: stories.map { told[$0] }, in: zone, by: selector)
                }, omitted: section.omitted)
        }
    }

    private static func entry(
        of story: Story, told: [PreviousStory], in zone: TimeZone, by selector: SentenceSelector
    ) -> Digest.Entry {
        // By the day of reading: a digest mailed in the morning is about the day before.
        let readAt = Dictionary(story.readings.map { ($0.article.id, $0.readAt) }) { max($0, $1) }
        let byDay = Dictionary(grouping: told) { story in
            story.articles.compactMap { readAt[$0.id] }.max().map { Day($0, in: zone) } ?? story.update.day
        }
        let known = Set(told.flatMap(\.articles).map(\.id))
        let others = Dictionary(grouping: story.readings.filter { !known.contains($0.article.id) }) {
            Day($0.readAt, in: zone)
        }
        var days: [Digest.DayReport] = []
        var earlier: [PreviousStory] = []
        for day in Set(byDay.keys).union(others.keys).sorted() {
            var stories = byDay[day] ?? []
            if stories.isEmpty, let readings = others[day] {
                let report = Story(readings)
                let entry =
                    PreviousCoverage(earlier).map { selector.entry(for: report, after: $0) }
                    ?? selector.entry(for: report)
                guard let entry, !entry.sentences.isEmpty else { continue }
                stories = [
                    PreviousStory(
                        update: Digest.Update(day: day, number: 1), articles: report.articles,
                        sentences: entry.sentences)
                ]
            }
            earlier += stories
            // Two digests may have the same sentences.
            var texts: Set<String> = []
            let sentences = stories.flatMap(\.sentences).filter { texts.insert($0.plain).inserted }
            days.append(Digest.DayReport(day: day, sentences: sentences))
        }
        guard let last = days.last else { return Digest.Entry(story: story, sentences: []) }
        let best = story.articles.first { $0.id == last.sentences.first?.sources.first }
        return Digest.Entry(story: best.map(story.led) ?? story, sentences: last.sentences, days: days)
    }
}
