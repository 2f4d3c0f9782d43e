import PulseCore

import struct Foundation.Date

/// A digest as it is kept: the value whole, each reading once though the digest has it in two places.
///
/// A new field of `Digest` or `Digest.Section` is added here as an optional one, so that digests that were kept before
/// it can still be read; a test holds the two side by side.
struct DigestPayload: Codable {
    struct Section: Codable {
        let category: Category
        let text: String
        let sentences: [Sentence]
        /// Each story's readings, as places in `pool`.
        let stories: [[Int]]
        let omitted: Int
        let shortened: Int
        let corrections: Corrections?
        let foreignLanguage: String?
    }

    let date: Date
    let period: Period
    let language: Language
    let model: ModelIdentity
    let sections: [Section]
    /// As places in `pool`.
    let readings: [Int]
    let daysInARow: Int?
    let muted: Int?
    let timing: Timing
    /// Every reading once.
    let pool: [Reading]

    init(_ digest: Digest) {
        var pool: [Reading] = []
        var places: [Reading: Int] = [:]
        func place(_ reading: Reading) -> Int {
            if let place = places[reading] { return place }
            places[reading] = pool.count
            pool.append(reading)
            return pool.count - 1
        }
        date = digest.date
        period = digest.period
        language = digest.language
        model = digest.model
        readings = digest.readings.map(place)
        sections = digest.sections.map { section in
            Section(
                category: section.category, text: section.text, sentences: section.sentences,
                stories: section.stories.map { $0.readings.map(place) }, omitted: section.omitted,
                shortened: section.shortened, corrections: section.corrections,
                foreignLanguage: section.foreignLanguage)
        }
        daysInARow = digest.daysInARow
        muted = digest.muted
        timing = digest.timing
        self.pool = pool
    }

    /// Nil where it refers to a reading that it does not hold.
    var digest: Digest? {
        guard readings.allSatisfy(pool.indices.contains),
            sections.allSatisfy({ $0.stories.allSatisfy { !$0.isEmpty && $0.allSatisfy(pool.indices.contains) } })
        else { return nil }
        return Digest(
            date: date, period: period, language: language, model: model,
            sections: sections.map { section in
                Digest.Section(
                    category: section.category, text: section.text, sentences: section.sentences,
                    stories: section.stories.map { Story($0.map { pool[$0] }) }, omitted: section.omitted,
                    shortened: section.shortened, corrections: section.corrections ?? Corrections(),
                    foreignLanguage: section.foreignLanguage)
            },
            readings: readings.map { pool[$0] }, daysInARow: daysInARow ?? 0, muted: muted ?? 0,
            timing: timing)
    }
}
