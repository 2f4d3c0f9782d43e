import Foundation
import PulseCore
import PulsePlatform
import PulseRendering

/// When each address was first to be sent a digest: what came after that is still to be told, also where there was
/// nothing to send for nights.
struct FirstRuns {
    private let path: String

    private static let name = "begun.json"

    /// Of a state folder that need not exist.
    init(below path: String) { self.path = path + "/" + Self.name }

    init(in folder: StateFolder) { self.init(below: folder.path) }

    func first(for address: MailAddress) -> Date? { all[address.key] }

    func note(_ addresses: [MailAddress], at date: Date) throws(PulseError) {
        let known = all
        let begun = addresses.reduce(into: known) { $0[$1.key] = $0[$1.key] ?? date }
        guard begun != known, let bytes = try? StateFile<[String: Date]>.encoder.encode(begun) else { return }
        try WholeFile.write(bytes, to: path, mode: 0o600)
    }

    private var all: [String: Date] {
        (try? WholeFile.read(path)).flatMap {
            try? StateFile<[String: Date]>.decoder.decode([String: Date].self, from: $0)
        }
            ?? [:]
    }
}
