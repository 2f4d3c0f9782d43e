import Foundation

/// Files that hold what people read, letter by letter. To change one on purpose, run the tests with
/// `UPDATE_GOLDEN=1` and read the difference before it is committed.
public enum Golden {
    private static let folder = Repository.fixtures.appendingPathComponent("golden")

    /// The expected text of this name. With `UPDATE_GOLDEN` set, the file is first given the actual one.
    public static func text(_ name: String, actual: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(actual.utf8).write(to: file)
        }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
