import PulseInference
import PulseModels

extension Settings {
    /// Whether the output names the model by its hash, too.
    var tellsHash: Bool { format == .json }

    /// How a model is kept to its source: as asked for, else as the catalogue has it.
    func grounded(for model: ResolvedModel) -> GroundedMode {
        grounded ?? (model.choosesOnly ? .strict : .checked)
    }

    /// Whether a digest by a model is made of whole articles: one that chooses sentences makes a worse one of them.
    func readsWhole(by model: ResolvedModel) -> Bool { readsWhole && !model.choosesOnly }

    /// Whatever of the settings decides what a model writes, for the keys of what is kept. How fast it writes, and how
    /// it is printed, does not.
    func writing(with model: ResolvedModel) -> [String: String] {
        var settings = [
            // Another version may choose, ask and read otherwise.
            "program": Program.version,
            "grounded": grounded(for: model).rawValue,
            "maxTokens": "\(maximumTokens)",
            "temperature": "\(sampling.temperature)",
        ]
        // The likeliest token each time leaves nothing to draw.
        if sampling.temperature > 0 {
            settings["topP"] = "\(sampling.topP)"
            settings["seed"] = "\(sampling.seed)"
        }
        if let contextLength { settings["context"] = "\(contextLength)" }
        return settings
    }
}
