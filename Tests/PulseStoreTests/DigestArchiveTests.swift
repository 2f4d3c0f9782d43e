import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class DigestArchiveTests: StoreSuite {
    static let utc = calendar("UTC")

    // MARK: The value

    @Test func aDigestComesBackAsItWas() throws {
        #expect(try store.latestPrinted() == nil)
        try store.keep(.sample(), calendar: Self.utc)
        #expect(try store.latestPrinted() == .sample())
        #expect(try scratch.open(.readOnly).digest(on: noon, calendar: Self.utc) == .digest(.sample()))
    }

    /// Whoever gives `Digest` a field gives it to what is kept, too; the second number counts the pool.
    @Test func everyFieldIsKept() throws {
        func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        let digest = Digest.sample()
        let payload = DigestPayload(digest)
        // What was considered is noted when a digest is sent, and no part of what it says.
        #expect(names(payload) == names(digest).union(["pool"]).subtracting(["considered"]))
        #expect(names(payload.sections[0]) == names(digest.sections[0]))
    }

    @Test func aReadingIsKeptOnce() throws { #expect(DigestPayload(.sample()).pool.count == 3) }

    /// Numbers are those of the digest on the screen, also of one that is printed again; a mail has its own.
    @Test func theLastPrintedIsTheOneThatNumbersAreOf() throws {
        let first = Digest.sample(date: hoursAgo(9), text: "First.")
        let mail = Digest.sample(date: hoursAgo(5), text: "Mail.")
        try store.keep(first, calendar: Self.utc)
        try store.keep(mail, as: .mailed, for: "ana@example.org", calendar: Self.utc)
        #expect(try store.latestPrinted()?.told == "First." && store.latestMailed()?.told == "Mail.")
        try store.keep(.sample(date: hoursAgo(1), text: "Second."), calendar: Self.utc)
        #expect(try store.latestPrinted()?.told == "Second.")
        for _ in 0..<2 { try store.keepPrinted(first, profile: "", calendar: Self.utc) }
        #expect(try store.latestPrinted()?.told == "First." && store.statistics().digests == 3)
        for _ in 0..<2 { try store.keepPrinted(mail, profile: "", calendar: Self.utc) }
        #expect(try store.latestPrinted()?.told == "Mail." && store.statistics().digests == 4)
    }

    /// Looked at ten times a day, it is kept once, as long as it says the same.
    @Test func theSameToldAgainOnOneDayIsKeptOnce() throws {
        for hours in [5.0, 3, 1] { try store.keep(.sample(date: hoursAgo(hours), text: "Same."), calendar: Self.utc) }
        #expect(try store.statistics().digests == 1)
        try store.keep(.sample(date: hoursAgo(0.5), text: "Other."), calendar: Self.utc)
        try store.keep(.sample(date: hoursAgo(30), text: "Same."), calendar: Self.utc)
        #expect(try store.statistics().digests == 3)
    }

    // MARK: By delivery

    /// What was mailed is the day's, then what was printed whole; a glance is only where there is nothing else.
    @Test func theDaysDigestIsTheOneThatWasDelivered() throws {
        func days() throws -> String? { try store.digest(on: noon, calendar: Self.utc).told }
        func keep(_ text: String, _ hours: Double, _ delivery: Delivery, _ reader: String = Store.output) throws {
            try store.keep(.sample(date: hoursAgo(hours), text: text), as: delivery, for: reader, calendar: Self.utc)
        }
        try keep("A week.", 0.1, .week)
        #expect(try days() == nil)
        try keep("A glance.", 1, .glance)
        #expect(try days() == "A glance.")
        try keep("Whole.", 3, .printed)
        #expect(try days() == "Whole.")
        try keep("Mailed.", 5, .mailed, "ana@example.org")
        try keep("Mailed to Ben.", 4, .mailed, "ben@example.org")
        #expect(try days() == "Mailed to Ben.")
        func told(_ reader: String) throws -> [String] {
            try store.digests(for: reader, from: hoursAgo(4.5), before: noon).compactMap(\.told)
        }
        #expect(try told(Store.output) == ["Whole.", "A glance."])
        #expect(try told("ben@example.org") == ["Mailed to Ben."] && told("ana@example.org") == [])
    }

    /// A day's digest is that of a profile; a mail to somebody else is not what whoever refers to a story has seen.
    @Test func eachProfileHasItsOwnDays() throws {
        func day(_ profile: String) throws -> String? {
            try store.digest(on: noon, for: profile, calendar: Self.utc).told
        }
        func keep(_ text: String, _ hours: Double, _ delivery: Delivery, _ reader: String, _ profile: String) throws {
            try store.keep(
                .sample(date: hoursAgo(hours), text: text), as: delivery, for: reader, profile: profile,
                calendar: Self.utc)
        }
        try keep("Mine.", 5, .printed, Store.output, "")
        try keep("Ana's.", 4, .mailed, "ana@example.org", "ana")
        #expect(try day("") == "Mine." && day("ana") == "Ana's." && day("ben") == nil)
        #expect(try store.latestPrinted()?.told == "Mine.")
        #expect(try store.digestDates(limit: 9) == [hoursAgo(5)])
        try keep("Ana's, printed.", 3, .printed, Store.output + "ana", "ana")
        #expect(try store.latestPrinted()?.told == "Ana's, printed.")
    }

    // MARK: By day

    @Test func theLatestOfTheDay() throws {
        for (hours, text) in [(1.0, "Eleven."), (11.9, "Midnight."), (12.1, "The evening before."), (5, "Seven.")] {
            try store.keep(.sample(date: hoursAgo(hours), text: text), calendar: Self.utc)
        }
        func text(_ date: Date, _ zone: String = "UTC") throws -> String? {
            try store.digest(on: date, calendar: calendar(zone)).told
        }
        #expect(try text(noon) == "Eleven.")
        #expect(try text(hoursAgo(-11)) == "Eleven.")
        #expect(try text(hoursAgo(13)) == "The evening before.")
        // In Auckland it was the first of March in UTC's evening already, and is the second from 11:00 UTC on.
        #expect(try text(hoursAgo(2), "Pacific/Auckland") == "Seven.")
        #expect(try text(noon, "Pacific/Auckland") == "Eleven.")
    }

    @Test func aDayWithoutOneNamesTheNearest() throws {
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: nil, after: nil))
        for hours in [100.0, 60, -60, -100] { try store.keep(.sample(date: hoursAgo(hours)), calendar: Self.utc) }
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: hoursAgo(60), after: hoursAgo(-60)))
        #expect(try store.digest(on: hoursAgo(999), calendar: Self.utc) == .none(before: nil, after: hoursAgo(100)))
        #expect(try store.digest(on: hoursAgo(-999), calendar: Self.utc) == .none(before: hoursAgo(-100), after: nil))
    }

    // MARK: Damage

    @Test(arguments: [
        "payload = ''", "payload = '{}'", "form = 0", "form = 7", "payload = substr(payload, 1, 200)",
        "payload = replace(payload, '\"story\":[0', '\"story\":[99')",
        "payload = replace(payload, '\"story\":[0', '\"story\":[-1')",
        "payload = replace(payload, '\"titled\":[[1]]', '\"titled\":[[]]')",
        "payload = replace(payload, '\"language\":\"pt-PT\"', '\"language\":\"tlh\"')",
    ])
    func aDamagedDigestIsNoneAndItsDaySaysSo(change: String) throws {
        try store.keep(.sample(), calendar: Self.utc)
        try store.connection.execute("UPDATE digests SET " + change)
        #expect(try store.latestPrinted() == nil)
        #expect(try store.digest(on: noon, calendar: Self.utc) == .unreadable)
        try store.keep(.sample(date: hoursAgo(-1), text: "New."), calendar: Self.utc)
        #expect(try store.latestPrinted()?.told == "New.")
    }

    // MARK: What may go wrong

    @Test func clearingForgetsWhatWasMadeOfTheHistory() throws {
        _ = try store.record([reading("a")])
        try store.keep(.sample(text: "xyzzysecret"), calendar: Self.utc)
        try store.keep(CachedAnswerTests.answer, for: CachedAnswerTests.key(), at: noon)
        #expect(try store.clear() == 1)
        #expect(try store.latestPrinted() == nil)
        #expect(try store.digest(on: noon, calendar: Self.utc) == .none(before: nil, after: nil))
        #expect(try store.answer(for: CachedAnswerTests.key()) == nil)
        #expect(try store.statistics().digests == 0)
        #expect(try !scratch.holds("xyzzysecret"))
    }

    @Test func whoMayOnlyReadIsRefused() throws {
        _ = try scratch.open().record([reading("a")])
        let store = try scratch.open(.readOnly)
        #expect(failure { try store.keep(.sample(), calendar: Self.utc) }.says(.permission, "cannot be written"))
        #expect(try store.latestPrinted() == nil)
    }

    @Test func aWriterThatHoldsTheStoreIsNamed() throws {
        let other = try scratch.open()
        try other.connection.execute("BEGIN IMMEDIATE")
        #expect(failure { try store.keep(.sample(), calendar: Self.utc) }.says(.tryAgain, "Another program"))
        #expect(try store.latestPrinted() == nil)
        try other.connection.execute("ROLLBACK")
        try store.keep(.sample(), calendar: Self.utc)
        #expect(try store.latestPrinted() == .sample())
    }
}
