public import PulseCore
import PulsePlatform

public import struct Foundation.Calendar
public import struct Foundation.Date
public import struct Foundation.TimeZone

extension Query {
    // Each of these walks an index and never the texts.
    static let perCategory = "SELECT category, count(*) FROM articles GROUP BY category"
    static let sources = "SELECT count(DISTINCT source) FROM articles WHERE source <> ''"
    static let approximate = "SELECT count(*) FROM articles WHERE read_exact = 0"
    static let firstRead = "SELECT min(read_at) FROM articles"
    static let lastRead = "SELECT max(read_at) FROM articles"
    static let nextRead = "SELECT min(read_at) FROM articles WHERE read_at >= ?1"
    static let latestReadBefore = "SELECT max(read_at) FROM articles WHERE read_at < ?1"
}

extension Store {
    /// The history in numbers, all of the same moment.
    /// - Parameter calendar: decides where one day ends and the next begins.
    public func statistics(calendar: Calendar = .current) throws(PulseError) -> HistoryStatistics {
        try attempt { () throws(SQLError) in
            try connection.transaction(.deferred) { () throws(SQLError) in
                var categories: [HistoryStatistics.CategoryCount] = []
                try connection.query(Query.perCategory) { row throws(SQLError) in
                    categories.append(
                        .init(category: Category(row.text(0) ?? ""), articles: Int(row.integer(1) ?? 0)))
                }
                let first = try connection.integer(Query.firstRead)
                return HistoryStatistics(
                    articles: categories.reduce(0) { $0 + $1.articles },
                    sources: Int(try connection.integer(Query.sources) ?? 0),
                    categories: categories.sorted { $0.category < $1.category },
                    firstReadAt: first.map(Instant.date),
                    lastReadAt: try connection.integer(Query.lastRead).map(Instant.date),
                    approximate: Int(try connection.integer(Query.approximate) ?? 0),
                    daysRead: try daysRead(from: first, calendar: calendar),
                    digests: Int(try connection.integer("SELECT count(*) FROM digests WHERE delivery >= 0") ?? 0))
            }
        }
    }

    /// Goes from one day with a read to the next, so that it costs one look into the index a day.
    private func daysRead(from first: Int64?, calendar: Calendar) throws(SQLError) -> Int {
        let next = try connection.prepare(Query.nextRead)
        var days = 0
        var instant = first
        while let current = instant {
            days += 1
            guard let day = calendar.dateInterval(of: .day, for: Instant.date(current)) else { break }
            // Always forward, even if a calendar's day should end before it begins.
            instant = try next.first([.integer(max(Instant.milliseconds(day.end), current + 1))]) { $0.integer(0) }
        }
        return days
    }

    /// How many days without a gap have a reading, up to the day of the date. While nothing was read on that day yet,
    /// the days before it still count. One look into the index a day.
    public func daysInARow(endingAt date: Date, in zone: TimeZone) throws(PulseError) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return try attempt { () throws(SQLError) in
            let latest = try connection.prepare(Query.latestReadBefore)
            guard var day = calendar.dateInterval(of: .day, for: date) else { return 0 }
            var days = 0
            var isFirst = true
            while true {
                let read = try latest.first([.integer(Instant.milliseconds(day.end))]) { $0.integer(0) }
                guard let read else { return days }
                if read >= Instant.milliseconds(day.start) {
                    days += 1
                } else if !isFirst {
                    return days
                }
                isFirst = false
                // The instant before a day's first lies in the day before, however long either is.
                guard let before = calendar.dateInterval(of: .day, for: day.start.addingTimeInterval(-0.001)),
                    before.start < day.start
                else { return days }
                day = before
            }
        }
    }
}
