import Foundation
import PulseCore
import PulseSQL
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite struct DigestArchiveTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    static let utc = calendar("UTC")

    static func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    // MARK: The value

    @Test func aDigestComesBackAsItWas() throws {
        let store = try scratch.open()
        #expect(try store.digest(for: .sample()) == nil)
        try store.keep(.sample(), madeFrom: .sample())
        #expect(try store.digest(for: .sample()) == .sample())
        #expect(try scratch.open(.readOnly).digest(on: noon, calendar: Self.utc) == .digest(.sample()))
    }

    /// Whoever gives `Digest` a field gives it to what is kept, too; the second number counts the pool.
    @Test func everyFieldIsKept() throws {
        func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        let digest = Digest.sample()
        let payload = DigestPayload(digest)
        #expect(names(payload) == names(digest).union(["pool"]))
        #expect(names(payload.sections[0]) == names(digest.sections[0]))
    }

    @Test func aReadingIsKeptOnce() throws {
        #expect(DigestPayload(.sample()).pool.count == 3)
    }

    // MARK: What it is found by

    @Test("The time of making is no input; the latest of the same inputs is the one")
    func theLatestCounts() throws {
        let store = try scratch.open()
        try store.keep(.sample(date: hoursAgo(1), text: "Later."), madeFrom: .sample())
        try store.keep(.sample(date: hoursAgo(9), text: "Earlier."), madeFrom: .sample())
        #expect(try store.digest(for: .sample())?.sections[0].text == "Later.")
        #expect(try store.statistics().digests == 2)
    }

    static func changed(_ change: (inout Reading) -> Void) -> DigestInputs {
        var readings = Digest.sample().readings
        change(&readings[0])
        return .sample(readings: readings)
    }

    /// Each part changed alone.
    static let others: [DigestInputs] = [
        .sample(readings: []), .sample(readings: Digest.sample().readings.dropLast()), .sample(limit: 1),
        .sample(prompt: "Prompt"), .sample(model: "Model"), .sample(settings: [:]), .sample(settings: ["window": "24"]),
        .sample(settings: ["window": "48", "seed": "1"]),
        changed { $0.article.id = "z" }, changed { $0.article.url = nil }, changed { $0.article.title = "T" },
        changed { $0.article.summary = "s" }, changed { $0.article.content += "." },
        changed { $0.article.author = "" }, changed { $0.article.source = "Other" },
        changed { $0.article.category = Category("sports") }, changed { $0.article.language = "pt" },
        changed { $0.article.publishedAt = noon }, changed { $0.readAt += 0.001 }, changed { $0.origin = "o" },
        changed { $0.isExact = false },
    ]

    @Test(arguments: others)
    func anotherInputIsAnotherDigest(inputs: DigestInputs) throws {
        let store = try scratch.open()
        try store.keep(.sample(), madeFrom: .sample())
        #expect(try store.digest(for: inputs) == nil)
    }

    /// What was made when memory was short is in the archive, and nobody's answer when it is not.
    @Test func aMakeshiftIsArchivedOnly() throws {
        let store = try scratch.open()
        try store.keep(.sample(), madeFrom: DigestInputs.sample().with("shortage", "1024"))
        #expect(try store.digest(for: .sample()) == nil)
        #expect(try store.digest(on: noon, calendar: Self.utc) == .digest(.sample()))
    }

    @Test func allKeysDiffer() { #expect(Set((Self.others + [.sample()]).map(\.key)).count == Self.others.count + 1) }

    @Test func theOrderOfReadingsIsNoInput() {
        let readings = Digest.sample().readings
        #expect(DigestInputs.sample(readings: readings).key == DigestInputs.sample(readings: readings.reversed()).key)
    }

    @Test("What merely left the window without being chosen changes the count of what was left out, and nothing else")
    func theWindowMaySlide() throws {
        // Each about something of its own, so that none is another's story.
        let titles = ["Bridge votes", "Harvest begins", "Comet returns", "Library opens"]
        let readings = titles.enumerated().map { reading(article("\($0)", title: $1), at: hoursAgo(Double($0 + 1))) }
        let before = DigestInputs.sample(readings: readings, limit: 2)
        let after = DigestInputs.sample(readings: readings.dropLast(), limit: 2)
        #expect(before.sections.map(\.omitted) == [2] && after.sections.map(\.omitted) == [1])
        func counting(_ omitted: Int, _ inputs: DigestInputs) throws -> String {
            let text = inputs.text.replacing("\"omitted\":\(omitted)", with: "\"omitted\":n")
            try #require(text != inputs.text)
            return text
        }
        #expect(try counting(2, before) == counting(1, after))
    }

    // MARK: By day

    @Test func theLatestOfTheDay() throws {
        let store = try scratch.open()
        for (hours, text) in [
            (1.0, "Eleven."), (11.9, "First of the day."), (12.1, "The evening before."), (5, "Seven."),
        ] {
            try store.keep(.sample(date: hoursAgo(hours), text: text), madeFrom: .sample())
        }
        func text(_ date: Date, _ zone: String = "UTC") throws -> String? {
            guard case .digest(let digest) = try store.digest(on: date, calendar: Self.calendar(zone)) else {
                return nil
            }
            return digest.sections[0].text
        }
        #expect(try text(noon) == "Eleven.")
        #expect(try text(hoursAgo(-11)) == "Eleven.")
        #expect(try text(hoursAgo(13)) == "The evening before.")
        // In Auckland it was the first of March in UTC's evening already, and is the second from 11:00 UTC on.
        #expect(try text(hoursAgo(2), "Pacific/Auckland") == "Seven.")
        #expect(try text(noon, "Pacific/Auckland") == "Eleven.")
    }

    @Test func aDayWithoutOneNamesTheNearest() throws {
        let store = try scratch.open()
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: nil, after: nil))
        for hours in [100.0, 60, -60, -100] {
            try store.keep(.sample(date: hoursAgo(hours)), madeFrom: .sample())
        }
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: hoursAgo(60), after: hoursAgo(-60)))
        #expect(try store.digest(on: hoursAgo(999), calendar: Self.utc) == .none(before: nil, after: hoursAgo(100)))
        #expect(try store.digest(on: hoursAgo(-999), calendar: Self.utc) == .none(before: hoursAgo(-100), after: nil))
    }

    // MARK: Damage

    @Test(
        "A damaged digest is a miss for its inputs, and told for its day",
        arguments: [
            "payload = ''", "payload = '{}'", "form = 0", "form = 7", "payload = substr(payload, 1, 200)",
            "payload = replace(payload, '\"readings\":[0', '\"readings\":[99')",
            "payload = replace(payload, '\"stories\":[[0', '\"stories\":[[-1')",
            "payload = replace(payload, '\"stories\":[[2]]', '\"stories\":[[]]')",
            "payload = replace(payload, '\"language\":\"en\"', '\"language\":\"tlh\"')",
        ])
    func damage(change: String) throws {
        let store = try scratch.open()
        try store.keep(.sample(), madeFrom: .sample())
        try store.connection.execute("UPDATE digests SET " + change)
        #expect(try store.digest(for: .sample()) == nil)
        #expect(try store.digest(on: noon, calendar: Self.utc) == .unreadable)
        try store.keep(.sample(date: hoursAgo(0)), madeFrom: .sample())
        try store.keep(.sample(date: hoursAgo(-1), text: "New."), madeFrom: .sample())
        #expect(try store.digest(for: .sample())?.sections[0].text == "New.")
    }

    // MARK: What may go wrong

    @Test func clearingForgetsWhatWasMadeOfTheHistory() throws {
        let store = try scratch.open()
        _ = try store.record([reading("a")])
        try store.keep(.sample(text: "xyzzysecret"), madeFrom: .sample())
        try store.keep(.sample, for: KeptSummaryTests.key())
        #expect(try store.clear() == 1)
        #expect(try store.digest(for: .sample()) == nil)
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: nil, after: nil))
        #expect(try store.summary(for: KeptSummaryTests.key()) == nil)
        #expect(try store.statistics().digests == 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path))
        #expect(data.range(of: Data("xyzzysecret".utf8)) == nil)
    }

    @Test func whoMayOnlyReadIsRefused() throws {
        _ = try scratch.open().record([reading("a")])
        let store = try scratch.open(.readOnly)
        #expect(failure { () throws(StoreError) in try store.keep(.sample(), madeFrom: .sample()) } == .readOnly)
        #expect(try store.digest(for: .sample()) == nil)
    }

    @Test func aWriterThatHoldsTheStoreIsNamed() throws {
        let store = try scratch.open()
        let other = try scratch.open()
        try other.connection.execute("BEGIN IMMEDIATE")
        #expect(failure { () throws(StoreError) in try store.keep(.sample(), madeFrom: .sample()) } == .busy)
        #expect(try store.digest(for: .sample()) == nil)
        try other.connection.execute("ROLLBACK")
        try store.keep(.sample(), madeFrom: .sample())
        #expect(try store.digest(for: .sample()) == .sample())
    }

    /// A store of the first version in a place that cannot be written: everything in it can still be told.
    @Test func anEarlierStoreThatCannotBeWrittenIsRead() throws {
        let expected = try scratch.makeFirstVersion()
        #expect(chmod(scratch.folder.path, 0o777) == 0)
        #expect(chmod(scratch.path, 0o444) == 0)
        try asOrdinaryUser {
            let store = try scratch.open(.readOnly)
            let isComplete = store.isComplete
            #expect(!isComplete)
            #expect(try store.list(limit: 9) == expected)
            #expect(try store.digest(for: .sample()) == nil)
            #expect(try store.summary(for: KeptSummaryTests.key()) == nil)
            #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: nil, after: nil))
            #expect(try store.statistics().digests == 0)
        }
    }
}
