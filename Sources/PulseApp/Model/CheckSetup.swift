import Foundation
package import PulseCore
package import PulseDigest
package import PulseInference
package import PulseModels

/// What checks the sentences of one model: how far the model is to be believed, and what understands its words.
package struct CheckSetup {
    package let writer: ModelReliability
    /// Nil where only copies pass: the writer is too small for anything else, or the check's own files cannot be used.
    package let model: ParaphraseModel?
    /// The writer is opened beside it, on the same thread.
    package let encoder: Encoder?

    /// For questions that are only shown, and get no answer.
    package init() { (writer, model, encoder) = (.small, nil, nil) }

    /// The encoder that came with the program.
    package static func openEncoder(in locations: Locations) async throws(PulseError) -> Encoder {
        try await Encoder.load(path: folder(locations) + "pulse-check.gguf")
    }

    private static func folder(_ locations: Locations) -> String { (locations.resources ?? "") + "/models/" }

    /// Where a file of the check is missing, the user is told, and only copies pass.
    ///
    /// - Parameters:
    ///   - check: What becomes of a sentence that does not pass.
    ///   - opened: An encoder that is there already.
    /// - Throws: `.unavailable` where one is damaged: then nothing of the model is to be believed.
    package init(
        for file: ResolvedModel, check: CheckMode, in locations: Locations, with opened: Encoder? = nil,
        reporter: Reporter
    ) async throws(PulseError) {
        // Of a file that cannot be read, least is believed.
        writer = (try? ModelFacts(path: file.path)).map { file.reliability(parameters: $0.parameters) } ?? .small
        guard check != .off, SentenceCheck.threshold(for: writer) != nil else {
            (model, encoder) = (nil, opened)
            return
        }
        let folder = Self.folder(locations)
        let (encoderFile, headFile) = (folder + "pulse-check.gguf", folder + "pulse-check.head")
        let missing = [encoderFile, headFile].first { !FileManager.default.fileExists(atPath: $0) }
        guard missing == nil, let bytes = FileManager.default.contents(atPath: headFile) else {
            reporter.note("\(missing ?? headFile) is missing, so only what the model copies is shown.")
            (model, encoder) = (nil, opened)
            return
        }
        let head = try ParaphraseHead([UInt8](bytes))
        let encoder: Encoder
        if let opened { encoder = opened } else { encoder = try await Self.openEncoder(in: locations) }
        self.encoder = encoder
        model = ParaphraseModel(head: head) { pieces throws(PulseError) in try encoder.vectors(of: pieces) }
    }

    /// Does something where the check can be asked without waiting.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(PulseError) -> Value {
        guard let encoder else { return body() }
        return try await encoder.run(body)
    }
}
