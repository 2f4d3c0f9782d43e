import Foundation

/// A model that is still arriving: `<file>.part`, locked for as long as this owner lives.
///
/// The lock is the file's own (flock), so that nothing is left to clean up: the system drops it with the descriptor,
/// also when the program is killed.
struct PartFile: ~Copyable {
    let file: OpenFile

    /// Opens or makes the file and waits until no other pull holds it. `onWait` is called once, if it must wait.
    ///
    /// Throws `.cannotWrite`, `.noSpace` or `.cancelled`.
    init(claiming path: String, cancellation: Cancellation, onWait: () -> Void) throws(ModelError) {
        var hasWaited = false
        while true {
            let file = try OpenFile(writing: path)
            // Asked again and again, because a blocking flock could not be cancelled.
            while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                guard number == EWOULDBLOCK || number == EINTR else {
                    throw .system(.cannotWrite, "Locking \(path)", errno: number)
                }
                if !hasWaited { onWait() }
                hasWaited = true
                try cancellation.sleep(.milliseconds(100))
            }
            // The one who held it has renamed or removed the file by now, and this is the lock of a file without a
            // name: the path has to be opened again.
            let stamp = try file.stamp()
            if let named = FileStamp(path: path), named.isSameFile(as: stamp) {
                self.file = file
                return
            }
        }
    }

    var path: String { file.path }

    /// Bytes that have arrived.
    func size() throws(ModelError) -> Int64 {
        try file.stamp().size
    }

    /// Removes the file; whoever waits for its lock notices.
    func discard() {
        unlink(path)
    }

    /// Removes the file if nothing has arrived: a pull that failed before its first byte leaves no trace.
    func discardIfEmpty() {
        if (try? size()) == 0 { discard() }
    }

    /// Gives the finished file its name, over whatever had that name, so that it survives a power cut: the bytes were
    /// synced, the name is synced with its folder.
    func finish(as destination: String) throws(ModelError) {
        guard rename(path, destination) == 0 else {
            throw .system(.cannotWrite, "Renaming \(path) to \(destination)", errno: errno)
        }
        let folder = try OpenFile(reading: (destination as NSString).deletingLastPathComponent)
        // EINVAL: "fd is bound to a special file … which does not support synchronization" (fsync(2)). Some file
        // systems say so of folders, and have nothing to do then.
        if fsync(folder.descriptor) != 0, errno != EINVAL {
            throw .system(.cannotWrite, "Writing \(folder.path) to the disk", errno: errno)
        }
    }
}
