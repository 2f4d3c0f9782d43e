package import Foundation
import PulseText

/// A folder of cached values, a JSON file each. Files that cannot be read or written count as missing.
package struct CacheFolder: Sendable {
    private static let oldest: TimeInterval = 30 * 86_400

    private let path: String

    /// Creates the folder with mode 0700, since it shows what the user reads, and deletes files not written for thirty
    /// days.
    package init(_ path: String, now: Date) {
        self.path = path
        let files = FileManager.default
        try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let urls = try? files.contentsOfDirectory(
            at: URL(fileURLWithPath: path), includingPropertiesForKeys: [.contentModificationDateKey])
        for url in urls ?? [] where url.pathExtension == "json" {
            let changed = try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let changed, now.timeIntervalSince(changed) > CacheFolder.oldest { try? files.removeItem(at: url) }
        }
    }

    /// The value stored under a name; nil where there is none. File names are hashes and may collide, so a value must
    /// contain its name, for the caller to compare.
    package func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        (try? Data(contentsOf: file(name))).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    package func write(_ value: some Encodable, _ name: String) {
        try? JSONEncoder().encode(value).write(to: file(name), options: .atomic)
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(ShortHash.of(name)).json") }
}
