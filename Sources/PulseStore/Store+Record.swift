public import PulseCore
import PulsePlatform

public import struct Foundation.Date

/// What became of the readings of an import.
public struct ImportCounts: Sendable, Hashable {
    /// Articles the store did not have.
    public var added: Int
    /// Known ones that gained a text, a detail, a source or a better reading time.
    public var updated: Int
    /// Known ones that brought nothing new.
    public var unchanged: Int
    /// Those that the reader removed from the history, and that stay out of it.
    public var removed: Int

    public init(added: Int = 0, updated: Int = 0, unchanged: Int = 0, removed: Int = 0) {
        self.added = added
        self.updated = updated
        self.unchanged = unchanged
        self.removed = removed
    }

    /// How many of them are in the history now.
    public var total: Int { added + updated + unchanged }

    public static func += (left: inout ImportCounts, right: ImportCounts) {
        left.added += right.added
        left.updated += right.updated
        left.unchanged += right.unchanged
        left.removed += right.removed
    }
}

extension Store {
    /// Stores readings: all of the call or, when it fails, none. A few hundred a call are quick and let other programs
    /// in between. Their words are indexed later: see `index`.
    ///
    /// An article that is known, by its id or by its URL, stays one: see `Article.merged(with:)` for its texts. Of
    /// each origin the earliest read stays, but an exact time replaces an approximate one.
    /// - Parameters:
    ///   - origin: the source, where it tells its rows apart.
    ///   - rows: those of its rows that are stored with this call, and a hash of each: see `rows(from:)`. They are
    ///     noted unless one of the readings was removed, which is to be said at each import.
    public func record(
        _ readings: [Reading], from origin: String = "", rows: [Int64: Int64] = [:]
    ) throws(PulseError) -> ImportCounts {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let writer = try ArticleWriter(connection)
                var counts = ImportCounts()
                for reading in readings {
                    switch try writer.write(reading) {
                    case .added: counts.added += 1
                    case .updated: counts.updated += 1
                    case .unchanged: counts.unchanged += 1
                    case .removed: counts.removed += 1
                    }
                }
                if counts.removed == 0, !rows.isEmpty { try note(rows, from: origin) }
                return counts
            }
        }
    }

    private func note(_ rows: [Int64: Int64], from origin: String) throws(SQLError) {
        let note = try connection.prepare("INSERT OR REPLACE INTO source_rows (origin, row, hash) VALUES (?1, ?2, ?3)")
        // In their order, so that the table grows at its end.
        for (row, hash) in rows.sorted(by: { $0.key < $1.key }) {
            try note.run([.text(origin), .integer(row), .integer(hash)])
        }
    }

    /// When an import from an origin last came to its end; nil where none ever did.
    public func lastImport(from origin: String) throws(PulseError) -> Date? {
        try attempt { () throws(SQLError) in
            try connection.integer("SELECT last_at FROM imports WHERE origin = ?1", [.text(origin)])
                .map(Instant.date)
        }
    }

    /// The origins of which an import came to its end.
    public func origins() throws(PulseError) -> Set<String> {
        try attempt { () throws(SQLError) in
            var origins: Set<String> = []
            try connection.query("SELECT origin FROM imports") { row throws(SQLError) in
                origins.insert(row.text(0) ?? "")
            }
            return origins
        }
    }

    /// When the latest of what came from each origin was read; of those origins from which something was imported more
    /// than once, a day apart or more. A file that was imported once brings nothing further.
    public func lastReadings() throws(PulseError) -> [String: Date] {
        try attempt { () throws(SQLError) in
            var last: [String: Date] = [:]
            try connection.query(
                """
                SELECT origin, max(read_at) FROM reads
                WHERE origin IN (SELECT origin FROM imports WHERE last_at - first_at >= 86400000) GROUP BY origin
                """
            ) { row throws(SQLError) in
                last[row.text(0) ?? ""] = row.integer(1).map(Instant.date)
            }
            return last
        }
    }

    /// Notes in the journal that an import came to its end. A later time moves the last, an earlier one the first.
    public func noteImport(from origin: String, at date: Date) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.query(
                """
                INSERT INTO imports (origin, first_at, last_at) VALUES (?1, ?2, ?2)
                ON CONFLICT (origin) DO UPDATE SET
                    first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
                """, [.text(origin), .integer(Instant.milliseconds(date))])
        }
    }

    /// The rows of a source that imports have stored, and a hash of each as it was then.
    public func rows(from origin: String) throws(PulseError) -> [Int64: Int64] {
        try attempt { () throws(SQLError) in
            var rows: [Int64: Int64] = [:]
            try connection.query(
                "SELECT row, hash FROM source_rows WHERE origin = ?1", [.text(origin)]
            ) { row throws(SQLError) in
                if let number = row.integer(0) { rows[number] = row.integer(1) }
            }
            return rows
        }
    }
}
