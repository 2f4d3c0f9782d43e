import Foundation
import PulseSystem

/// The folder for what outlives a run and is not the history: what was mailed, what is still to be, how the runs ended.
/// It tells when and to whom someone's mail goes, so it is theirs alone: files of mode 0600 in folders of 0700.
struct StateFolder: Sendable {
    let path: String

    /// Makes the folder where it is missing, and closes it to others where it is not closed.
    init(_ path: String) throws(Failure) {
        self.path = path
        try Self.hinting { () throws(SystemError) in
            try WholeFile.makeFolder(path)
            guard chmod(path, 0o700) == 0 else {
                throw SystemError("Closing \(path) to other users", errno: errno)
            }
        }
    }

    private init(below folder: StateFolder, named name: String) throws(Failure) {
        try self.init(folder.path + "/" + name)
    }

    func folder(_ name: String) throws(Failure) -> StateFolder { try StateFolder(below: self, named: name) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Names of the files, sorted.
    ///
    /// - Parameter areHiddenToo: Whether those that are being written, or were set aside, are among them.
    func files(areHiddenToo: Bool = false) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { areHiddenToo || !$0.hasPrefix(".") }.sorted()
    }

    /// The bytes of a file; nil where there is none.
    func read(_ name: String) throws(Failure) -> Data? {
        try Self.hinting { () throws(SystemError) in try WholeFile.read(file(name)) }
    }

    /// Puts a file in place whole: see `WholeFile`.
    func write(_ bytes: Data, to name: String) throws(Failure) {
        try Self.hinting { () throws(SystemError) in try WholeFile.write(bytes, to: file(name), mode: 0o600) }
    }

    func remove(_ name: String) throws(Failure) {
        try Self.hinting { () throws(SystemError) in try WholeFile.remove(file(name)) }
    }

    func lock(_ name: String) throws(Failure) -> FileLock? {
        try Self.hinting { () throws(SystemError) in try FileLock(file(name)) }
    }

    /// Waits for whoever holds it.
    func waitingLock(_ name: String) throws(Failure) -> FileLock? {
        try Self.hinting { () throws(SystemError) in try FileLock(file(name), waits: true) }
    }

    /// Where this folder may not be written, another may.
    private static func hinting<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            guard error.code == .permission else { throw Failure(error) }
            throw Failure(
                .permission, "\(error.message) Give yourself the right, or set XDG_STATE_HOME to another folder.")
        }
    }
}

extension StateFolder {
    /// The lock of whoever makes or sends a digest, or clears away what was made.
    func delivery() throws(Failure) -> FileLock {
        guard let lock = try lock("lock") else {
            throw Failure(
                .tryAgain, "Busy: another pulse-digest is making or sending a digest. Try again when it is done.")
        }
        return lock
    }
}
