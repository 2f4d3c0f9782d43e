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
        let store = try store(.readOnly)
        do {
            return try body(store)
        } catch {
            throw Failure(error)
        }
    }
}
