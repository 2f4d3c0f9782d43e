import Foundation

/// The sha256 of a file, computed or remembered.
struct FileHash {
    /// Where sidecars go that cannot stand beside their file.
    let cacheFolder: String
    let cancellation: Cancellation
    /// Called with the bytes hashed so far and the file's size, once a mebibyte.
    let progress: (Int64, Int64) -> Void

    /// How much is read at once: large enough for the disk, small enough for the stop to be noticed at once.
    private static let chunk = 1 << 20

    /// What the sidecar remembers, or else what `computed(of:)` finds.
    func remembered(of path: String) throws(ModelError) -> String {
        if let stamp = FileStamp(path: path),
            let known = Sidecar.remembered(for: path, stamp: stamp, cacheFolder: cacheFolder)
        {
            return known
        }
        return try computed(of: path)
    }

    /// Reads the whole file and keeps the result in its sidecar.
    func computed(of path: String) throws(ModelError) -> String {
        let file = try OpenFile(reading: path)
        let sha256 = try hash(file)
        Sidecar.remember(sha256, for: path, stamp: try file.stamp(), cacheFolder: cacheFolder)
        return sha256
    }

    /// Reads the whole file, and remembers nothing.
    ///
    /// Throws `.cannotRead`, also when the file is changed meanwhile, and `.cancelled`.
    func hash(_ file: borrowing OpenFile) throws(ModelError) -> String {
        let stamp = try file.stamp()
        let hash = try SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            try cancellation.check()
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { break }
            try hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
            progress(offset, stamp.size)
        }
        guard try file.stamp() == stamp else {
            throw ModelError(
                .cannotRead, "\(file.path) was changed while it was being read. Try again when it is at rest.")
        }
        return try hash.finish()
    }
}
