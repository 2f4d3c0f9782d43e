public import PulseCore

public import struct Foundation.TimeZone

extension StorySelection {
    /// The sections of a week's digest, with each story's sentences day by day.
    ///
    /// - Parameter told: The stories of the week's digests, the oldest first. For days without a digest of the story,
    ///   the publications' news is added.
    public func courses(told: [PreviousStory], in zone: TimeZone) -> [Digest.Section] {
        var indices: [String: [Int]] = [:]
        for (index, story) in told.enumerated() {
            for article in story.articles { indices[article.id, default: []].append(index) }
        }
        return sections.map { section in
            var section = section
            section.entries = section.entries.map { entry in
                let stories = Set(entry.story.articles.flatMap { indices[$0.id, default: []] }).sorted()
                return StorySelection.entry(of: entry.story, told: stories.map { told[$0] }, in: zone, by: selector)
            }
            return section
        }
    }

    /// The story of an article among candidates, with its days.
    ///
    /// - Parameter told: As in `courses`.
    public static func course(
        of article: Article, in candidates: StoryCandidates, meanings: Meanings, told: [PreviousStory], zone: TimeZone
    ) -> Digest.Entry {
        var merger = candidates.merger.knowing(meanings)
        let stories = merger.threads().map { group in Story(group.map { candidates.kept[$0] }) }
        let story = stories.first { $0.articles.contains { $0.id == article.id } } ?? Story(candidates.kept)
        let own = Set(story.articles.map(\.id))
        return entry(
            of: story, told: told.filter { $0.articles.contains { own.contains($0.id) } }, in: zone,
            by: SentenceSelector(candidates.weights))
    }

    private static func entry(
        of story: Story, told: [PreviousStory], in zone: TimeZone, by selector: SentenceSelector
    ) -> Digest.Entry {
        // By the day of reading: a digest mailed in the morning is about the day before.
        let readAt = Dictionary(story.readings.map { ($0.article.id, $0.readAt) }) { max($0, $1) }
        let own = Set(story.articles.map(\.id))
        // A digest may have told the story by an article that is now in another one.
        let told = told.compactMap { $0.keeping { $0.sources.allSatisfy(own.contains) } }
        // A digest may span days; the latest quoted reading decides.
        let byDay = Dictionary(grouping: told) { story in
            story.sentences.flatMap(\.sources).compactMap { readAt[$0] }.max().map { Day($0, in: zone) }
                ?? story.update.day
        }
        let others = Dictionary(grouping: story.readings) { Day($0.readAt, in: zone) }
        var days: [Digest.DayReport] = []
        // What was told on any day is no news on another.
        var known = told.map { story in
            let quoted = Set(story.sentences.flatMap(\.sources))
            return PreviousStory(
                update: story.update, articles: story.articles.filter { quoted.contains($0.id) },
                sentences: story.sentences)
        }
        for day in Set(byDay.keys).union(others.keys).sorted() {
            var stories = byDay[day] ?? []
            if stories.isEmpty, let readings = others[day] {
                let report = Story(readings)
                let entry =
                    PreviousCoverage(known).map { selector.entry(for: report, after: $0) }
                    ?? selector.entry(for: report)
                guard let entry, !entry.sentences.isEmpty else { continue }
                stories = [
                    PreviousStory(
                        update: Digest.Update(day: day, number: 1), articles: report.articles,
                        sentences: entry.sentences)
                ]
                known += stories
            }
            // Two digests may have the same sentences.
            var texts: Set<String> = []
            let sentences = stories.flatMap(\.sentences).filter { texts.insert($0.plain).inserted }
            days.append(Digest.DayReport(day: day, sentences: sentences))
        }
        guard let last = days.last else { return Digest.Entry(story: story, sentences: []) }
        // A sentence that needs its title is from a feature or column, whose title tells no story either.
        let quoted = days.reversed().flatMap(\.sentences)
        let source = (quoted.first { $0.title == nil } ?? quoted.first)?.sources.first
        let best = story.articles.first { $0.id == source }
        return Digest.Entry(story: best.map(story.led) ?? story, sentences: last.sentences, days: days)
    }
}
