import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct DateWordsTests {
    /// Saturday, 21 November 2026, 02:46:40 in Lisbon, whose clocks show UTC then.
    private let words = DateWords(
        now: Date(timeIntervalSince1970: 1_795_229_200),
        calendar: .gregorian(in: TimeZone(identifier: "Europe/Lisbon") ?? .gmt))

    @Test(arguments: [
        ("18 nov", "2026-11-18"), ("nov 18", "2026-11-18"), ("18 November", "2026-11-18"), ("18 dec", "2025-12-18"),
        ("3 mar 2024", "2024-03-03"), ("18 de novembro", "2026-11-18"), ("1 févr.", "2026-02-01"),
        ("29 feb", "2024-02-29"), ("ontem", "2026-11-20"), ("monday", "2026-11-16"), ("sábado", "2026-11-21"),
        ("lunes", "2026-11-16"), ("jeudi", "2026-11-19"), ("2 days ago", "2026-11-19"), ("1 week", "2026-11-14"),
        ("2026-11-18", "2026-11-18"), ("3d", "2026-11-18"), ("wed 18 nov", "2026-11-18"), ("mar 3 2024", "2024-03-03"),
        ("avant-hier", "2026-11-19"), ("the day before yesterday", "2026-11-19"),
    ])
    func aDayInWords(text: String, day: String) throws {
        #expect(try Day(words.noon(text, for: "--date"), in: words.calendar.timeZone).text == day)
    }

    @Test func aMomentOfAWordIsItsMidnight() throws {
        #expect(try words.moment("18 nov", for: "--since") == Date("2026-11-18T00:00:00Z", strategy: .iso8601))
        #expect(try words.moment("24h", for: "--since") == words.now.addingTimeInterval(-86_400))
    }

    @Test(arguments: [
        ("18/11/2026", "2026-11-18"), ("03/04/2026", "2026-03-04 or 2026-04-03"), ("18.11.2026", "2026-11-18"),
        ("32 nov", "does not understand"), ("1-5 nov", "does not understand"),
        ("jui 3", "does not understand"), ("2027-01-01", "in the future"),
        ("tomorrow", "in the future"), ("0d", "does not understand"), ("2026-13-01", "It takes 2026-11-18"),
    ])
    func whatIsNotTakenIsToldHowToWrite(text: String, says: String) throws {
        let error = try fails(.usage, says) { try words.moment(text, for: "--since") }
        #expect(error.message.hasPrefix("--since"))
    }

    // MARK: - In other zones

    private func moment(_ text: String, _ zone: String = "Asia/Tokyo") throws -> Date {
        let calendar = Calendar.gregorian(in: try #require(TimeZone(identifier: zone)))
        return try DateWords(now: words.now, calendar: calendar).moment(text, for: "--since")
    }

    /// The clock of Tokyo shows a Saturday, of which almost twelve hours are over.
    @Test(arguments: [
        ("2026-11-18", "2026-11-17T15:00:00Z"), ("2026-11-18T06:00", "2026-11-17T21:00:00Z"),
        ("2026-11-18T06:00:30", "2026-11-17T21:00:30Z"), ("2026-11-18T06:00:00Z", "2026-11-18T06:00:00Z"),
        ("2026-11-18T06:00:00+02:00", "2026-11-18T04:00:00Z"),
        ("today", "2026-11-20T15:00:00Z"), ("Yesterday", "2026-11-19T15:00:00Z"), ("saturday", "2026-11-20T15:00:00Z"),
        ("fri", "2026-11-19T15:00:00Z"), ("Sunday", "2026-11-14T15:00:00Z"), ("3d", "2026-11-18T02:46:40Z"),
        ("12h", "2026-11-20T14:46:40Z"), ("1w", "2026-11-14T02:46:40Z"),
    ])
    func momentsAreTheReaders(text: String, utc: String) throws {
        #expect(try moment(text) == Date(utc, strategy: .iso8601))
    }

    /// The night of 25 October 2026 has 25 hours in Lisbon.
    @Test func aDayBeginsAtItsOwnMidnight() throws {
        let (summer, winter) = (try moment("2026-10-25", "Europe/Lisbon"), try moment("2026-10-26", "Europe/Lisbon"))
        #expect(winter.timeIntervalSince(summer) == 25 * 3600)
    }

    @Test(arguments: ["", "soon", "-3d", "3x", "2026-11-32", "2026-11-18x", "2026-11-18T25:00"])
    func whatIsNoPastDateIsAUsageError(text: String) throws { try fails(.usage) { try moment(text) } }
}
