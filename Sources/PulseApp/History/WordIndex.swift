package import PulseCore
import PulseStore

/// The words of the history by which it is searched.
package struct WordIndex {
    private let history: History
    private let reporter: Reporter

    package init(of history: History, reporter: Reporter) {
        self.history = history
        self.reporter = reporter
    }

    /// What was imported since the last search is not in the index. After a large import that takes seconds.
    package func bringUpToDate() throws(PulseError) {
        if try history.open(.readOnly).isIndexed() { return }
        defer { reporter.clear() }
        let start = ContinuousClock.now
        do throws(PulseError) {
            try history.open(.readWrite).index { share throws(PulseError) in
                if Task.isCancelled { throw PulseError.interrupted }
                if start.duration(to: .now) > .seconds(1) {
                    reporter.show("Indexing what is new: \(Int(share * 100)) %")
                }
            }
        } catch {
            guard error.code == .permission || error.code == .tryAgain else { throw error }
            reporter.note("\(error.message) The newest articles are not searched.")
        }
    }
}
