import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

/// Whole files, locks and what the system says when it refuses.
@Suite(.timeLimit(.minutes(20))) struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func whatWasReadIsPutBack() throws {
        let path = folder.file("new/file")
        try AtomicFile.restore(Data("one".utf8), to: path, mode: 0o644)
        #expect(try AtomicFile.read(path) == Data("one".utf8))
        try AtomicFile.restore(nil, to: path, mode: 0o644)
        #expect(try AtomicFile.read(path) == nil)
        try AtomicFile.remove(path)
    }

    /// Opening a pipe would wait for its writer.
    @Test func whatIsNoRegularFileIsNotRead() throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), folder.path, "/dev/null"] {
            let error = #expect(throws: PulseError.self) { _ = try AtomicFile.read(path) }
            #expect(error?.code == .cannotRead && error?.message.hasSuffix("is not a regular file.") == true)
        }
    }

    @Test func aLockIsFreeAgainAfterAnError() throws {
        let path = folder.file("lock")
        let error = #expect(throws: PulseError.self) {
            try FileLock(waitingFor: path).hold {
                if try FileLock(path) == nil { throw PulseError(.tryAgain, "held") }
            }
        }
        #expect(error?.message == "held")
        _ = try FileLock(waitingFor: path)
    }

    /// A child has copies of all descriptors from its fork to its exec.
    @Test func aCopyOfTheDescriptorDoesNotKeepALock() throws {
        let path = folder.file("lock")
        var copy: Int32 = -1
        try FileLock(waitingFor: path).hold {
            let mine = (Int32(3)..<20_000).first { descriptor in
                var (one, other) = (stat(), stat())
                return fstat(descriptor, &one) == 0 && stat(path, &other) == 0 && one.st_ino == other.st_ino
                    && one.st_dev == other.st_dev
            }
            copy = mine.map { dup($0) } ?? -1
        }
        defer { close(copy) }
        try #require(copy >= 0)
        if try FileLock(path) == nil { Issue.record("The lock is still held.") }
    }

    @Test func numbersAreLockedOneByOne() throws {
        let path = folder.file("locks")
        let mine = try RecordLocks(path)
        do {
            let others = try RecordLocks(path)
            #expect(try others.take(7) && others.take(7) && others.take(.max))
            #expect(try !mine.take(7) && mine.take(8) && !others.take(8))
            others.release(7)
            #expect(try mine.take(7) && !others.take(7) && !mine.take(.max))
        }
        #expect(try mine.take(.max), "they end with their holder")
    }

    @Test func aFileInAFoldersPlaceIsNamed() throws {
        let path = try folder.write("", to: "file")
        let error = try #require(throws: PulseError.self) { try AtomicFile.makeFolder(path + "/below") }
        #expect(error.code == .cannotWrite && error.message == "Cannot make the folder \(path): Not a directory.")
    }

    @Test(arguments: [
        (ENOSPC, PulseError.Code.cannotWrite, "Writing x: No space left on device. Free some space"),
        (EACCES, .permission, "Writing x: Permission denied."), (EIO, .cannotRead, "Writing x: Input/output error."),
    ])
    func aSystemCallThatFailsTellsWhy(number: Int32, code: PulseError.Code, words: String) {
        let error = PulseError("Writing x", errno: number, .cannotRead)
        #expect(error.code == code && error.description.hasPrefix(words))
    }

    /// Nanoseconds since 1970 do not reach it.
    @Test func aFileMayBeFromADistantYear() throws {
        let path = try folder.write("", to: "file")
        let year2300 = Date(timeIntervalSince1970: 10_413_792_000)
        try FileManager.default.setAttributes([.modificationDate: year2300], ofItemAtPath: path)
        #expect(FileStamp(path: path)?.isRegular == true)
    }

    @Test func aCancelledTaskWakesWhatSleeps() async throws {
        let task = Task { try await BlockingThread.run { cancellation in try cancellation.sleep(.seconds(3600)) } }
        task.cancel()
        await #expect(throws: PulseError.interrupted) { try await task.value }
    }
}
