import PulseStore

extension Context {
    /// Opens the history.
    func store(_ access: Store.Access) throws(Failure) -> Store {
        explain("history: \(storePath)")
        do {
            return try Store(at: storePath, access: access)
        } catch {
            throw Failure(error)
        }
    }

    /// Opens the history for reading, uses it, and closes it.
    func reading<Result>(_ body: (borrowing Store) throws(StoreError) -> Result) throws(Failure) -> Result {
        try using(.readOnly, body)
    }

    /// The same, for writing.
    func writing<Result>(_ body: (borrowing Store) throws(StoreError) -> Result) throws(Failure) -> Result {
        try using(.readWrite, body)
    }

    private func using<Result>(
        _ access: Store.Access, _ body: (borrowing Store) throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        let store = try store(access)
        do {
            return try body(store)
        } catch {
            throw Failure(error)
        }
    }
}
