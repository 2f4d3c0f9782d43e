public import PulseCore
import PulseSQL

extension Store {
    /// What was read in a period, newest first; the id decides between equal times.
    public func readings(in period: Period) throws(StoreError) -> [Reading] {
        try select(
            Queries.window,
            [.integer(Instant.milliseconds(period.from)), .integer(Instant.milliseconds(period.to))])
    }

    /// One page of the whole history, newest first; the id decides between equal times.
    /// - Parameter last: the last reading of the page before; nil for the first page. A page costs the same however
    ///   far back it lies.
    public func list(limit: Int, after last: Reading? = nil) throws(StoreError) -> [Reading] {
        guard let last else { return try select(Queries.firstPage, [.integer(Int64(max(0, limit)))]) }
        return try select(
            Queries.nextPage,
            [
                .integer(Instant.milliseconds(last.readAt)), .text(last.article.id), .integer(Int64(max(0, limit))),
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
