import PulseCore
import PulseInference
import PulseModels
import PulseRendering

/// The catalogue as the program uses it, read once a command: which file a name means, what its hash is, and which
/// model writes.
struct ModelFiles {
    let context: Context
    let catalog: Catalog

    init(context: Context) throws(PulseError) {
        self.context = context
        guard let resources = context.locations.resources else {
            throw PulseError(
                .configuration, "The folders “models” and “prompts” that belong to pulse-digest are missing.",
                hint: "Reinstall it, or name a model file with --model.")
        }
        catalog = Catalog(
            manifest: try Manifest(contentsOf: resources + "/models/manifest.json"),
            shippedFolder: resources + "/models",
            userFolder: context.locations.models, cacheFolder: context.locations.cache + "/models",
            others: OtherPrograms(home: context.locations.home, environment: context.environment))
    }

    /// What `--model` takes for "no model".
    private static let none = "none"

    /// The model of this name or at this path, else that of the settings, else the one that would write, else the
    /// default: for whoever needs some model.
    func resolve(_ name: String? = nil) throws(PulseError) -> ResolvedModel {
        if let name { return try catalog.resolve(name) }
        if let name = context.settings.model, name != Self.none { return try catalog.resolve(name) }
        if let best = catalog.best(on: Self.machine) { return best }
        return try catalog.resolve(catalog.manifest.defaultName)
    }

    // MARK: - Who writes

    /// The model that writes: the one that the options or the settings name, else the best that was pulled. Nil: none
    /// was, or none is to write. What other programs keep writes only where it is named.
    ///
    /// Throws `.unavailable` if the named one is not there, `.usage` if it cannot write.
    func writer() throws(PulseError) -> ResolvedModel? {
        guard let name = context.settings.model else { return catalog.best(on: Self.machine) }
        if name == Self.none { return nil }
        let model = try catalog.resolve(name)
        guard let entry = model.entry, !entry.writes else { return model }
        // So that nobody waits for nothing.
        throw PulseError(.usage, "\(entry.name) is too small to write digests.", hint: advice)
    }

    /// Which model suits this machine and how to get it, for somebody who has none; nil: none fits.
    var advice: Message? {
        let machine = Self.machine
        guard let entry = catalog.recommended(on: machine) else { return nil }
        if catalog.status(of: entry).path != nil { return "\(entry.name) suits this machine: --model \(entry.name)" }
        if let found = catalog.elsewhere(entry).first {
            return "\(found.program.title) keeps \(entry.name), which suits this machine: --model \(found.reference)"
        }
        return
            "\(entry.name) suits this machine (\(ModelText.size(entry.size)), a digest in about \(ModelText.time(entry.digestEstimate(cores: machine.cores)))): pulse-digest models pull \(entry.name)"
    }

    /// What this machine has for a model now.
    static var machine: Catalog.Machine {
        let budget = MemoryBudget.current()
        return Catalog.Machine(
            memory: [budget.machine, budget.group].compactMap(\.self).min(), cores: Processors.current().usable)
    }

    // MARK: - Hashes

    /// The model by name, and by hash where the output tells it or it is known: a large file is not read for nothing.
    func identity(
        of model: ResolvedModel, forOutputOf context: Context, status: StatusLine
    ) async throws(PulseError) -> ModelIdentity {
        context.settings.format == .json && !context.settings.isSent
            ? try await identity(of: model, status: status)
            : ModelIdentity(name: model.name, sha256: catalog.rememberedSHA256(of: model))
    }

    /// The model by name and hash.
    func identity(of model: ResolvedModel, status: StatusLine) async throws(PulseError) -> ModelIdentity {
        defer { status.clear() }
        let sha256 = try await catalog.sha256(of: model) { progress in
            status.show("Computing the SHA-256 of \(model.name): \(Int(progress.fraction * 100)) %")
        }
        return ModelIdentity(name: model.name, sha256: sha256)
    }
}

extension Context {
    /// The model that writes digests and summaries; nil: none does. Where the program's own folders are missing, there is
    /// no catalogue to choose one from.
    func writer() throws(PulseError) -> ResolvedModel? {
        if settings.model == nil, locations.resources == nil { return nil }
        return try ModelFiles(context: self).writer()
    }
}
