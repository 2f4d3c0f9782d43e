import PulseSQL

extension Store {
    /// Forgets everything: articles, reads, the words they were found by, the journal of imports, and what was derived
    /// from them, digests and summaries; and leaves none of it in the files either.
    /// - Returns: how many articles were forgotten.
    public func clear() throws(StoreError) -> Int {
        let forgotten = try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let count = Int(try connection.integer("SELECT count(*) FROM articles") ?? 0)
                try Schema.reset(connection, with: Migration.all)
                return count
            }
        }
        try erase()
        return forgotten
    }

    /// Deleting leaves the bytes in the file's free pages, and copies of pages in the -wal file. VACUUM writes the
    /// file anew, and a TRUNCATE checkpoint moves that over the old one and empties the -wal file.
    private func erase() throws(StoreError) {
        let isErased = try attempt { () throws(SQLError) in
            try connection.execute("VACUUM")
            // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: the first column is 1 where another
            // connection kept the checkpoint from completing.
            return try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
        guard isErased else {
            throw StoreError(
                .busy,
                "The history at \(path) is empty now, but another program has it open and keeps its old pages on the "
                    + "disk. Close that program and clear the history once more.")
        }
    }
}
