import Foundation
import PulseCore
import PulseSources

/// The sites that somebody named of a browser's history: like a reader that was imported once, they are imported again
/// by whoever names no others. Each history has its own.
struct BrowserSites: Codable, Hashable {
    /// The name of its `SourceKind`.
    let browser: String
    /// Of its database.
    let path: String
    let hosts: [String]

    private static let name = "sites.json"

    /// Those of the history. What cannot be read is named again.
    static func all(in app: AppEnvironment) -> [BrowserSites] { every(in: app)[app.history.identity] ?? [] }

    /// Those of a browser, at a path that is its database or a folder above it; nil: wherever it is.
    static func find(_ kind: SourceKind, at path: String?, in app: AppEnvironment) -> BrowserSites? {
        let path = path.map(absolute)
        return all(in: app).first { known in
            known.browser == kind.name && (path.map { known.path == $0 || known.path.hasPrefix($0 + "/") } ?? true)
        }
    }

    /// The last that were named of a database take the place of those before.
    ///
    /// - Returns: whether they are others than were known.
    static func remember(
        _ hosts: [String], of kind: SourceKind, at path: String, in app: AppEnvironment
    ) throws(PulseError) -> Bool {
        let new = BrowserSites(browser: kind.name, path: absolute(path), hosts: hosts)
        var every = every(in: app)
        let known = every[app.history.identity] ?? []
        guard !known.contains(new) else { return false }
        every[app.history.identity] = known.filter { $0.path != new.path } + [new]
        try StateFile<[String: [BrowserSites]]>(folder: app.state(), name: name).write(every)
        return true
    }

    private static func every(in app: AppEnvironment) -> [String: [BrowserSites]] {
        StateFile<[String: [BrowserSites]]>.value(of: name, below: app.locations.state) ?? [:]
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    var kind: SourceKind? { SourceKind.all.first { $0.name == browser && $0.isBrowser } }
}
