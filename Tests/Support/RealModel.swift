import Foundation

/// Real models, where `pulse-digest models pull` keeps them. What needs one is skipped without it:
/// `.enabled(if: RealModel.path != nil, "\(RealModel.absence)")`.
public enum RealModel {
    /// `smollm2-135m`, which really writes; nil where it is absent, or not whole.
    public static let path = found("SmolLM2-135M-Instruct.Q4_1.gguf", size: 98_362_432)
    /// `gemma-3-270m`: a base model with a sliding window and a large vocabulary.
    public static let gemma = found("gemma-3-270m.Q4_K_M.gguf", size: 253_113_024)

    private static func found(_ name: String, size: Int) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/share"
        let path = "\(data)/pulse-digest/models/\(name)"
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int == size ? path : nil
    }

    public static let absence = "no smollm2-135m here; `pulse-digest models pull smollm2-135m` brings it"
    public static let absenceOfGemma = "no gemma-3-270m here; `pulse-digest models pull gemma-3-270m` brings it"
}
