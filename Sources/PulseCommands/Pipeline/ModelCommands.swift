import PulseModels
import PulseRendering

/// What `models` does with the catalogue.
struct ModelCommands {
    let context: Context

    func list() throws(Failure) {
        let catalog = try ModelFiles(context: context).catalog
        let rows = catalog.manifest.models.map { entry in
            ModelRow(
                name: entry.name, isDefault: entry.name == catalog.manifest.defaultName, bytes: entry.size,
                state: state(catalog.status(of: entry)), licence: entry.licence, origin: entry.origin,
                description: entry.description)
        }
        try context.console.write(ModelText.list(rows, style: context.style))
    }

    func verify(_ name: String?) async throws(Failure) {
        let catalog = try ModelFiles(context: context).catalog
        let status = context.statusLine()
        defer { status.clear() }
        let entry: CatalogEntry
        let path: String
        do {
            entry = try catalog.entry(named: name ?? context.settings.model ?? catalog.manifest.defaultName)
            path = try await catalog.verify(entry, rehash: true) { status.show(describe($0, of: entry)) }
        } catch {
            throw Failure(error)
        }
        status.clear()
        try context.console.write("\(entry.name) is what the catalogue says: \(path)\n")
    }

    func pull(_ name: String) async throws(Failure) {
        let catalog = try ModelFiles(context: context).catalog
        let status = context.statusLine()
        defer { status.clear() }
        let downloader = Downloader(catalog: catalog, version: Program.version)
        let path: String
        do {
            let entry = try catalog.entry(named: name)
            let progress: @Sendable (PullProgress) -> Void = { status.show(describe($0, of: entry)) }
            if let file = context.settings.fromFile {
                path = try await downloader.pull(entry, from: file, progress: progress)
            } else {
                path = try await downloader.pull(entry, progress: progress)
            }
        } catch {
            throw Failure(error)
        }
        status.clear()
        context.note(
            "\(name) is here: \(path)\nTo use it: --model \(name), or \"model\": \"\(name)\" in \(context.locations.configurationFile)"
        )
    }

    private func state(_ status: ModelStatus) -> String {
        switch status {
        case .shipped: "comes with the program"
        case .present: "here"
        case .damaged(let path, _): "damaged: \(path)"
        case .partial(let bytes): "begun, \(ModelText.size(bytes))"
        case .absent: "to fetch"
        }
    }

    private func describe(_ progress: PullProgress, of entry: CatalogEntry) -> String {
        let done = "\(ModelText.size(progress.bytes)) of \(ModelText.size(progress.total))"
        return switch progress.phase {
        case .waiting: "\(entry.name): another pulse-digest is fetching it; waiting"
        case .transferring: "\(entry.name): \(Int(progress.fraction * 100)) %, \(done)"
        case .retrying(let reason, let delay): "\(entry.name): \(reason); trying again in \(delay.components.seconds) s"
        case .verifying: "\(entry.name): checking, \(Int(progress.fraction * 100)) %"
        }
    }
}
