public import PulseCore
import PulseSQL

public import struct Foundation.Date

extension Store {
    /// What was read in a period, newest first; the id decides between equal times.
    public func readings(in period: Period) throws(StoreError) -> [Reading] {
        try select(
            Queries.window,
            [.integer(Instant.milliseconds(period.from)), .integer(Instant.milliseconds(period.to))])
    }

    /// The latest articles, newest first; the id decides between equal times.
    ///
    /// - Parameters:
    ///   - since: Those that were read from then on; nil: all.
    ///   - category: Of this category only.
    ///   - source: Of this publication only.
    public func list(
        limit: Int, since: Date? = nil, category: Category? = nil, source: String? = nil
    ) throws(StoreError) -> [Reading] {
        try select(
            Queries.listed,
            [
                .integer(Int64(max(0, limit))), .integer(since.map(Instant.milliseconds) ?? .min),
                SQLValue(category?.name), SQLValue(source),
            ])
    }

    /// How many `list` would list, were it not for its limit.
    public func count(
        since: Date? = nil, category: Category? = nil, source: String? = nil
    ) throws(StoreError) -> Int {
        try attempt { () throws(SQLError) in
            let count = try connection.integer(
                Queries.listedCount,
                [.integer(since.map(Instant.milliseconds) ?? .min), SQLValue(category?.name), SQLValue(source)])
            return Int(count ?? 0)
        }
    }

    func select(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> [Reading] {
        try attempt { () throws(SQLError) in
            var readings: [Reading] = []
            try connection.query(sql, values) { row throws(SQLError) in
                readings.append(ReadingRow.reading(row))
            }
            return readings
        }
    }
}
