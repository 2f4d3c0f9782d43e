import PulseStore

extension Context {
    /// Opens the history for reading, uses it, and closes it.
    func reading<Result>(_ body: (borrowing Store) throws(StoreError) -> Result) throws(Failure) -> Result {
        try using(.readOnly, body)
    }

    /// Opens the history for writing, making it where there is none, uses it, and closes it.
    func storing<Result>(_ body: (borrowing Store) throws(StoreError) -> Result) throws(Failure) -> Result {
        try using(.readWrite, body)
    }

    private func using<Result>(
        _ access: Store.Access, _ body: (borrowing Store) throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        do {
            return try body(Store(at: storePath, access: access))
        } catch {
            throw Failure(error)
        }
    }
}
