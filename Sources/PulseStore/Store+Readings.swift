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
