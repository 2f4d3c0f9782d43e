import PulseCore
import PulseModels

/// The catalogue as the program uses it, read once a command: which file a name means, and what its hash is.
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
            userFolder: context.locations.models, cacheFolder: context.locations.cache + "/models")
    }

    /// The model of this name or at this path, else that of the settings, else the default.
    func resolve(_ name: String? = nil) throws(PulseError) -> ResolvedModel {
        try catalog.resolve(name ?? context.settings.model ?? catalog.manifest.defaultName)
    }

    /// The model that writes digests and summaries: the one that was named, else the best one that was pulled. Nil:
    /// none does.
    func writer() throws(PulseError) -> ResolvedModel? {
        guard let named = context.settings.model else { return nil }
        guard named != "none" else { return nil }
        let model = try resolve()
        guard let entry = model.entry, !entry.writes else { return model }
        throw PulseError(
            .usage, "\(entry.name) is too small to write digests.",
            hint: "Download one that can, and use it: pulse-digest models pull smollm2-135m, then --model smollm2-135m")
    }

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
