import PulseCore
import PulseRendering
import PulseStore

/// A search of the history, whose index is brought up to date first: see `Store.unindexed`.
struct Searching {
    let context: Context

    func find(_ words: String) throws(Failure) -> [Reading] {
        let behind = try context.reading { store throws(StoreError) in try store.unindexed() }
        if behind > 0 { try index(behind) }
        return try context.reading { store throws(StoreError) in
            try store.search(words, limit: context.settings.limit)
        }
    }

    /// Where the history may only be read, what is indexed is searched, and the rest is told of.
    private func index(_ behind: Int) throws(Failure) {
        let status = context.statusLine()
        defer { status.clear() }
        do throws(Failure) {
            try context.writing { store throws(StoreError) in
                try store.index { left in
                    status.show("\(Counted.text(left, "article", "articles")) to be indexed")
                    return !Task.isCancelled
                }
            }
        } catch {
            guard error.code != .interrupted else { throw error }
            status.clear()
            context.note(
                "\(Counted.text(behind, "article", "articles")) could not be indexed, and are not searched: \(error.message)"
            )
        }
        if Task.isCancelled { throw Failure(.interrupted, "") }
    }
}
