package import PulseCore
package import PulseModels

/// Fetches models, and removes them, with what was measured of each.
package struct ModelDownloads {
    private let catalog: ModelCatalog
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(_ catalog: ModelCatalog, in app: AppEnvironment, reporter: Reporter) {
        self.catalog = catalog
        self.app = app
        self.reporter = reporter
    }

    /// Where a model is that is to be fetched.
    package enum Outcome {
        /// It came with the program.
        case shipped(path: String)
        /// Another program keeps it on this machine, and nothing was fetched.
        case elsewhere(FoundModel, path: String)
        case downloaded(path: String)
    }

    /// Fetches a model, and measures in which form its weights are the fastest here.
    ///
    /// - Parameters:
    ///   - file: What is taken instead of a download.
    ///   - onProgress: What to show of it.
    package func pull(
        _ name: String, from file: String?, onProgress: @escaping @Sendable (PullProgress) -> Message
    ) async throws(PulseError) -> Outcome {
        defer { reporter.clear() }
        let named = try catalog.entry(named: name)
        // An adapter comes with the program; its model may not be here.
        let entry = if let base = named.base { try catalog.entry(named: base) } else { named }
        if !entry.writes, let path = catalog.status(of: entry).path { return .shipped(path: path) }
        let show = { @Sendable [reporter] progress in reporter.show(onProgress(progress)) }
        if file == nil, catalog.status(of: entry).path == nil {
            for found in catalog.elsewhere(entry) {
                let path = try? await catalog.verify(catalog.resolved(found), progress: show)
                if Task.isCancelled { throw PulseError.interrupted }
                if let path { return .elsewhere(found, path: path) }
            }
        }
        let path = try await Downloader(catalog: catalog, version: Release.version).pull(
            entry, from: file, progress: show)
        do throws(PulseError) {
            let choice = try await WeightsChoice(for: catalog.resolve(entry.name), cache: app.locations.cache)
            if entry.writes { _ = try await choice.measure(reporter: reporter) }
        } catch  where error.code != .interrupted {
            reporter.detail("not measured: \(error)")
        }
        return .downloaded(path: path)
    }

    /// - Returns: The model, and how many bytes are free again.
    package func remove(_ name: String) async throws(PulseError) -> (entry: ModelCatalogEntry, freed: Int64) {
        if ModelCatalog.isReference(name), let found = try catalog.resolve(name).found {
            throw PulseError(
                .usage, "\(found.program.title) keeps \(found.reference), and pulse-digest removes nothing of it.",
                hint: "Remove it there.")
        }
        let entry = try catalog.entry(named: name)
        // Before the file goes, by whose path it is known what was measured.
        var measured: WeightsChoice?
        if let path = catalog.downloadedPath(of: entry) {
            measured = try await WeightsChoice(for: catalog.resolve(path), cache: app.locations.cache)
        }
        let freed = try catalog.remove(entry)
        return (entry, freed + (try measured?.discard() ?? 0))
    }
}
