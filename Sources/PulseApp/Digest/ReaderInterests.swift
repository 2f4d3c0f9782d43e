import Foundation
import PulseCore
package import PulseDigest
import PulseStore
import PulseText

/// The reader's interests, as the history shows them, without the forgotten ones.
package struct ReaderInterests: Sendable {
    private let app: AppEnvironment
    private let reporter: Reporter

    /// The most days, and the most articles, that count.
    private static let (days, most) = (60.0, 1000)

    package init(in app: AppEnvironment, reporter: Reporter) { (self.app, self.reporter) = (app, reporter) }

    package func taste() throws -> Taste {
        let since = app.now.addingTimeInterval(-Self.days * 86_400)
        let store = try app.history.open()
        let read = try store.list(limit: Self.most, since: since)
        let others = try store.unread().map(\.article)
        return Taste(
            read: read, others: others, forgotten: forgotten,
            meanings: ReportVectors(in: app, reporter: reporter).kept(of: read.map(\.article) + others), now: app.now)
    }

    // MARK: - What is forgotten

    private static let name = "forgotten.json"

    /// As typed, the first one first.
    package var forgotten: [String] { StateFile<[String]>.value(of: Self.name, below: app.locations.state) ?? [] }

    /// - Returns: whether it counted before.
    package func forget(_ name: String) throws -> Bool {
        let known = forgotten
        guard !known.contains(where: { Words.name($0) == Words.name(name) }) else { return false }
        try write(known + [name])
        return true
    }

    /// - Returns: whether it was forgotten.
    package func restore(_ name: String) throws -> Bool {
        let (known, rest) = (forgotten, forgotten.filter { Words.name($0) != Words.name(name) })
        guard rest.count < known.count else { return false }
        try write(rest)
        return true
    }

    private func write(_ names: [String]) throws {
        try StateFile<[String]>(folder: app.state(), name: Self.name).write(names)
    }
}
