package import Foundation
package import PulseCore
import PulsePlatform

/// How the runs that send mail ended: a line each, the newest last. It names no article.
package struct RunLog {
    package struct Entry: Codable, Sendable, Hashable {
        package enum Outcome: String, Codable, Sendable {
            case sent, empty
            /// That day's mail was out already.
            case repeated
            case failed, interrupted
        }

        package let time: Date
        package let outcome: Outcome
        package let exit: Int32
        /// How many articles the digest tells of.
        package let articles: Int
        /// How many messages were handed over.
        package let messages: Int
        package let seconds: Double
        /// What went wrong; empty where nothing did.
        package let message: String
    }

    private let folder: StateFolder

    init(in folder: StateFolder) { self.folder = folder }

    /// The entries of a state folder that need not exist. A line that cannot be understood is passed over.
    package static func entries(below path: String) throws(PulseError) -> [Entry] {
        guard let bytes = try AtomicFile.read(path + "/" + name) else { return [] }
        let decoder = StateFile<Entry>.decoder
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(Entry.self, from: Data($0)) }
    }

    /// Adds an entry, and drops the oldest beyond the bounds.
    func add(_ entry: Entry) throws(PulseError) {
        // Also those who found another run at work write here, so it has a lock of its own, held for a moment.
        try folder.waitingLock(".runs.lock").hold { () throws(PulseError) in try append(entry) }
    }

    private func append(_ entry: Entry) throws(PulseError) {
        var lines = (try folder.read(Self.name)).map { $0.split(separator: UInt8(ascii: "\n")).map { Data($0) } } ?? []
        guard let line = try? StateFile<Entry>.encoder.encode(entry) else { return }
        lines = (lines + [line]).suffix(Self.mostEntries)
        var size = lines.reduce(0) { $0 + $1.count + 1 }
        while size > Self.mostBytes, lines.count > 1 { size -= lines.removeFirst().count + 1 }
        try folder.write(Data((lines + [Data()]).joined(separator: Data("\n".utf8))), to: Self.name)
    }

    /// A year of nights.
    static let mostEntries = 400
    static let mostBytes = 1 << 18
    private static let name = "runs.jsonl"
}
