import Foundation

/// How patient a download is, and the three things of the outside world that tests replace.
public struct DownloadSettings: Sendable {
    /// Until the connection (with TLS) stands.
    public var connectTimeout: Duration = .seconds(30)
    /// Without a single byte, before the connection counts as broken. Whole seconds. There is no limit on the whole:
    /// a slow line is no error.
    public var stallTimeout: Duration = .seconds(60)
    /// How many failures in a row are tried again. A mebibyte gained begins a new row.
    public var retries = 5
    /// How many redirects are followed; libraries of models need one or two.
    public var redirects = 8
    /// Bytes that must stay free on the disk beside the model.
    public var reserve: Int64 = 64 << 20
    /// Free bytes in a folder; nil where unknown, and then nothing is held against it. The default asks statvfs.
    public var freeSpace: @Sendable (_ folder: String) -> Int64? = { FreeSpace.bytes(in: $0) }
    /// Waits between two tries; nil sleeps, and wakes when the task is cancelled.
    public var sleep: (@Sendable (Duration) -> Void)?
    /// Where pip is looked for, and what it is told.
    public var environment = ProcessInfo.processInfo.environment

    public init() {}

    /// 1, 2, 4, 8, 16 … seconds after the first, second … failure in a row, or what the server asks for, and never more
    /// than a minute.
    func delay(afterFailure number: Int, serverAsks seconds: Int?) -> Duration {
        .seconds(min(60, seconds ?? 1 << min(max(number, 1) - 1, 6)))
    }
}
