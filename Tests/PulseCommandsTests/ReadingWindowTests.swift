import Foundation
import PulseCore
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(10))) struct ReadingWindowTests {
    private let now = Date(timeIntervalSince1970: 1_795_229_200)  // 2026-11-21T02:46:40Z
    private let lisbon = TimeZone(identifier: "Europe/Lisbon") ?? .gmt
    private let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt

    @Test func hoursEndNow() throws {
        let period = try ReadingWindow(.hours(1.5)).period(endingAt: now, in: lisbon)
        #expect(period.to == now && period.duration == 5400)
    }

    @Test(arguments: [
        ("2026-11-18", "2026-11-17T15:00:00Z"), ("2026-11-18T06:00", "2026-11-17T21:00:00Z"),
        ("2026-11-18T06:00:30", "2026-11-17T21:00:30Z"), ("2026-11-18T06:00:00Z", "2026-11-18T06:00:00Z"),
        ("2026-11-18T06:00:00+02:00", "2026-11-18T04:00:00Z"),
    ])
    func datesAreTheReaders(text: String, utc: String) throws {
        let period = try ReadingWindow(.since(text)).period(endingAt: now, in: tokyo)
        #expect(try period.from == Date(utc, strategy: .iso8601))
        #expect(period.to == now)
    }

    /// The night of 25 October 2026 has 25 hours in Lisbon.
    @Test func aDayBeginsAtItsOwnMidnight() throws {
        let summer = try ReadingWindow(.since("2026-10-25")).period(endingAt: now, in: lisbon).from
        let winter = try ReadingWindow(.since("2026-10-26")).period(endingAt: now, in: lisbon).from
        #expect(winter.timeIntervalSince(summer) == 25 * 3600)
    }

    @Test(arguments: [
        "", "yesterday", "2026-13-01", "2026-11-32", "18.11.2026", "2026-11-18x", "2026-11-18T25:00", "2027-01-01",
    ])
    func whatIsNoPastDateIsAUsageError(text: String) {
        #expect { try ReadingWindow(.since(text)).period(endingAt: now, in: lisbon) } throws: {
            ($0 as? Failure)?.code == .usage
        }
    }
}
