import Foundation
import PulseCore
import PulsePlatform
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class StatisticsTests: StoreSuite {
    @Test func anEmptyHistoryCountsNothing() throws {
        let statistics = try scratch.open().statistics()
        #expect(statistics.articles == 0 && statistics.sources == 0 && statistics.categories.isEmpty)
        #expect(statistics.firstReadAt == nil && statistics.lastReadAt == nil)
        #expect(statistics.approximate == 0 && statistics.daysRead == 0)
    }

    @Test func countsAreRight() throws {
        _ = try store.record([
            reading(article("a", source: "One", category: Category("sports")), at: hoursAgo(100)),
            reading(article("b", source: "Two", category: Category("world")), at: hoursAgo(50)),
            reading(article("c", source: "One", category: Category("world")), at: hoursAgo(49), isExact: false),
            reading(article("d", source: "", category: Category("gardening")), at: hoursAgo(2)),
        ])
        let statistics = try store.statistics(calendar: calendar("UTC"))
        #expect(statistics.articles == 4 && statistics.sources == 2)
        #expect(statistics.categories.map(\.category.name) == ["world", "sports", "gardening"])
        #expect(statistics.categories.map(\.articles) == [2, 1, 1])
        #expect(statistics.firstReadAt == hoursAgo(100) && statistics.lastReadAt == hoursAgo(2))
        #expect(statistics.approximate == 1 && statistics.daysRead == 3)
    }

    @Test func daysAreTheCalendarsOwn() throws {
        // 23:30 and 00:30 UTC are two days in London and one in New York.
        _ = try store.record([reading("a", at: hoursAgo(12.5)), reading("b", at: hoursAgo(11.5))])
        #expect(try store.statistics(calendar: calendar("Europe/London")).daysRead == 2)
        #expect(try store.statistics(calendar: calendar("America/New_York")).daysRead == 1)
    }

    @Test func theJournalKeepsTheFirstAndTheLast() throws {
        #expect(try store.lastImport(from: "newsboat") == nil)
        for hours in [5.0, 1, 9] { try store.noteImport(from: "newsboat", at: hoursAgo(hours)) }
        #expect(try store.lastImport(from: "newsboat") == hoursAgo(1))
        #expect(try store.lastImport(from: "jsonl") == nil)
        #expect(try store.connection.integer("SELECT first_at FROM imports") == Instant.milliseconds(hoursAgo(9)))
    }
}
