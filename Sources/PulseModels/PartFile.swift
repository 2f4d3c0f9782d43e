import Foundation
import PulseCore
import PulsePlatform

/// The file of an unfinished download, `<file>.part`, locked while this value exists.
///
/// The lock is an flock on the file itself: the system releases it with the descriptor, also when the program is
/// killed.
struct PartFile: ~Copyable {
    let file: OpenFile

    /// Opens or creates the file, and waits until no other pull holds it. `onWait` is called once if it has to wait.
    ///
    /// Throws `.cannotWrite`, `.permission` or what `cancellation` throws.
    init(claiming path: String, cancellation: Cancellation, onWait: () -> Void) throws(PulseError) {
        var hasWaited = false
        while true {
            let file = try OpenFile(writing: path)
            // Polled, because a blocking flock could not be cancelled.
            while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                guard number == EWOULDBLOCK || number == EINTR else {
                    throw PulseError("Locking \(path) failed", errno: number)
                }
                if !hasWaited { onWait() }
                hasWaited = true
                try cancellation.sleep(.milliseconds(100))
            }
            // The previous holder may have renamed or removed the file. Then the lock is on a file without a name, and
            // the path must be opened again.
            let stamp = try file.stamp()
            if let named = FileStamp(path: path), named.isSameFile(as: stamp) {
                self.file = file
                return
            }
        }
    }

    /// Whether no pull holds it.
    static func isFree(_ path: String) -> Bool {
        guard let file = try? OpenFile(reading: path) else { return true }
        return flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// The bytes received so far.
    func size() throws(PulseError) -> Int64 { try file.stamp().size }

    /// Removes the file if it is empty, so that a pull that fails before its first byte leaves no trace. A run that
    /// waits for the lock notices this.
    func discardIfEmpty() {
        if (try? size()) == 0 { unlink(file.path) }
    }

    /// Renames the complete file, replacing any file of that name, so that it survives a power cut: the bytes are
    /// synced before, the folder after.
    func finish(as destination: String) throws(PulseError) {
        guard rename(file.path, destination) == 0 else {
            throw PulseError("Renaming \(file.path) to \(destination) failed", errno: errno)
        }
        AtomicFile.syncFolder((destination as NSString).deletingLastPathComponent)
    }
}
