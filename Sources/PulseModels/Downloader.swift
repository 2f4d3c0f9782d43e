/// `models pull`: brings models of the catalogue into the user's folder, whole and verified, or not at all.
///
/// A file gets its name only once its size and sha256 are right. Until then it is `<file>.part`, from which the next
/// run goes on. Two runs for the same model wait for one another.
public struct Downloader: Sendable {
    public let catalog: Catalog
    private let userAgent: String
    private let settings: DownloadSettings

    /// `version` is the program's, for the `User-Agent`.
    public init(catalog: Catalog, version: String, settings: DownloadSettings = DownloadSettings()) {
        self.catalog = catalog
        self.settings = settings
        userAgent = "pulse-digest/\(version)"
    }

    /// Downloads a model, unless it is there already, and returns its path.
    ///
    /// `progress` is called on another thread. Cancelling the task stops the download within about a tenth of a second
    /// and keeps what has arrived. Throws `.absent` (no address), `.network`, `.server`, `.noSpace`, `.mismatch`,
    /// `.cannotWrite`, `.cannotRead` or `.cancelled`.
    public func pull(
        _ entry: CatalogEntry, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(ModelError) -> String {
        try await run(entry, progress) { pull throws(ModelError) in try pull.fromWeb() }
    }

    /// Copies a model from a file that was fetched elsewhere, unless it is there already, and returns its new path. The
    /// source stays as it is.
    ///
    /// Throws `.noSpace`, `.mismatch`, `.cannotWrite`, `.cannotRead` or `.cancelled`.
    public func pull(
        _ entry: CatalogEntry, from source: String, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(ModelError) -> String {
        try await run(entry, progress) { pull throws(ModelError) in try pull.fromFile(source) }
    }

    private func run(
        _ entry: CatalogEntry, _ progress: @escaping @Sendable (PullProgress) -> Void,
        _ body: @escaping @Sendable (Pull) throws(ModelError) -> String
    ) async throws(ModelError) -> String {
        try await BlockingThread.run { cancellation throws(ModelError) in
            let pull = Pull(
                entry: entry, catalog: catalog, settings: settings, userAgent: userAgent, cancellation: cancellation,
                progress: progress)
            return try body(pull)
        }
    }
}
