/// A folder of its own for one test, removed with everything in it when its owner lets go.
public import Foundation

public final class TemporaryFolder: Sendable {
    /// The folder's absolute path, without a trailing slash.
    public let path: String

    /// Makes an empty folder, readable by this user only, under the system's temporary folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("pulse-digest-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    /// The path of a file (or folder) of that name inside; nothing is created.
    public func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes `text` as UTF-8 to a file of that name inside, and says where it is.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes to a file of that name inside, and says where it is.
    @discardableResult
    public func write(_ bytes: Data, to name: String) throws -> String {
        let destination = file(name)
        try bytes.write(to: URL(fileURLWithPath: destination))
        return destination
    }

    /// Writes a program of that name inside, by a process of its own: another test may start a process at any time, and
    /// between its fork and its exec that holds what is open here, for writing too; and what somebody writes to cannot
    /// be run ("Text file busy").
    @discardableResult
    public func writeProgram(_ text: String, to name: String) throws -> String {
        let destination = file(name)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text, destination]
        try shell.run()
        shell.waitUntilExit()
        guard shell.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return destination
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
