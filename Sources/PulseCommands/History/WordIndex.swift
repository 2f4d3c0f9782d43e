import PulseCore
import PulseStore

/// The words of the history by which it is searched.
struct WordIndex {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store
    let note: @Sendable (Message) -> Void

    /// What was imported since the last search is not in the index. After a large import that takes seconds.
    func bringUpToDate(_ status: StatusLine) throws(PulseError) {
        if try open(.readOnly).isIndexed() { return }
        defer { status.clear() }
        let start = ContinuousClock.now
        do throws(PulseError) {
            try open(.readWrite).index { share throws(PulseError) in
                if Task.isCancelled { throw PulseError.interrupted }
                if start.duration(to: .now) > .seconds(1) {
                    status.show("Indexing what is new: \(Int(share * 100)) %")
                }
            }
        } catch {
            guard error.code == .permission || error.code == .tryAgain else { throw error }
            note("\(error.message) The newest articles are not searched.")
        }
    }
}
