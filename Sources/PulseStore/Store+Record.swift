public import PulseCore
import PulseSQL

/// What became of the readings of an import.
public struct ImportCounts: Sendable, Hashable {
    /// Articles the store did not have.
    public var added: Int
    /// Known ones that gained a text, a detail, a source or a better reading time.
    public var updated: Int
    /// Known ones that told nothing new.
    public var unchanged: Int

    public init(added: Int = 0, updated: Int = 0, unchanged: Int = 0) {
        self.added = added
        self.updated = updated
        self.unchanged = unchanged
    }

    public var total: Int { added + updated + unchanged }

    public static func += (left: inout ImportCounts, right: ImportCounts) {
        left.added += right.added
        left.updated += right.updated
        left.unchanged += right.unchanged
    }
}

extension Store {
    /// Keeps readings, all of the call or, when it fails, none. A few hundred a call are quick and let other
    /// programs in between.
    ///
    /// An article that is known, by its id or by its URL, stays one: see `Article.merged(with:)` for its texts. Of
    /// each origin the earliest read stays, but an exact time replaces an approximate one.
    public func record(_ readings: [Reading]) throws(StoreError) -> ImportCounts {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let writer = try ArticleWriter(connection)
                var counts = ImportCounts()
                for reading in readings {
                    switch try writer.write(reading) {
                    case .added: counts.added += 1
                    case .updated: counts.updated += 1
                    case .unchanged: counts.unchanged += 1
                    }
                }
                return counts
            }
        }
    }
}
