import PulseInference

extension Settings {
    /// Whatever of the settings decides what a model writes, for the keys of what is kept. How fast it writes, and how
    /// it is printed, does not.
    var writingParameters: [String: String] {
        var settings = [
            // Another version may ask otherwise.
            "program": Program.version,
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
