import Foundation
import PulseCore

/// Which day's digest was handed over for whom.
struct SentRecord {
    private let file: StateFile<[Entry]>
    private var entries: [Entry]

    private struct Entry: Codable {
        let day: Day
        let to: String
        let at: Date
    }

    init(in folder: StateFolder) throws(Failure) {
        file = StateFile(folder: folder, name: "sent.json")
        entries = try file.read() ?? []
    }

    func holds(_ day: Day, for address: String) -> Bool { entries.contains { $0.day == day && $0.to == address } }

    /// Returns once it is on the disk.
    mutating func add(_ day: Day, for address: String, at date: Date) throws(Failure) {
        entries.append(Entry(day: day, to: address, at: date))
        // A year of ten readers is far more than the question "today already?" needs.
        entries = Array(entries.suffix(3650))
        try file.write(entries)
    }
}
