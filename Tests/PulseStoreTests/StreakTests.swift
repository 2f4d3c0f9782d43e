import Foundation
import PulseCore
import PulseStore
import Testing

@Suite(.timeLimit(.minutes(20))) final class StreakTests: StoreSuite {
    func days(_ hours: [Double], at date: Date = noon, in zone: String = "UTC") throws -> Int {
        _ = try store.record(hours.enumerated().map { reading("id-\($0)", at: hoursAgo($1)) })
        return try store.daysInARow(endingAt: date, in: TimeZone(identifier: zone) ?? .gmt)
    }

    @Test(
        // Hours before noon, and how many days they make.
        arguments: [
            ([], 0), ([1], 1), ([1, 2, 3], 1), ([1, 24], 2), ([1, 24, 72], 2), ([1, 24, 48, 72, 96], 5),
            // A day that is young does not end the row; a whole day without reading does.
            ([24], 1), ([24, 48], 2), ([48], 0), ([48, 72], 0),
            // Later on the same day, and on the next.
            ([-1], 1), ([-13], 0), ([-13, 24], 1), ([11.99], 1), ([12.01], 1), ([11.99, 12.01], 2),
        ] as [([Double], Int)])
    func aRowOfDaysEndsWithAWholeDayWithoutReading(hours: [Double], expected: Int) throws {
        #expect(try days(hours) == expected)
    }

    /// Those of 23 and of 25 hours among them.
    @Test func daysAreThoseOfTheReadersZone() throws {
        let hours = (0..<400).map { Double($0) * 24 + 11.5 }
        for zone in ["UTC", "America/Sao_Paulo", "Europe/Lisbon", "Pacific/Auckland", "Australia/Lord_Howe"] {
            let scratch = try StreakTests()
            #expect(try scratch.days(hours, in: zone) >= 399, "\(zone)")
        }
    }

    /// An estimate may be a day off.
    @Test func estimatedTimesAreNoDays() throws {
        _ = try store.record([
            reading("today", at: hoursAgo(1)), reading("guess", at: hoursAgo(24), isExact: false),
            reading("before", at: hoursAgo(48)),
        ])
        #expect(try store.daysInARow(endingAt: noon, in: .gmt) == 1)
    }

    @Test func aDayThatAZoneLeftOutEndsNothing() throws {
        // Samoa had no 30 December 2011.
        let apia = calendar("Pacific/Apia")
        let dates = [28, 29, 31].compactMap { day in
            apia.date(from: DateComponents(year: 2011, month: 12, day: day, hour: 12))
        }
        _ = try store.record(dates.enumerated().map { reading("id-\($0)", at: $1) })
        #expect(try store.daysInARow(endingAt: try #require(dates.last), in: apia.timeZone) == 3)
    }
}
