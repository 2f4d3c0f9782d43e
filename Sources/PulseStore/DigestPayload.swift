import PulseCore

import struct Foundation.Date

/// A digest as it is kept: the value whole, each reading once.
struct DigestPayload: Codable {
    struct Entry: Codable {
        /// The story's readings, as places in `pool`.
        let story: [Int]
        let sentences: [Sentence]
    }

    struct Section: Codable {
        let heading: Digest.Heading
        let entries: [Entry]
        /// The stories that are told by title.
        let titled: [[Int]]
        let omitted: Int
    }

    let date: Date
    let period: Period
    let language: Language
    let model: ModelIdentity?
    let sections: [Section]
    let daysInARow: Int
    let muted: Int
    let refused: Int
    let timing: Timing
    /// Every reading once.
    let pool: [Reading]

    init(_ digest: Digest) {
        var pool: [Reading] = []
        var places: [Reading: Int] = [:]
        func story(_ story: Story) -> [Int] {
            story.readings.map { reading in
                if let place = places[reading] { return place }
                places[reading] = pool.count
                pool.append(reading)
                return pool.count - 1
            }
        }
        date = digest.date
        period = digest.period
        language = digest.language
        model = digest.model
        sections = digest.sections.map { section in
            Section(
                heading: section.heading,
                entries: section.entries.map { Entry(story: story($0.story), sentences: $0.sentences) },
                titled: section.titled.map(story), omitted: section.omitted)
        }
        daysInARow = digest.daysInARow
        muted = digest.muted
        refused = digest.refused
        timing = digest.timing
        self.pool = pool
    }

    /// What a digest says, without when it was made and how long that took.
    static func told(_ digest: Digest) -> DigestPayload {
        var digest = digest
        digest.date = Date(timeIntervalSince1970: 0)
        digest.period = Period(from: digest.date, to: digest.date)
        digest.timing = Timing()
        return DigestPayload(digest)
    }

    /// Nil where it refers to a reading that it does not hold.
    var digest: Digest? {
        let stories = sections.flatMap { $0.entries.map(\.story) + $0.titled }
        guard stories.allSatisfy({ !$0.isEmpty && $0.allSatisfy(pool.indices.contains) }) else { return nil }
        func story(_ places: [Int]) -> Story { Story(places.map { pool[$0] }) }
        return Digest(
            date: date, period: period, language: language, model: model,
            sections: sections.map { section in
                Digest.Section(
                    heading: section.heading,
                    entries: section.entries.map { Digest.Entry(story: story($0.story), sentences: $0.sentences) },
                    titled: section.titled.map(story), omitted: section.omitted)
            },
            daysInARow: daysInARow, muted: muted, refused: refused, timing: timing)
    }
}
