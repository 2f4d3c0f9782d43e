import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct DigestWindowTests {
    private let now = Date(timeIntervalSince1970: 1_795_229_200)  // 2026-11-21T02:46:40Z
    private let lisbon = TimeZone(identifier: "Europe/Lisbon") ?? .gmt
    private let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt

    private func period(_ text: String, _ zone: TimeZone) throws -> Period {
        Period(from: try DateWords(now: now, calendar: .gregorian(in: zone)).moment(text, for: "--since"), to: now)
    }

    @Test(arguments: [
        ("2026-11-18", "2026-11-17T15:00:00Z"), ("2026-11-18T06:00", "2026-11-17T21:00:00Z"),
        ("2026-11-18T06:00:30", "2026-11-17T21:00:30Z"), ("2026-11-18T06:00:00Z", "2026-11-18T06:00:00Z"),
        ("2026-11-18T06:00:00+02:00", "2026-11-18T04:00:00Z"),
    ])
    func datesAreTheReaders(text: String, utc: String) throws {
        let period = try period(text, tokyo)
        #expect(try period.from == Date(utc, strategy: .iso8601))
        #expect(period.to == now)
    }

    /// The clock of Tokyo shows a Saturday, of which almost twelve hours are over.
    @Test(arguments: [
        ("today", "2026-11-20T15:00:00Z"), ("Yesterday", "2026-11-19T15:00:00Z"), ("saturday", "2026-11-20T15:00:00Z"),
        ("fri", "2026-11-19T15:00:00Z"), ("Sunday", "2026-11-14T15:00:00Z"), ("3d", "2026-11-18T02:46:40Z"),
        ("12h", "2026-11-20T14:46:40Z"), ("1w", "2026-11-14T02:46:40Z"),
    ])
    func wordsForMoments(text: String, utc: String) throws {
        #expect(try period(text, tokyo).from == Date(utc, strategy: .iso8601))
    }

    /// The night of 25 October 2026 has 25 hours in Lisbon.
    @Test func aDayBeginsAtItsOwnMidnight() throws {
        let summer = try period("2026-10-25", lisbon).from
        let winter = try period("2026-10-26", lisbon).from
        #expect(winter.timeIntervalSince(summer) == 25 * 3600)
    }

    @Test(arguments: [
        "", "soon", "0d", "-3d", "3x", "2026-13-01", "2026-11-32", "18.11.2026", "2026-11-18x", "2026-11-18T25:00",
        "2027-01-01",
    ])
    func whatIsNoPastDateIsAUsageError(text: String) throws {
        try fails(.usage) { try period(text, lisbon) }
    }
}
