package import Foundation
package import PulseCore

/// What every use case needs: the user's files, the history, the environment variables, and the time of the run.
package struct AppEnvironment: Sendable {
    package let locations: Locations
    package let history: History
    package let variables: [String: String]
    package let now: Date
    package let timeZone: TimeZone

    package init(
        locations: Locations, history: History? = nil, variables: [String: String], now: Date, timeZone: TimeZone
    ) {
        self.locations = locations
        self.history = history ?? History(at: locations.store)
        self.variables = variables
        self.now = now
        self.timeZone = timeZone
    }

    package var calendar: Calendar { .gregorian(in: timeZone) }

    package var today: Day { Day(now, in: timeZone) }

    /// The state of mailed and waiting digests; its folder is made if it is missing.
    package func state() throws -> StateFolder { try StateFolder(locations.state) }
}

/// The paths of the user's files, by the XDG Base Directory Specification, and of those that came with the program.
package struct Locations: Sendable, Hashable {
    package let home: String
    /// The default reading history.
    package let store: String
    /// Models that were fetched.
    package let models: String
    /// The settings, and the user's own prompts.
    package let configuration: String
    package let cache: String
    /// State that is neither history nor cache: what was mailed, and how runs ended.
    package let state: String
    package let executable: String
    /// The folder of the program's own `models` and `prompts`; nil if there is none.
    package let resources: String?

    package init(environment: [String: String], executable: String) {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        self.home = home
        // "All paths set in these environment variables must be absolute. If an implementation encounters a relative
        // path … it should consider the path invalid and ignore it."
        func base(_ name: String, _ fallback: String) -> String {
            let path = environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
            return path + "/pulse-digest"
        }
        let data = base("XDG_DATA_HOME", ".local/share")
        store = data + "/history.sqlite"
        models = data + "/models"
        configuration = base("XDG_CONFIG_HOME", ".config")
        cache = base("XDG_CACHE_HOME", ".cache")
        state = base("XDG_STATE_HOME", ".local/state")
        self.executable = executable
        resources = Locations.resources(beside: executable)
    }

    package var configurationFile: String { configuration + "/config.json" }

    /// The folder of the cached SHA-256 hashes of model files.
    package var hashes: String { cache + "/models" }

    /// The folder of the catalogues of translations: beside the installed models, or in the clone's sources.
    package var translations: String? {
        resources.flatMap { folder in
            ["/translations", "/Sources/Translations"].map { folder + $0 }.first {
                FileManager.default.fileExists(atPath: $0)
            }
        }
    }

    /// An installed program is in `bin` beside `share/pulse-digest`; a built one is somewhere below the clone.
    private static func resources(beside executable: String) -> String? {
        var folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appendingPathComponent("share/pulse-digest").path
        if hasResources(installed) { return installed }
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if hasResources(folder.path) { return folder.path }
        }
        return nil
    }

    private static func hasResources(_ folder: String) -> Bool {
        let files = FileManager.default
        return files.fileExists(atPath: folder + "/models/manifest.json")
            && files.fileExists(atPath: folder + "/prompts/digest.en.md")
    }
}
