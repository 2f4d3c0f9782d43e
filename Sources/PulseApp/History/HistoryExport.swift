package import Foundation
package import PulseCore
import PulseRendering
import PulseStore

/// Of what time, category and publication a list is; nil: of all.
package struct ListFilter: Sendable {
    package let since: Date?
    package let category: PulseCore.Category?
    package let source: String?

    package init(since: Date? = nil, category: PulseCore.Category?, source: String?) {
        self.since = since
        self.category = category
        self.source = source
    }

    package var isOn: Bool { since != nil || category != nil || source != nil }
}

/// Writes the history as JSON Lines, an article a line.
package struct HistoryExport {
    private let history: History
    private let filter: ListFilter

    package init(of history: History, _ filter: ListFilter) {
        self.history = history
        self.filter = filter
    }

    /// - Parameter put: Takes some lines at a time.
    /// - Returns: How many articles there are.
    package func run(_ put: (Data) throws(PulseError) -> Void) throws(PulseError) -> Int {
        var count = 0
        var ready = Data()
        try history.reading { store throws(PulseError) in
            try store.each(since: filter.since, category: filter.category, source: filter.source) {
                reading throws(PulseError) in
                if Task.isCancelled { throw PulseError.interrupted }
                count += 1
                ready.append(contentsOf: ArticleLine.text(reading).utf8)
                if ready.count >= 1 << 16 {
                    try put(ready)
                    ready.removeAll(keepingCapacity: true)
                }
            }
        }
        try put(ready)
        return count
    }
}
