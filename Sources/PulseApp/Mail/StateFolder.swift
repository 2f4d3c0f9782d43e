import Foundation
import PulseCore
package import PulsePlatform

/// The folder of state other than the history: what was mailed, what waits to be, how runs ended. It shows when and to
/// whom somebody's mail goes, so only they can read it: files of mode 0600 in folders of 0700.
package struct StateFolder: Sendable {
    package let path: String

    /// Makes the folder if it is missing, and closes it to other users.
    package init(_ path: String) throws {
        self.path = path
        try Self.hinting {
            try AtomicFile.makeFolder(path)
            guard chmod(path, 0o700) == 0 else {
                throw PulseError("Cannot make \(path) unreadable for other users", errno: errno)
            }
        }
    }

    func folder(_ name: String) throws -> StateFolder { try StateFolder(file(name)) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Names of the files, sorted.
    ///
    /// - Parameter areHiddenToo: Whether those that are being written, or were set aside, are among them.
    func files(areHiddenToo: Bool = false) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { areHiddenToo || !$0.hasPrefix(".") }.sorted()
    }

    /// The bytes of a file; nil where there is none.
    func read(_ name: String) throws -> Data? { try Self.hinting { try AtomicFile.read(file(name)) } }

    /// Writes a file atomically: see `AtomicFile`.
    func write(_ bytes: Data, to name: String) throws {
        try Self.hinting { try AtomicFile.write(bytes, to: file(name), mode: 0o600) }
    }

    /// Writes a file that is put in place later, when this must not fail.
    func prepare(_ bytes: Data, for name: String) throws -> AtomicFile.Prepared {
        try Self.hinting {
            try AtomicFile.prepare(to: file(name), mode: 0o600) { put in try put(bytes) }
        }
    }

    /// Returns once the new name would survive a power failure.
    func rename(_ name: String, to other: String) throws {
        try Self.hinting { try AtomicFile.rename(file(name), to: file(other)) }
    }

    func remove(_ name: String) throws { try Self.hinting { try AtomicFile.remove(file(name)) } }

    /// Takes a lock; nil if somebody else holds it.
    func lock(_ name: String) throws -> FileLock? { try Self.hinting { try FileLock(file(name)) } }

    package func waitingLock(_ name: String) throws -> FileLock {
        try Self.hinting { try FileLock(waitingFor: file(name)) }
    }

    /// Locks on numbers, of which none is taken yet.
    func recordLocks(_ name: String) throws -> RecordLocks { try Self.hinting { try RecordLocks(file(name)) } }

    private static func hinting<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PulseError where error.code == .permission {
            throw PulseError(
                .permission, error.message, hint: "Change its permissions, or set XDG_STATE_HOME to another folder.")
        }
    }

    /// The lock for making, sending and deleting digests.
    package func delivery() throws -> FileLock {
        guard let lock = try lock("lock") else {
            throw PulseError(
                .tryAgain, "Busy: another pulse-digest is making or sending a digest.", hint: "Try again later.")
        }
        return lock
    }
}

/// A value that is kept as a JSON file of the state folder.
package struct StateFile<Value: Codable> {
    let folder: StateFolder
    let name: String

    package init(folder: StateFolder, name: String) { (self.folder, self.name) = (folder, name) }

    /// Nil if there is none. An unusable file is renamed: none of these values is worth a night without mail.
    func read() throws -> Value? {
        if AtomicFile.isRegular(folder.file(name)) {
            guard let bytes = try folder.read(name) else { return nil }
            if let value = try? Self.decoder.decode(Value.self, from: bytes) { return value }
        }
        setAside()
        return nil
    }

    func setAside() { rename(folder.file(name), folder.file(".\(name).damaged")) }

    /// The value in a state folder that need not exist; nil also if it cannot be read, and then the file stays.
    package static func value(of name: String, below path: String) -> Value? {
        guard let bytes = try? AtomicFile.read(path + "/" + name) else { return nil }
        return try? decoder.decode(Value.self, from: bytes)
    }

    package func write(_ value: Value) throws { try folder.write(bytes(of: value), to: name) }

    func prepare(_ value: Value) throws -> AtomicFile.Prepared { try folder.prepare(bytes(of: value), for: name) }

    private func bytes(of value: Value) -> Data {
        guard let bytes = try? Self.encoder.encode(value) else { preconditionFailure("a state that cannot be encoded") }
        return bytes + Data("\n".utf8)
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
