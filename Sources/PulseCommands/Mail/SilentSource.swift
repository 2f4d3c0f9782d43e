import Foundation
import PulseCore
import PulseStore

/// A source that is imported night after night, and from which nothing that was read has come for three days.
struct SilentSource: Equatable {
    let name: String
    /// The day of the last reading.
    let since: Day

    var text: Message { "\(name) since \(since.text)" }
}

extension Context {
    /// None where there is no history.
    func silentSources() throws(PulseError) -> [SilentSource] {
        guard FileManager.default.fileExists(atPath: storePath) else { return [] }
        let last = try reading { store throws(PulseError) in try store.lastReadings() }
        return last.filter { now.timeIntervalSince($0.value) > NightlyRun.patience }.sorted { $0.key < $1.key }
            .map { SilentSource(name: $0.key, since: Day($0.value, in: timeZone)) }
    }
}
