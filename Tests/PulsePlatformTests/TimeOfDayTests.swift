import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct TimeOfDayTests {
    private let paris = TimeZone(identifier: "Europe/Paris") ?? .gmt

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test(arguments: [
        ("22:00", "22:00"), ("7:05", "07:05"), ("00:00", "00:00"), ("23:59", "23:59"), ("22", "22:00"),
        ("22h", "22:00"),
        ("22h30", "22:30"), ("10 pm", "22:00"), ("10:30PM", "22:30"), ("12am", "00:00"), ("12 pm", "12:00"),
    ])
    func times(text: String, read: String) { #expect(TimeOfDay(text)?.text == read) }

    @Test(arguments: [
        "", "24:00", "24", "13 pm", "0 am", "noon", "12:60", "1:2", "-1:00", "+1:00", "22:00:00", "x:00", "１2:00",
        " 1:00", "001:00",
    ])
    func whatIsNoTime(text: String) { #expect(TimeOfDay(text) == nil) }

    @Test(arguments: [("22:00", "20:30 21:30"), ("07:05", "05:35 06:35"), ("00:20", "22:50 23:50")])
    func theDigestIsPreparedBefore(text: String, times: String) {
        #expect(TimeOfDay(text)?.preparations.map(\.text).joined(separator: " ") == times)
    }

    @Test(arguments: [
        ("22:00", "2026-11-21T20:00:00Z", "2026-11-21T21:00:00Z"),
        ("22:00", "2026-11-21T21:00:00Z", "2026-11-22T21:00:00Z"),
        // On 29 March 2026 the clocks of Paris jump from 2:00 to 3:00, on 25 October back from 3:00 to 2:00.
        ("02:30", "2026-03-28T22:00:00Z", "2026-03-29T01:00:00Z"),
        ("02:30", "2026-10-24T22:00:00Z", "2026-10-25T00:30:00Z"),
        ("22:00", "2026-03-28T21:00:01Z", "2026-03-29T20:00:00Z"),
        ("22:00", "2026-10-24T20:00:01Z", "2026-10-25T21:00:00Z"),
    ])
    func theNextIsTodayOrTomorrow(text: String, now: String, next: String) throws {
        let time = try #require(TimeOfDay(text))
        #expect(try time.next(after: date(now), in: paris) == date(next))
    }

    @Test func otherClocksShowAnotherTime() throws {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let nepal = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        let winter = try date("2026-01-01T00:00:00Z")
        let time = TimeOfDay(hour: 22, minute: 0)
        #expect(time.converted(from: paris, to: tokyo, on: winter).text == "06:00")
        #expect(try time.converted(from: paris, to: tokyo, on: date("2026-07-01T00:00:00Z")).text == "05:00")
        #expect(time.converted(from: nepal, to: .gmt, on: winter).text == "16:15")
        #expect(TimeOfDay(hour: 1, minute: 0).converted(from: nepal, to: .gmt, on: winter).text == "19:15")
        #expect(time.converted(from: paris, to: paris, on: winter) == time)
    }

    /// Clocks that agree today need not agree in summer.
    @Test(
        arguments: [
            ("Europe/London", "GMT", "is 22:00 now. When the"), ("Europe/Paris", "GMT", "is 21:00 now. When the"),
            ("Asia/Kathmandu", "GMT", "is 16:15."), ("Europe/Paris", "Europe/Berlin", nil), ("GMT", "GMT", nil),
            // Some weeks in spring and one in autumn.
            ("Europe/Paris", "America/New_York", "is 16:00 now. When the clocks"),
        ] as [(String, String, String?)])
    func otherClocksAreToldOf(zone: String, other: String, words: String?) throws {
        let note = TimeOfDay(hour: 22, minute: 0).note(
            of: .cron, at: try #require(TimeZone(identifier: zone)), goingBy: try #require(TimeZone(identifier: other)),
            on: try date("2026-12-01T00:00:00Z"))
        #expect(words == nil ? note == nil : note?.contains(try #require(words)) == true, "\(note ?? "none")")
    }

    @Test func theMachinesZoneIsReadFromItsFiles() throws {
        let folder = try TemporaryFolder()
        let link = try folder.link("localtime", to: "../usr/share/zoneinfo/America/Sao_Paulo")
        let file = try folder.write("Asia/Tokyo\n", to: "timezone")
        #expect(MachineTimeZone.read(link: link, file: file).identifier == "America/Sao_Paulo")
        #expect(MachineTimeZone.read(link: "/nowhere", file: file).identifier == "Asia/Tokyo")
        #expect(MachineTimeZone.read(link: "/nowhere", file: "/nowhere") == .gmt)
    }
}
