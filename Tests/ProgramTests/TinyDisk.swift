import Foundation
import PulseTestSupport

/// A file system of a few pages.
final class TinyDisk {
    let path: String

    static let canBeMade: Bool = {
        guard let folder = try? TemporaryFolder(), let disk = try? TinyDisk(at: folder.file("disk")) else {
            return false
        }
        return FileManager.default.fileExists(atPath: disk.path)
    }()

    init(at path: String, kilobytes: Int = 64) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=0700", "tmpfs", path) == 0 else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit { _ = Self.run("/bin/umount", path) }

    func fill() throws {
        _ = FileManager.default.createFile(atPath: path + "/full", contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/full"))
        while (try? file.write(contentsOf: Data(repeating: 0, count: 4096))) != nil {}
    }

    func clear() throws { try FileManager.default.removeItem(atPath: path + "/full") }

    private static func run(_ words: String...) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
