public import PulseCore
import PulseSQL

public import struct Foundation.Calendar

extension Store {
    /// The history in numbers, all of the same moment. Counts walk indexes and never the texts.
    /// - Parameter calendar: decides where one day ends and the next begins.
    public func statistics(calendar: Calendar = .current) throws(StoreError) -> HistoryStatistics {
        try attempt { () throws(SQLError) in
            try connection.transaction(.deferred) { () throws(SQLError) in
                var categories: [HistoryStatistics.CategoryCount] = []
                let perCategory = "SELECT category, count(*) FROM articles GROUP BY category"
                try connection.query(perCategory) { row throws(SQLError) in
                    categories.append(
                        .init(category: Category(row.text(0) ?? ""), articles: Int(row.integer(1) ?? 0)))
                }
                let first = try connection.integer("SELECT min(read_at) FROM articles")
                let last = try connection.integer("SELECT max(read_at) FROM articles")
                return HistoryStatistics(
                    articles: categories.reduce(0) { $0 + $1.articles },
                    sources: try count("SELECT count(DISTINCT source) FROM articles WHERE source <> ''"),
                    categories: categories.sorted { $0.category < $1.category },
                    firstReadAt: first.map(Instant.date), lastReadAt: last.map(Instant.date),
                    approximate: try count("SELECT count(*) FROM articles WHERE read_exact = 0"),
                    daysRead: try daysRead(from: first, calendar: calendar),
                    digests: isComplete ? try count("SELECT count(*) FROM digests") : 0)
            }
        }
    }

    private func count(_ sql: String) throws(SQLError) -> Int { Int(try connection.integer(sql) ?? 0) }

    /// Leaps from one day with a read to the next, so that it costs by the day and not by the article.
    private func daysRead(from first: Int64?, calendar: Calendar) throws(SQLError) -> Int {
        let next = try connection.prepare("SELECT min(read_at) FROM articles WHERE read_at >= ?1")
        var days = 0
        var instant = first
        while let current = instant {
            days += 1
            guard let day = calendar.dateInterval(of: .day, for: Instant.date(current)) else { break }
            next.reset()
            // A day that would not move forward must not hold us for ever.
            try next.bind([.integer(max(Instant.milliseconds(day.end), current + 1))])
            instant = try next.step() ? next.integer(0) : nil
        }
        return days
    }
}
