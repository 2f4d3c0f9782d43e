import Foundation
package import PulseCore
import PulsePlatform
import PulseStore

/// Deletes a whole history, and what was made of it.
package struct HistoryReset {
    private let app: AppEnvironment

    package init(in app: AppEnvironment) { self.app = app }

    /// - Returns: How many articles there were, and how many digests that were not sent yet.
    package func run() throws(PulseError) -> (articles: Int, digests: Int) {
        guard FileManager.default.fileExists(atPath: app.locations.state) else { return (try clear(), 0) }
        let state = try app.state()
        return try state.delivery().hold { () throws(PulseError) in
            let articles = try clear()
            // What waits to be mailed was made of it.
            return (articles, try Outbox(in: state).clear(madeFrom: app.history.identity))
        }
    }

    private func clear() throws(PulseError) -> Int {
        // First, since an import that goes on where it stopped would miss what was before.
        try Accounts(in: app).forgetImports()
        return try Store.clear(at: app.history.path)
    }
}
