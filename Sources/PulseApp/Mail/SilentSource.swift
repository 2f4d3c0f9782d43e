package import Foundation
package import PulseCore
import PulseStore

/// A source that is imported night after night, and from which nothing that was read has come for three days.
package struct SilentSource: Equatable {
    let name: String
    /// The day of the last reading.
    let since: Day

    package var text: Message { "\(name) since \(since.text)" }

    /// None where there is no history.
    package static func all(in app: AppEnvironment) throws(PulseError) -> [SilentSource] {
        guard app.history.exists else { return [] }
        let last = try app.history.reading { store throws(PulseError) in try store.lastReadings() }
        return last.filter { app.now.timeIntervalSince($0.value) > patience }.sorted { $0.key < $1.key }
            .map { SilentSource(name: $0.key, since: Day($0.value, in: app.timeZone)) }
    }

    /// Seconds without anything new after which something is wrong: three days.
    package static let patience: TimeInterval = 3 * 86_400
}
