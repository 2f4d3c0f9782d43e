import PulseSQL

extension Store {
    /// Articles that an import adds to the search index at once, because it takes no time worth noticing. After a longer
    /// one the first search does.
    public static let indexedAtOnce = 2000
    /// Articles of one transaction: other programs that want to write get their turn.
    private static let indexStep = 1000

    /// How many articles a search does not find yet, about: rows that were deleted count.
    public func unindexed() throws(StoreError) -> Int {
        guard isComplete else { return 0 }
        return try attempt { () throws(SQLError) in try backlog() }
    }

    /// Brings the search index up to date.
    /// - Parameter progress: told how many articles are left, now and then; false from it ends the work, and what was
    ///   done stays done.
    public func index(progress: (Int) -> Bool = { _ in true }) throws(StoreError) {
        try attempt { () throws(SQLError) in
            while true {
                let left = try connection.transaction(.immediate) { () throws(SQLError) in
                    try connection.query(Queries.indexNext, [.integer(Int64(Store.indexStep))])
                    try connection.query(Queries.noteIndexed, [.integer(Int64(Store.indexStep))])
                    return try backlog()
                }
                guard left > 0, progress(left) else { return }
            }
        }
    }

    private func backlog() throws(SQLError) -> Int {
        Int(try connection.integer(Queries.unindexed) ?? 0)
    }
}
