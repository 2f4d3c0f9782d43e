import CCrypto
import Foundation
public import PulseCore
import PulseText

enum Payload {
    static func text(_ value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        // Equal values give equal texts, which can be hashed.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Nil if the text is damaged or of another format.
    static func value<Value: Decodable>(_ type: Value.Type, from text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// A digest as it is stored: the whole value, with each reading once.
struct DigestPayload: Codable {
    struct Entry: Codable {
        /// The story's readings, as indices into `pool`.
        let story: [Int]
        let sentences: [Sentence]
        let update: Digest.Update?
        let course: [Digest.DayReport]
        /// Nil if there are none.
        let differences: [Sentence]?
        /// Nil for false.
        let isComment: Bool?
    }

    struct Section: Codable {
        let heading: Digest.Heading
        let entries: [Entry]
        let titled: [[Int]]
        let omitted: Int
    }

    let date: Date
    let basis: DigestBasis
    let period: Period
    let isWeek: Bool
    let language: Language
    let model: ModelIdentity?
    /// See `Digest.unusable`; nil also in digests stored before this field existed.
    let unusable: String?
    let sections: [Section]
    /// Nil in digests stored before this field existed.
    let toldBefore: [Digest.Repeat]?
    let daysInARow: Int
    let muted: Int
    let refused: Int
    /// Nil in digests stored before this field existed.
    let check: CheckMode?
    /// See `Digest.chosen`; nil also in digests stored before this field existed.
    let chosen: Int?
    let timing: Timing
    /// See `Digest`; nil in digests stored before these fields existed.
    let toldArticles: Int?
    var times: [Date]?
    var pool: [Reading]

    init(_ digest: Digest) {
        var pool: [Reading] = []
        var indices: [Reading: Int] = [:]
        func story(_ story: Story) -> [Int] {
            story.readings.map { reading in
                if let index = indices[reading] { return index }
                indices[reading] = pool.count
                pool.append(reading)
                return pool.count - 1
            }
        }
        date = digest.date
        basis = digest.basis
        period = digest.period
        isWeek = digest.isWeek
        language = digest.language
        model = digest.model
        unusable = digest.unusable
        sections = digest.sections.map { section in
            Section(
                heading: section.heading,
                entries: section.entries.map {
                    Entry(
                        story: story($0.story), sentences: $0.sentences, update: $0.update, course: $0.days,
                        differences: $0.differences.isEmpty ? nil : $0.differences,
                        isComment: $0.isComment ? true : nil)
                },
                titled: section.titled.map(story), omitted: section.omitted)
        }
        toldBefore = digest.toldBefore
        daysInARow = digest.daysInARow
        muted = digest.muted
        refused = digest.refused
        check = digest.check
        chosen = digest.chosen
        timing = digest.timing
        toldArticles = digest.toldArticles
        times = digest.times
        self.pool = pool
    }

    /// A digest's contents without its date and timings: equal for digests with equal contents.
    static func contents(of digest: Digest) -> DigestPayload {
        var digest = digest
        digest.date = Date(timeIntervalSince1970: 0)
        digest.period = Period(from: digest.date, to: digest.date)
        digest.timing = Timing()
        (digest.toldArticles, digest.times) = (0, nil)
        return DigestPayload(digest)
    }

    /// Nil if an index is outside of `pool`.
    var digest: Digest? {
        let stories = sections.flatMap { $0.entries.map(\.story) + $0.titled }
        guard stories.allSatisfy({ !$0.isEmpty && $0.allSatisfy(pool.indices.contains) }) else { return nil }
        func story(_ indices: [Int]) -> Story { Story(indices.map { pool[$0] }) }
        var digest = Digest(
            date: date, basis: basis, period: period, isWeek: isWeek, language: language, model: model,
            unusable: unusable,
            sections: sections.map { section in
                Digest.Section(
                    heading: section.heading,
                    entries: section.entries.map {
                        Digest.Entry(
                            story: story($0.story), sentences: $0.sentences, update: $0.update,
                            isComment: $0.isComment ?? false, days: $0.course, differences: $0.differences ?? [])
                    },
                    titled: section.titled.map(story), omitted: section.omitted)
            },
            toldBefore: toldBefore ?? [], daysInARow: daysInARow, muted: muted, refused: refused,
            check: check ?? .replace,
            chosen: chosen, timing: timing)
        digest.toldArticles = toldArticles ?? 0
        digest.times = times
        return digest
    }
}

/// SHA-256 hashes (FIPS 180-4) of contents, as 64 lower-case hexadecimal digits. The articles are untrusted: with a
/// collision, an attacker could give one article the summary of another.
public enum ContentHash {
    /// The hash of texts, each prefixed with its length: ["ab", "c"] and ["a", "bc"] differ, and so do nil and "".
    public static func of(_ texts: [String?]) -> String {
        var bytes: [UInt8] = []
        for text in texts {
            bytes += (text.map { "\($0.utf8.count):" } ?? "-").utf8
            bytes += (text ?? "").utf8
        }
        var digest = [UInt8](repeating: 0, count: 32)
        // EVP_DigestInit(3): "Returns 1 for success". A random hash makes every look-up a miss.
        guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else {
            return "none-\(UUID().uuidString)"
        }
        return Hexadecimal.text(of: digest)
    }

    /// The hash of all of an article's fields.
    public static func of(_ article: Article) -> String {
        of([
            article.id, article.url, article.title, article.summary, article.content, article.author, article.source,
            article.category.name, article.language,
            article.publishedAt.map { "\(Instant.milliseconds($0))" },
        ])
    }
}
