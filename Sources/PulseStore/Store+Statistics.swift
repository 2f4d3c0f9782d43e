public import PulseCore
import PulsePlatform

public import struct Foundation.Calendar
public import struct Foundation.Date
public import struct Foundation.TimeZone

extension Query {
    // Each of these reads an index and no texts.
    static let perCategory = "SELECT category, count(*) FROM articles GROUP BY category"
    static let sources = "SELECT count(DISTINCT source) FROM articles WHERE source <> ''"
    static let approximate = "SELECT count(*) FROM articles WHERE read_exact = 0"
    static let firstRead = "SELECT min(read_at) FROM articles"
    static let lastRead = "SELECT max(read_at) FROM articles"
    static let nextRead = "SELECT min(read_at) FROM articles WHERE read_at >= ?1"
    static let unreadCount =
        "SELECT count(DISTINCT coalesce(page || char(10) || title, identifier)) FROM entries WHERE state = 'new'"
    static let latestReadBefore = "SELECT max(read_at) FROM articles WHERE read_at < ?1"
    static let latestExactBefore = """
        SELECT read_at FROM articles WHERE read_at < ?1 AND read_exact = 1 ORDER BY read_at DESC LIMIT 1
        """
}

extension Store {
    /// The history in numbers, from one snapshot. The calendar decides where days begin.
    public func statistics(calendar: Calendar = .current) throws -> HistoryStatistics {
        try attempt {
            try connection.transaction(.deferred) {
                let categories = try connection.rows(Query.perCategory) {
                    HistoryStatistics.CategoryCount(
                        category: Category($0.text(0) ?? ""), articles: Int($0.integer(1) ?? 0))
                }
                let first = try connection.integer(Query.firstRead)
                return HistoryStatistics(
                    articles: categories.reduce(0) { $0 + $1.articles },
                    sources: Int(try connection.integer(Query.sources) ?? 0),
                    categories: categories.sorted { $0.category < $1.category }, firstReadAt: first.map(Instant.date),
                    lastReadAt: try connection.integer(Query.lastRead).map(Instant.date),
                    approximate: Int(try connection.integer(Query.approximate) ?? 0),
                    daysRead: try daysRead(from: first, calendar: calendar),
                    digests: Int(try connection.integer("SELECT count(*) FROM digests WHERE delivery >= 0") ?? 0))
            }
        }
    }

    /// Goes from one day with a read to the next, so that it costs one index look-up per day.
    private func daysRead(from first: Int64?, calendar: Calendar) throws -> Int {
        let next = try connection.prepare(Query.nextRead)
        var days = 0
        var instant = first
        while let current = instant {
            days += 1
            guard let day = calendar.dateInterval(of: .day, for: Instant.date(current)) else { break }
            // Always forward, even if a calendar's day ended before it began.
            instant = try next.first([.integer(max(Instant.milliseconds(day.end), current + 1))]) { $0.integer(0) }
        }
        return days
    }

    /// When something was read last, up to a time.
    public func lastRead(until date: Date) throws -> Date? {
        try integer(Query.latestReadBefore, [.integer(Instant.milliseconds(date) + 1)]).map(Instant.date)
    }

    /// The number of unread articles in feeds; one in several feeds counts once.
    public func unreadCount() throws -> Int { Int(try integer(Query.unreadCount) ?? 0) }

    /// On how many consecutive days something was read, up to the day of `date`, as far as the times are known. If
    /// nothing was read on that day yet, the days before still count. It costs one index look-up per day.
    public func daysInARow(endingAt date: Date, in zone: TimeZone) throws -> Int {
        let calendar = Calendar.gregorian(in: zone)
        return try attempt {
            let latest = try connection.prepare(Query.latestExactBefore)
            guard var day = calendar.dateInterval(of: .day, for: date) else { return 0 }
            var days = 0
            var isFirst = true
            while true {
                let read = try latest.first([.time(day.end)]) { $0.integer(0) }
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
