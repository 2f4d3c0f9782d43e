import Foundation
import PulseCore
import PulsePlatform

/// A model that is still arriving: `<file>.part`, locked for as long as this owner lives.
///
/// The lock is on the file itself (flock), so there is nothing to clean up: the system drops it with the descriptor,
/// also when the program is killed.
struct PartFile: ~Copyable {
    let file: OpenFile

    /// Opens or makes the file, and waits until no other pull holds it. `onWait` is called once if it has to wait.
    ///
    /// Throws `.cannotWrite`, `.permission` or what `cancellation` throws.
    init(claiming path: String, cancellation: Cancellation, onWait: () -> Void) throws(PulseError) {
        var hasWaited = false
        while true {
            let file = try OpenFile(writing: path)
            // Asked again and again, because a flock that waits could not be cancelled.
            while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                guard number == EWOULDBLOCK || number == EINTR else {
                    throw PulseError("Locking \(path) failed", errno: number)
                }
                if !hasWaited { onWait() }
                hasWaited = true
                try cancellation.sleep(.milliseconds(100))
            }
            // Whoever held the lock may have renamed or removed the file by now. Then this is the lock of a file
            // without a name, and the path has to be opened again.
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

    /// Bytes that have arrived.
    func size() throws(PulseError) -> Int64 { try file.stamp().size }

    /// Removes the file if nothing has arrived: a pull that fails before its first byte leaves no trace. Whoever waits
    /// for the lock notices.
    func discardIfEmpty() {
        if (try? size()) == 0 { unlink(file.path) }
    }

    /// Gives the finished file its name, in place of any file of that name, so that it survives a power cut: the bytes
    /// have been synced, and the name is synced with its folder.
    func finish(as destination: String) throws(PulseError) {
        guard rename(file.path, destination) == 0 else {
            throw PulseError("Renaming \(file.path) to \(destination) failed", errno: errno)
        }
        WholeFile.syncFolder((destination as NSString).deletingLastPathComponent)
    }
}
