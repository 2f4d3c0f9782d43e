import PulseCore
import PulseModels
import PulseRendering

extension Command {
    static let models = Command(
        "models", summary: "list, download and verify models", implied: "list",
        subcommands: [
            Command("list", summary: "list the models, and which are downloaded") { context throws(PulseError) in
                try await ModelCommands(context: context).list()
            },
            Command("path", operands: "[MODEL|PATH]", arity: 0...1, summary: "print the path of a model's file") {
                context throws(PulseError) in
                try context.console.write(ModelFiles(context: context).resolve(context.operands.first).path + "\n")
            },
            Command(
                "verify", operands: "[MODEL]", arity: 0...1,
                summary: "compare a model's file with its published SHA-256"
            ) { context throws(PulseError) in
                try await ModelCommands(context: context).verify(context.operands.first)
            },
            Command(
                "pull", operands: "MODEL", arity: 1...1, summary: "download a model",
                details: """
                    The file is checked by its size and SHA-256 before it is used. An interrupted download resumes \
                    when you run the command again. At the end, a measurement finds out in which form its weights \
                    are the fastest here.
                    """,
                options: [.fromFile]
            ) { context throws(PulseError) in
                try await ModelCommands(context: context).pull(context.operands[0])
            },
            Command("remove", operands: "MODEL", arity: 1...1, summary: "delete a model that was downloaded") {
                context throws(PulseError) in
                try ModelCommands(context: context).remove(context.operands[0])
            },
        ]
    ).withoutHistory()
}

/// What `models` does with the catalogue.
struct ModelCommands {
    let context: Context

    func list() async throws(PulseError) {
        let catalog = try ModelFiles(context: context).catalog
        let rows = catalog.manifest.models.map { entry in
            ModelRow(
                name: entry.name, isDefault: entry.name == catalog.manifest.defaultName, bytes: entry.size,
                state: state(of: entry, catalog.status(of: entry)), licence: entry.licence, origin: entry.origin,
                description: entry.description)
        }
        try await context.page(ModelText.list(rows, style: context.style))
    }

    func verify(_ name: String?) async throws(PulseError) {
        let catalog = try ModelFiles(context: context).catalog
        let status = context.statusLine()
        defer { status.clear() }
        let entry = try catalog.entry(named: name ?? context.settings.model ?? catalog.manifest.defaultName)
        let path = try await catalog.verify(entry, rehash: true) { status.show(describe($0, of: entry)) }
        status.clear()
        try context.console.tell("\(entry.name): verified, SHA-256 matches: \(path)\n")
    }

    func pull(_ name: String) async throws(PulseError) {
        let catalog = try ModelFiles(context: context).catalog
        let status = context.statusLine()
        defer { status.clear() }
        let downloader = Downloader(catalog: catalog, version: Program.version)
        let entry = try catalog.entry(named: name)
        let path = try await downloader.pull(entry, from: context.settings.fromFile) {
            status.show(describe($0, of: entry))
        }
        do throws(PulseError) {
            let choice = try await WeightsChoice(for: catalog.resolve(name), in: context)
            if entry.writes { _ = try await choice.measure(status: status) }
        } catch  where error.code != .interrupted {
            context.explain("not measured: \(error)")
        }
        status.clear()
        context.note(
            "\(name) downloaded to \(path)\nTo use it: --model \(name), or \"model\": \"\(name)\" in \(context.locations.configurationFile)"
        )
    }

    func remove(_ name: String) throws(PulseError) {
        let catalog = try ModelFiles(context: context).catalog
        guard try catalog.remove(catalog.entry(named: name)) else {
            throw PulseError(.noInput, "The model \(name) was not downloaded, so there is nothing to delete.")
        }
        context.note("\(name) deleted. To have it again: pulse-digest models pull \(name)")
    }

    private func state(of entry: CatalogEntry, _ status: ModelStatus) -> Message {
        switch status {
        case .shipped: "included"
        case .present: "downloaded"
        case .damaged(let path, _): "damaged: \(path)"
        case .partial(let bytes): "\(ModelText.size(bytes)) of \(ModelText.size(entry.size)) downloaded"
        case .absent: "not downloaded"
        }
    }

    private func describe(_ progress: PullProgress, of entry: CatalogEntry) -> Message {
        let done: Message = "\(ModelText.size(progress.bytes)) of \(ModelText.size(progress.total))"
        return switch progress.phase {
        case .waiting: "\(entry.name): waiting for another pulse-digest that is downloading it"
        case .transferring: "\(entry.name): \(Int(progress.fraction * 100)) %, \(done)"
        case .retrying(let reason, let delay): "\(entry.name): \(reason); retrying in \(delay.components.seconds) s"
        case .verifying: "\(entry.name): verifying, \(Int(progress.fraction * 100)) %"
        }
    }
}
