import Foundation
public import PulseCore
import PulsePlatform

/// `models pull`: downloads models of the catalogue to the user's folder, and verifies them.
///
/// A file gets its name only after its size and SHA-256 were checked. Until then it is `<file>.part`, which the next
/// run resumes. Concurrent runs for the same model wait for each other.
public struct Downloader: Sendable {
    private let catalog: Catalog
    var settings = DownloadSettings()

    /// - Parameter version: the program's, for the `User-Agent` header.
    public init(catalog: Catalog, version: String) {
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
        _ entry: CatalogEntry, from source: String? = nil,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(PulseError) -> String {
        try await BlockingThread.run(cancelledBy: .cancelled) { cancellation throws(PulseError) in
            let pull = Pull(
                entry: entry, catalog: catalog, settings: settings, cancellation: cancellation, progress: progress)
            guard let source else { return try pull.fromWeb() }
            return try pull.fromFile(source)
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
    /// Waits between two attempts; nil: sleeps until then, or until the task is cancelled.
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
        /// Hashing the file.
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
