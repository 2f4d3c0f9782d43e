package import Foundation
package import PulseCore
import PulsePlatform
import PulseStore

/// Decides whether to report a night's failure: a new cause at once, one that may pass on the third night in a row, and
/// the same cause not again for a week.
struct AlertThrottle {
    private let folder: StateFolder
    private let file: StateFile<State>
    /// The silent sources that were reported, each with the day of its last reading.
    private let silences: StateFile<[String: Day]>

    private struct State: Codable {
        /// In a row, up to `last`.
        var nights: Int
        var last: Day
        /// When each cause was reported.
        var told: [String: Date]
    }

    init(in folder: StateFolder) {
        self.folder = folder
        file = StateFile(folder: folder, name: "failures.json")
        silences = StateFile(folder: folder, name: "silences.json")
    }

    /// Resets the count of nights, but not the reported causes: a fault of every other night is one fault.
    func wentWell() throws {
        try lock().hold {
            guard var state = try file.read(), state.nights > 0 else { return }
            state.nights = 0
            try file.write(state)
        }
    }

    /// Counts a failure.
    ///
    /// - Returns: The number of failed nights in a row, if it is to be reported; else nil.
    func failed(_ failure: PulseError, on day: Day, at now: Date) throws -> Int? {
        try lock().hold { () -> Int? in
            var state = try file.read() ?? State(nights: 0, last: day, told: [:])
            if state.nights == 0 || state.last != day { state.nights += 1 }
            state.last = day
            let cause = Self.fingerprint(failure)
            // Causes reported while the clock was ahead count as reported now.
            state.told = state.told.mapValues { min($0, now) }.filter { now.timeIntervalSince($0.value) < Self.silence }
            let isPassing = failure.code == .tryAgain && state.nights < Self.patience
            let isTold = state.told[cause] == nil && !isPassing
            if isTold { state.told[cause] = now }
            try file.write(state)
            return isTold ? state.nights : nil
        }
    }

    /// The silent sources that were not reported yet. A silence is reported once, however long it is.
    func newSilences(_ sources: [StaleSource]) throws -> [StaleSource] {
        try lock().hold {
            let told = try silences.read() ?? [:]
            let now = Dictionary(sources.map { ($0.name, $0.since) }, uniquingKeysWith: min)
            if now != told { try silences.write(now) }
            return sources.filter { told[$0.name] != $0.since }
        }
    }

    /// A lock of its own, held for a moment, because several runs may end at once.
    private func lock() throws -> FileLock { try folder.waitingLock(".failures.lock") }

    /// Failed nights in a row after which a failure that may pass is reported.
    static let patience = 3
    /// Seconds: a week, less the hours by which a run may be early.
    static let silence: TimeInterval = 7 * 86_400 - 12 * 3600

    /// The error without its numbers, such as those of processes and bytes, which change while the cause does not.
    static func fingerprint(_ failure: PulseError) -> String {
        "\(failure.code.exitCode) " + failure.reason.replacing(/[0-9]+/, with: "#").prefix(500)
    }
}

/// A source that is imported night after night, but has had no new readings for three days.
package struct StaleSource: Equatable {
    let name: String
    /// The day of the last reading.
    let since: Day

    package var text: Message { "\(name) since \(since.text)" }

    /// None where there is no history.
    package static func all(in app: AppEnvironment) throws -> [StaleSource] {
        guard app.history.exists else { return [] }
        let last = try app.history.open().lastReadings()
        return last.filter { app.now.timeIntervalSince($0.value) > patience }.sorted { $0.key < $1.key }
            .map { StaleSource(name: $0.key, since: Day($0.value, in: app.timeZone)) }
    }

    /// Seconds without new readings after which something is wrong: three days.
    package static let patience: TimeInterval = 3 * 86_400
}
