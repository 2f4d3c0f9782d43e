import Foundation

/// The small file that remembers a large file's sha256, so that it is not hashed twice: `<file>.sha256.json` beside it,
/// or in a cache folder where nothing can be written beside it.
///
/// It holds for as long as the file's size and time of change are what they were. It saves time and protects from
/// accidents; whoever may write beside a model may as well write the model.
struct Sidecar: Codable, Equatable {
    let size: Int64
    /// Nanoseconds since 1970.
    let mtime: Int64
    let sha256: String

    /// The sha256 that was kept for the file at `path`, if it still holds. A sidecar that is broken, or about another
    /// state of the file, is as good as none.
    static func remembered(for path: String, stamp: FileStamp, cacheFolder: String) -> String? {
        for place in places(for: path, cacheFolder: cacheFolder) {
            guard let data = FileManager.default.contents(atPath: place),
                let sidecar = try? JSONDecoder().decode(Sidecar.self, from: data),
                sidecar.size == stamp.size, sidecar.mtime == stamp.modified, sidecar.sha256.utf8.count == 64
            else { continue }
            return sidecar.sha256
        }
        return nil
    }

    /// Keeps the sha256 in the first place that can be written. Failing costs time later, not now: it is no error.
    static func remember(_ sha256: String, for path: String, stamp: FileStamp, cacheFolder: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(Sidecar(size: stamp.size, mtime: stamp.modified, sha256: sha256)) else {
            return
        }
        for place in places(for: path, cacheFolder: cacheFolder) {
            let folder = (place as NSString).deletingLastPathComponent
            if folder == cacheFolder {
                try? FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            if (try? data.write(to: URL(fileURLWithPath: place), options: .atomic)) != nil { return }
        }
    }

    static func beside(_ path: String) -> String {
        path + ".sha256.json"
    }

    /// Beside the file first. In the cache the name begins with a hash of the whole path, because two folders may
    /// hold files of the same name.
    private static func places(for path: String, cacheFolder: String) -> [String] {
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        let name = (absolute as NSString).lastPathComponent
        guard let key = try? SHA256.hash(absolute).prefix(16) else { return [beside(absolute)] }
        return [beside(absolute), "\(cacheFolder)/\(beside("\(key)-\(name)"))"]
    }
}
