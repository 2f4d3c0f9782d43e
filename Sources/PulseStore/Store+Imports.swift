import PulseSQL

public import struct Foundation.Date

extension Store {
    /// When readings of an origin were last imported to the end; nil where they never were.
    public func lastImport(from origin: String) throws(StoreError) -> Date? {
        try attempt { () throws(SQLError) in
            try connection.integer("SELECT last_at FROM imports WHERE origin = ?1", [.text(origin)])
                .map(Instant.date)
        }
    }

    /// Writes into the journal that an import came to its end. A later time moves the last, an earlier one the first.
    public func noteImport(from origin: String, at date: Date) throws(StoreError) {
        try attempt { () throws(SQLError) in
            try connection.query(
                """
                INSERT INTO imports (origin, first_at, last_at) VALUES (?1, ?2, ?2)
                ON CONFLICT (origin) DO UPDATE SET
                    first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
                """, [.text(origin), .integer(Instant.milliseconds(date))])
        }
    }
}
