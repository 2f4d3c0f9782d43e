import Foundation
import PulseRendering

/// The settings, from the file and the environment.
struct SettingsCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        if let fault = context.settingsFault { return [.problem("settings", fault)] }
        let file = context.locations.configurationFile
        guard FileManager.default.fileExists(atPath: file) else {
            return [.ok("settings", "none; they would be in \(file)")]
        }
        return [.ok("settings", file)]
    }
}
