import Foundation
package import PulseCore
package import PulseInference
package import PulseModels

/// Which model writes, how it is asked, and what it may take of the machine.
package struct ModelSettings: Sendable {
    /// A name of the catalogue, a path, or `none`; nil: the best that was pulled.
    package var name: String?
    package var check = CheckMode.replace
    /// Of an answer.
    package var maximumTokens = 160
    package var sampling = Sampling(temperature: 0, topP: 0.9, seed: 0)
    package var contextLength: Int?
    package var threads: Int?
    package var gpuLayers: Int?
    package var servers: [RPCAddress] = []
    package var stallTimeout: Duration? = .seconds(300)
    package var timeout: Duration?
    /// Whether cached answers are ignored.
    package var isFresh = false
    /// Whether the model's hash is computed if it is not known, because the result names it.
    package var isHashed = false
    /// Whether libllama's own output goes to the error stream.
    package var isLogged = false

    package init() {}

    package func engine(of model: ResolvedModel) -> EngineOptions {
        var options = EngineOptions(
            modelPath: model.path, contextLength: contextLength,
            // Further ones would only wait for a processor: 4 on 2 took a hundred times as long.
            threads: threads.map { min($0, ProcessInfo.processInfo.activeProcessorCount) }, servers: servers,
            gpuLayers: gpuLayers)
        options.adapterPath = model.adapter
        return options
    }

    /// Everything that affects what a model writes, for the keys of cached answers; not its speed, nor the printing.
    var writingParameters: [String: String] {
        var parameters = [
            // Another version may ask differently.
            "program": Release.version,
            "maxTokens": "\(maximumTokens)",
            "temperature": "\(sampling.temperature)",
            // An answer ends where a sentence of it is refused.
            "check": check.rawValue,
        ]
        // Without a temperature, these have no effect.
        if sampling.temperature > 0 {
            parameters["topP"] = "\(sampling.topP)"
            parameters["seed"] = "\(sampling.seed)"
        }
        if let contextLength { parameters["context"] = "\(contextLength)" }
        return parameters
    }
}
