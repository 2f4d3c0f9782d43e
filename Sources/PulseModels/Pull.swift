import Foundation

/// One run of `models pull`, on a thread that may block: what is common to files from the network and from the disk.
///
///     already there? → folder → .part, locked → there by now? → filled → size and sha256 → its name
struct Pull {
    let entry: CatalogEntry
    let catalog: Catalog
    let settings: DownloadSettings
    let userAgent: String
    let cancellation: Cancellation
    let progress: (PullProgress) -> Void

    func report(_ phase: PullProgress.Phase, _ bytes: Int64) {
        progress(PullProgress(phase, bytes: bytes, total: entry.size))
    }

    /// Brings the file with the help of `fill`, which must leave it whole in the `.part` file and say whether it built
    /// on what an earlier run had left there. Returns the path; `origin` is what errors call the source.
    func bring(
        from origin: String, _ fill: (borrowing PartFile) throws(ModelError) -> Bool
    ) throws(ModelError) -> String {
        if let path = try placed() { return path }
        try makeFolder()
        let part = try PartFile(
            claiming: catalog.partPath(of: entry), cancellation: cancellation, onWait: { report(.waiting, 0) })
        do throws(ModelError) {
            // Whoever held the lock has probably brought it.
            if let path = try placed() {
                part.discardIfEmpty()
                return path
            }
            while true {
                let wasResumed = try fill(part)
                try part.file.sync()
                let sha256 = try fileHash.hash(part.file)
                if sha256 == entry.sha256 { return try seal(part) }
                try part.file.empty()
                // What an earlier run left may be to blame: of another version, or lost in a power cut. Once more.
                guard wasResumed else { throw mismatch(origin, sha256) }
            }
        } catch {
            part.discardIfEmpty()
            throw error
        }
    }

    /// Where the file already is, if it is whole and right.
    func placed() throws(ModelError) -> String? {
        switch catalog.status(of: entry) {
        case .shipped(let path), .present(let path):
            return try fileHash.remembered(of: path) == entry.sha256 ? path : nil
        case .damaged, .partial, .absent:
            return nil
        }
    }

    private func makeFolder() throws(ModelError) {
        do {
            try FileManager.default.createDirectory(
                atPath: catalog.userFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ModelError(
                .cannotWrite, "The models folder \(catalog.userFolder) cannot be made. Check who may write there.",
                cause: String(describing: error))
        }
    }

    /// Throws `.noSpace` unless `bytes` more fit on the disk.
    func checkSpace(for bytes: Int64) throws(ModelError) {
        guard bytes > 0, let free = settings.freeSpace(catalog.userFolder) else { return }
        let needed = bytes + settings.reserve
        if free >= needed { return }
        throw ModelError(
            .noSpace,
            "\(entry.name) needs \(Self.megabytes(needed)) MB in \(catalog.userFolder), and"
                + " \(Self.megabytes(free)) MB are free. Free some space and run the command again.")
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }

    private func seal(_ part: borrowing PartFile) throws(ModelError) -> String {
        let path = catalog.userPath(of: entry)
        try part.finish(as: path)
        // Renaming changes neither size nor time of change.
        if let stamp = FileStamp(path: path) {
            Sidecar.remember(entry.sha256, for: path, stamp: stamp, cacheFolder: catalog.cacheFolder)
        }
        return path
    }

    var fileHash: FileHash {
        FileHash(cacheFolder: catalog.cacheFolder, cancellation: cancellation) { bytes, _ in report(.verifying, bytes) }
    }

    private func mismatch(_ origin: String, _ sha256: String) -> ModelError {
        ModelError(
            .mismatch,
            "\(origin) gave a file whose sha256 begins with \(sha256.prefix(12)), where the catalogue's"
                + " \(entry.name) has \(entry.sha256.prefix(12)). What arrived was thrown away; run the command again,"
                + " or bring a right copy with --from.")
    }
}
