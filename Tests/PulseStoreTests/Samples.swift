import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport

@testable import PulseStore

/// 2026-03-01T12:00:00Z, the now of these tests.
let noon = Date(timeIntervalSince1970: 1_772_366_400)

func hoursAgo(_ hours: Double) -> Date { noon.addingTimeInterval(-hours * 3600) }

/// The calendar of a time zone, which has to be one.
func calendar(_ zone: String) -> Calendar {
    guard let zone = TimeZone(identifier: zone) else { preconditionFailure("no time zone: \(zone)") }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar
}

func article(
    _ id: String, title: String? = nil, url: String? = nil, summary: String = "", content: String = "",
    source: String = "The Gazette", category: PulseCore.Category = Category("world")
) -> Article {
    Article(
        id: id, url: url, title: title ?? "Title of \(id)", summary: summary, content: content, source: source,
        category: category)
}

func reading(_ article: Article, at date: Date = noon, origin: String = "jsonl", isExact: Bool = true) -> Reading {
    Reading(article: article, readAt: date, origin: origin, isExact: isExact)
}

func reading(_ id: String, at date: Date = noon, origin: String = "jsonl", isExact: Bool = true) -> Reading {
    reading(article(id), at: date, origin: origin, isExact: isExact)
}

extension Digest {
    /// Three stories, one of them of two sources, with what is hard to store: control characters and times that are not
    /// whole milliseconds.
    static func sample(date: Date = noon.addingTimeInterval(0.123_456_7), text: String = "One \u{1b}[1m “two” 東京.\n")
        -> Digest
    {
        let readings = [
            reading(article("a", url: "https://x.example/a?b=1&c", content: "Long."), at: hoursAgo(1.000_000_1)),
            reading(article("b", title: "\u{0}\u{202e}B", summary: "Short."), at: hoursAgo(2), isExact: false),
            reading(article("c", category: Category("gardening")), at: hoursAgo(3)),
        ]
        var digest = Digest(
            date: date, period: Period(hours: 47.3, endingAt: date), language: .europeanPortuguese,
            model: ModelIdentity(name: "pulse-nano", sha256: nil),
            sections: [
                Section(
                    heading: .category(Category("world")),
                    entries: [
                        Entry(
                            story: Story([readings[0], readings[1]]),
                            sentences: [
                                Sentence(text: text, sources: ["a", "b"], origin: .written),
                                Sentence(text: "Two.", sources: [], origin: .replaced),
                            ])
                    ], titled: [Story([readings[1]])], omitted: 3),
                Section(heading: .source("The Herald"), entries: [Entry(story: Story([readings[2]]), sentences: [])]),
                Section(heading: .more, entries: []),
            ],
            daysInARow: 7, muted: 5, refused: 2, timing: Self.timing)
        (digest.toldArticles, digest.times) = (4, [hoursAgo(1), hoursAgo(5)])
        return digest
    }

    private static let timing: Timing = {
        var timing = Timing()
        timing.load = .nanoseconds(12_345_678)
        (timing.promptTokens, timing.prompt) = (1, .seconds(1.5))
        (timing.outputTokens, timing.output) = (2, .microseconds(999_600))
        return timing
    }()

    /// The first sentence, which tells one sample from another.
    var told: String? { sentences.first?.text }
}

/// A store in a folder of its own, and the folder, which must be kept as long as the store is used.
struct Scratch {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("history.sqlite")
    }

    func open(_ access: Store.Access = .readWrite, busyTimeout: Duration = .milliseconds(50)) throws -> Store {
        try Store(at: path, access: access, busyTimeout: busyTimeout)
    }

    /// The error that opening ends with; nil where it opens.
    func failure(_ access: Store.Access = .readWrite) -> PulseError? { PulseTestSupport.failure { try open(access) } }

    /// Whether a text is in any of the folder's files, deleted or not.
    func holds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
            try Data(contentsOf: URL(fileURLWithPath: folder.file($0))).range(of: Data(text.utf8)) != nil
        }
    }
}

/// A suite whose tests have a store each.
class StoreSuite {
    let scratch: Scratch
    let store: Store
    let everything = Period(from: .distantPast, to: .distantFuture)

    init() throws {
        scratch = try Scratch()
        store = try scratch.open()
    }
}

extension ArticleLookup {
    /// The one that is meant; nil where there is none or a choice.
    var reading: Reading? { if case .one(let reading) = self { reading } else { nil } }
}

extension DayOfDigests {
    /// What tells the day's sample from another; nil where there is no digest.
    var told: String? { if case .digest(let digest) = self { digest.told } else { nil } }
}

extension Store {
    /// What is found once everything is indexed.
    func found(_ words: String, limit: Int = 99) throws -> [Reading] {
        try index()
        return try search(words, limit: limit)
    }

    /// Whether the search index is sound and holds the words of the articles as they are. It writes.
    func indexIsSound() -> Bool {
        guard (try? index()) != nil else { return false }
        // https://www.sqlite.org/fts5.html#the_integrity_check_command: with a rank of 1 the index is compared with the
        // external content.
        return (try? connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")) != nil
    }
}

/// Runs `body` without root's right to open everything, so that a test of permissions can fail wherever it runs.
func asOrdinaryUser<Result>(_ body: () throws -> Result) throws -> Result {
    #if os(Linux)
        // setfsuid(2): "the effective user ID [...] used for file system access checks", of the calling thread alone; a
        // synchronous test stays on its thread. Leaving 0 also drops the capability that overrides permissions.
        typealias SetFSUID = @convention(c) (UInt32) -> Int32
        guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return try body() }
        let setfsuid = unsafeBitCast(symbol, to: SetFSUID.self)
        _ = setfsuid(65_534)
        defer { _ = setfsuid(0) }
    #endif
    return try body()
}
