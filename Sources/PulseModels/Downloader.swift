import Foundation
public import PulseCore
import PulsePlatform

/// `models pull`: brings models of the catalogue into the user's folder, whole and verified, or not at all.
///
/// A file gets its name only once its size and sha256 are right. Until then it is `<file>.part`, from which the next
/// run goes on. Two runs for the same model wait for one another.
public struct Downloader: Sendable {
    private let catalog: Catalog
    var settings = DownloadSettings()

    /// - Parameter version: The program's, for the `User-Agent`.
    public init(catalog: Catalog, version: String) {
        self.catalog = catalog
        settings.http.userAgent = "pulse-digest/\(version)"
    }

    /// Brings a model, unless it is there already, and returns its path.
    ///
    /// Cancelling the task stops this within about a tenth of a second; what was downloaded from the web is kept.
    /// Throws `.unavailable` (there is no address, the network or the server fails, the file is another one),
    /// `.cannotWrite`, `.cannotRead`, `.permission` or `.interrupted`.
    ///
    /// - Parameters:
    ///   - source: A file to copy from, which stays as it is; nil to download.
    ///   - progress: Called on another thread.
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

/// How patient a download is, and the three things of the outside world that tests replace.
struct DownloadSettings: Sendable {
    var http = Self.http
    /// How many failures in a row are tried again. A mebibyte gained begins a new row.
    var retries = 5
    /// Bytes that must stay free on the disk beside the model.
    var reserve: Int64 = 64 << 20
    /// Free bytes in a folder; nil if unknown, and then the space is not checked.
    var freeSpace: @Sendable (_ folder: String) -> Int64? = { Disk.freeSpace(in: $0) }
    /// Waits between two tries; nil sleeps, and wakes when the task is cancelled.
    var sleep: (@Sendable (Duration) -> Void)?
    /// Where pip is looked for, and what it is given.
    var environment = ProcessInfo.processInfo.environment

    /// A slow line is no error, and no model is too large.
    private static var http: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(30)
        policy.stallTimeout = .seconds(60)
        policy.totalTimeout = .seconds(1_000_000)
        policy.sizeLimit = .max
        return policy
    }

    /// 1, 2, 4, 8, 16 … seconds after the first, second … failure in a row, or what the server asks for, and never more
    /// than a minute.
    func delay(afterFailure number: Int, serverAsks seconds: Int?) -> Duration {
        .seconds(min(60, seconds ?? 1 << min(max(number, 1) - 1, 6)))
    }
}

/// How far bringing (or verifying) a model has come.
public struct PullProgress: Sendable, Equatable {
    public enum Phase: Sendable, Equatable {
        /// Another program is bringing the same model, and this one waits for it.
        case waiting
        /// Bytes are arriving, from the network or from a file.
        case transferring
        /// The connection failed for `reason`; it is tried again after `delay`.
        case retrying(reason: Message, delay: Duration)
        /// The file is being hashed.
        case verifying
    }

    public let phase: Phase
    /// Bytes in the file so far (with those of an earlier run), or hashed so far.
    public let bytes: Int64
    /// Bytes of the whole file.
    public let total: Int64

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min(1, Double(bytes) / Double(total)) : 0 }
}
