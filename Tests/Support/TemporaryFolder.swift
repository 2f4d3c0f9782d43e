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

    /// Makes a folder of that name inside, and those above it.
    @discardableResult
    public func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        return file(name)
    }

    /// What a file of that name inside holds, as UTF-8.
    public func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    /// Copies a file, makes the folders above the copy, and says where it is.
    @discardableResult
    public func copy(_ path: String, to name: String) throws -> String {
        try makeFolderAbove(name)
        try FileManager.default.copyItem(atPath: path, toPath: file(name))
        return file(name)
    }

    /// Makes a symbolic link of that name inside, and the folders above it.
    @discardableResult
    public func link(_ name: String, to path: String) throws -> String {
        try makeFolderAbove(name)
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: path)
        return file(name)
    }

    private func makeFolderAbove(_ name: String) throws {
        let folder = URL(fileURLWithPath: file(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes `text` as UTF-8 to a file of that name inside, makes the folders above it, and says where it is.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes to a file of that name inside, makes the folders above it, and says where it is.
    @discardableResult
    public func write(_ bytes: Data, to name: String) throws -> String {
        try makeFolderAbove(name)
        try bytes.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a program of that name inside, by a process of its own: another test may start a process at any time, and
    /// between its fork and its exec that holds what is open here, for writing too; and what somebody writes to cannot
    /// be run ("Text file busy").
    @discardableResult
    public func writeProgram(_ text: String, to name: String) throws -> String {
        try makeFolderAbove(name)
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
