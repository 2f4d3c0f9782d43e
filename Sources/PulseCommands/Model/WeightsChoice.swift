import Foundation
import PulseCore
import PulseInference
import PulseModels
import PulseSystem
import PulseText

/// Which form of a model's weights is the fastest on this machine. It is measured after a download and by `bench`, and
/// kept beside the cache until the file, the library or the processor is another.
struct WeightsChoice {
    /// What was measured.
    struct Measured: Codable, Hashable {
        let form: WeightsForm
        /// Seconds that a story of a digest takes, by `WeightsForm.rawValue`.
        let seconds: [String: Double]
        /// Bytes of memory that this process had for itself with each form, if the system tells.
        let memory: [String: UInt64]
    }

    let model: ResolvedModel
    private let context: Context
    /// Where the measurement is kept, and the rewritten file beside it.
    private let place: String

    init(for model: ResolvedModel, in context: Context) async {
        self.model = model
        self.context = context
        let library = await Engine.library()
        let file = try? FileManager.default.attributesOfItem(atPath: model.path)
        let key = [
            model.path, "\(file?[.size] ?? 0)", "\((file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)",
            library.version, library.features, MachineSummary.processor,
        ].joined(separator: "\n")
        place = "\(context.locations.cache)/weights/\(ShortHash.of(key))"
    }

    /// Nil: it was not measured, or the rewritten file is gone.
    var measured: Measured? {
        guard let bytes = try? WholeFile.read(place + ".json"),
            let measured = try? JSONDecoder().decode(Measured.self, from: bytes),
            measured.form != .rewritten || FileManager.default.fileExists(atPath: place + ".gguf")
        else { return nil }
        return measured
    }

    /// What the engine is opened with.
    var options: EngineOptions { options(measured?.form ?? .rearranged) }

    private func options(_ form: WeightsForm) -> EngineOptions {
        var options = context.settings.engine(of: model)
        // What other machines compute was not measured.
        guard options.servers.isEmpty else { return options }
        options.rearrangesWeights = form == .rearranged
        if form == .rewritten { options.modelPath = place + ".gguf" }
        return options
    }

    /// Measures the forms in turns, and keeps the best.
    func measure(status: StatusLine) async throws(PulseError) -> Measured {
        defer { status.clear() }
        try WholeFile.makeFolder((place as NSString).deletingLastPathComponent)
        status.show("Measuring in which form \(model.name) is fastest on this machine…")
        var file = context.settings.engine(of: model)
        file.vocabularyOnly = true
        let type = try await Engine.load(file).model.fileType
        var forms: [WeightsForm] = [.rearranged, .mapped]
        if let type, WeightsForm.slowFileTypes.contains(type), await rewrite() { forms.append(.rewritten) }
        var (seconds, memory): ([WeightsForm: Double], [WeightsForm: UInt64]) = ([:], [:])
        // In turns, since a machine is not as fast at all times.
        for form in forms + forms {
            if Task.isCancelled { throw .interrupted }
            let engine = try await Engine.load(options(form))
            seconds[form] = min(seconds[form] ?? .infinity, try await engine.measureSpeed().story)
            memory[form] = PrivateMemory.bytes
        }
        let measured = Measured(
            form: Self.best(seconds),
            seconds: Dictionary(uniqueKeysWithValues: seconds.map { ($0.rawValue, $1) }),
            memory: Dictionary(uniqueKeysWithValues: memory.map { ($0.rawValue, $1) }))
        if measured.form != .rewritten { try WholeFile.remove(place + ".gguf") }
        if let bytes = try? JSONEncoder().encode(measured) {
            try WholeFile.write(bytes, to: place + ".json", mode: 0o600)
        }
        return measured
    }

    /// What takes memory or another file has to gain something by it.
    static func best(_ seconds: [WeightsForm: Double]) -> WeightsForm {
        let costs: [WeightsForm: Double] = [.rearranged: 1.05, .mapped: 1, .rewritten: 1.25]
        return seconds.min { $0.value * (costs[$0.key] ?? 1) < $1.value * (costs[$1.key] ?? 1) }?.key ?? .rearranged
    }

    /// Whether there is room for the file and it could be made.
    private func rewrite() async -> Bool {
        let new = place + ".new"
        defer { try? FileManager.default.removeItem(atPath: new) }
        return await Engine.rewrite(model.path, to: new) && rename(new, place + ".gguf") == 0
    }
}

/// The memory that this process has for itself, without mapped files.
enum PrivateMemory {
    /// Nil where the system does not tell. proc(5), status: "RssAnon: Size of resident anonymous memory", in kB.
    static var bytes: UInt64? {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
    }
}
