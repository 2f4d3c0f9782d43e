import Foundation
import PulseCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct TimestampTests {
    /// 2026-03-01T12:00:00Z.
    let now = Date(timeIntervalSince1970: 1_772_366_400)

    @Test(
        arguments: [
            ("2026-03-01T12:00:00Z", 1_772_366_400), ("2026-03-01t12:00:00z", 1_772_366_400),
            ("2026-03-01T12:00Z", 1_772_366_400),
            ("2026-03-01 12:00:00", 1_772_366_400), ("2026-03-01T14:30:00+02:30", 1_772_366_400),
            ("2026-03-01T07:00:00-0500", 1_772_366_400), ("2026-03-01T07:00:00-05", 1_772_366_400),
            ("2026-03-01T12:00:00.250Z", 1_772_366_400.25), ("2026-03-01T12:00:00,5+00:00", 1_772_366_400.5),
            ("2026-03-01T12:00:00.123456789123456789123Z", 1_772_366_400.1234568), ("2026-03-01", 1_772_323_200),
            (" 2026-03-01 ", 1_772_323_200), ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29", 951_782_400),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("0001-01-01", -62_135_596_800), ("9999-12-31", 253_402_214_400),
        ])
    func instants(text: String, seconds: Double) throws {
        let date = try #require(Timestamp.parse(text, now: now))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    /// In Brazil, clocks went from 0 to 1 on the day in 2018.
    @Test(arguments: [("2026-02-28", true), ("2026-02-30", false), ("2026-13-01", false), ("2018-11-04", true)])
    func daysOfTheCalendar(text: String, isDay: Bool) throws {
        let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
        let start = try #require(Day(text: text)).start(in: .gregorian(in: zone))
        #expect(start.map { Day($0, in: zone).text } == (isDay ? text : nil))
    }

    @Test(
        arguments: [
            ("-PT3H", 10_800.0), ("-P1DT2H30M", 95_400), ("-P2W", 1_209_600), ("-PT0S", 0), ("-PT1.5H", 5400),
            ("-P1W2D", 777_600), ("-PT90M", 5400), ("-PT1H1M1S", 3661), ("-PT0,5S", 0.5),
        ])
    func durations(text: String, seconds: Double) {
        #expect(Timestamp.parse(text, now: now) == now.addingTimeInterval(-seconds))
    }

    @Test(
        arguments: [
            "", " ", "yesterday", "2026", "2026-03", "2026-3-1", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31",
            "2026-03-01T", "2026-03-01T24:00:00Z", "2026-03-01T12", "2026-03-01T12:60Z", "2026-03-01T12:00:61Z",
            "2026-03-01T12:00:00.Z", "2026-03-01T12:00:00+", "2026-03-01T12:00:00+24:00", "2026-03-01T12:00:00+01:",
            "2026-03-01T12:00:00Z!", "1772366400", "0000-01-01", "+2026-03-01", "P1D", "PT3H", "-", "-P", "-PT", "-P1",
            "-P1Y", "-P1M", "-PT1D", "-P1DT", "-P1H", "-PT1M1H", "-PT1H1H", "-PTH", "-P-1D", "-P1234567890D", "--P1D",
            "-P1D ago", "２０２６-03-01", "2026-03-01T12:00:00\u{0}",
        ])
    func refused(text: String) { #expect(Timestamp.parse(text, now: now) == nil) }

    @Test func whatIsWrittenIsReadAsTheSameMoment() {
        for (text, seconds) in [
            ("0001-01-01T00:00:00.000Z", -62_135_596_800), ("1969-12-31T23:59:59.999Z", -0.001),
            ("1970-01-01T00:00:00.000Z", 0), ("2024-02-29T12:30:05.289Z", 1_709_209_805.289),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799.999),
        ] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(Timestamp.text(date) == text)
            #expect(Timestamp.parse(text, now: .now).map(Timestamp.text) == text)
        }
        for millisecond in 0..<1000 {
            let text = Timestamp.text(Date(timeIntervalSince1970: 1_795_291_200 + Double(millisecond) / 1000))
            #expect(text.hasSuffix(String(millisecond) + "Z"))
        }
    }
}
