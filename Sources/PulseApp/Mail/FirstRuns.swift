import Foundation
import PulseCore
import PulseRendering

/// When each address was first to be sent a digest: what came after that is still to be told, also where there was
/// nothing to send for nights.
enum FirstRuns {
    private static let name = "begun.json"

    /// - Parameter path: Of a state folder that need not exist.
    static func first(for address: MailAddress, below path: String) -> Date? { all(below: path)[address.key] }

    static func note(_ addresses: [MailAddress], at date: Date, in folder: StateFolder) throws(PulseError) {
        let known = all(below: folder.path)
        let begun = addresses.reduce(into: known) { $0[$1.key] = $0[$1.key] ?? date }
        if begun != known { try StateFile<[String: Date]>(folder: folder, name: name).write(begun) }
    }

    private static func all(below path: String) -> [String: Date] {
        StateFile<[String: Date]>.value(of: name, below: path) ?? [:]
    }
}
