public import PulseCore
import PulsePlatform

public import struct Foundation.Date

/// The results of an import.
public struct ImportCounts: Sendable, Hashable {
    /// New articles.
    public var added: Int
    /// Known articles with a new text, detail, source or better reading time.
    public var updated: Int
    /// Known articles without anything new.
    public var unchanged: Int
    /// Articles that the reader removed earlier, which were skipped.
    public var removed: Int

    public init(added: Int = 0, updated: Int = 0, unchanged: Int = 0, removed: Int = 0) {
        self.added = added
        self.updated = updated
        self.unchanged = unchanged
        self.removed = removed
    }

    /// The articles that are in the history now.
    public var total: Int { added + updated + unchanged }

    public static func += (left: inout ImportCounts, right: ImportCounts) {
        left.added += right.added
        left.updated += right.updated
        left.unchanged += right.unchanged
        left.removed += right.removed
    }
}

extension Store {
    /// Stores all readings or, on failure, none. A few hundred are fast. New articles are indexed later: see `index`.
    ///
    /// An article that is known by its id or URL is updated: see `Article.merged(with:)`. For each origin the earliest
    /// read counts, but an exact time replaces an approximate one.
    ///
    /// - Parameters:
    ///   - origin: The source, if its rows have ids.
    ///   - rows: The source's rows stored with this call, and a hash of each: see `rows(from:)`. They are not recorded
    ///     if one of the readings was removed, because every import must report that.
    public func record(
        _ readings: [Reading], from origin: String = "", rows: [Int64: Int64] = [:]
    ) throws -> ImportCounts {
        try transaction {
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
            guard counts.removed == 0, !rows.isEmpty else { return counts }
            let record = try connection.prepare(
                "INSERT OR REPLACE INTO source_rows (origin, row, hash) VALUES (?1, ?2, ?3)")
            // In order, so that the table grows at its end.
            for (row, hash) in rows.sorted(by: { $0.key < $1.key }) {
                try record.run([.text(origin), .integer(row), .integer(hash)])
            }
            return counts
        }
    }

    /// When an import from an origin, or from any, last finished; nil if none did.
    public func lastImport(from origin: String? = nil) throws -> Date? {
        try integer("SELECT max(last_at) FROM imports WHERE ?1 IS NULL OR origin = ?1", [SQLValue(origin)])
            .map(Instant.date)
    }

    /// The origins with a finished import.
    public func origins() throws -> Set<String> { Set(try rows("SELECT origin FROM imports") { $0.text(0) ?? "" }) }

    /// Whether there is any read other than those of feeds' entries and bookmarks opened in this program.
    public func hasImportedReads() throws -> Bool {
        try integer("SELECT 1 FROM reads WHERE origin NOT IN ('feeds', 'bookmarks') LIMIT 1") != nil
    }

    /// The latest read of each origin whose imports span at least a day. Others, such as a file imported once, bring
    /// nothing further.
    public func lastReadings() throws -> [String: Date] {
        let rows = try rows(
            """
            SELECT origin, max(read_at) FROM reads
            WHERE origin IN (SELECT origin FROM imports WHERE last_at - first_at >= 86400000) GROUP BY origin
            """
        ) { ($0.text(0) ?? "", Instant.date($0.integer(1) ?? 0)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Records that an import finished. A later time moves the last, an earlier one the first.
    public func noteImport(from origin: String, at date: Date) throws {
        try attempt {
            try connection.query(
                """
                INSERT INTO imports (origin, first_at, last_at) VALUES (?1, ?2, ?2)
                ON CONFLICT (origin) DO UPDATE SET
                    first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
                """, [.text(origin), .time(date)])
        }
    }

    /// The stored rows of a source, and a hash of each at that time.
    public func rows(from origin: String) throws -> [Int64: Int64] {
        let rows = try rows("SELECT row, hash FROM source_rows WHERE origin = ?1", [.text(origin)]) {
            ($0.integer(0) ?? 0, $0.integer(1) ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
