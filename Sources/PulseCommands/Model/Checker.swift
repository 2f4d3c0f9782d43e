import Foundation
import PulseCheck
import PulseCore
import PulseInference
import PulseModels

/// What checks the sentences of one model: how far the model is to be believed, and what understands its words.
struct Checker {
    let writer: WriterClass
    /// Nil where only copies pass: the writer is too small for anything else, or the check's own files cannot be used.
    let model: CheckModel?
    /// The writer is opened beside it, on the same thread.
    let encoder: Encoder?

    /// For questions that are only shown, and get no answer.
    init() { (writer, model, encoder) = (.small, nil, nil) }

    /// Where a file of the check is missing, the user is told, and only copies pass.
    ///
    /// - Throws: `.unavailable` where one is damaged: then nothing of the model is to be believed.
    init(for file: ResolvedModel, in context: Context) async throws(PulseError) {
        // Of a file that cannot be read, least is believed.
        writer = (try? ModelFacts(path: file.path)).map { file.writerClass(parameters: $0.parameters) } ?? .small
        guard context.settings.check != .off, SupportCheck.threshold(for: writer) != nil else {
            (model, encoder) = (nil, nil)
            return
        }
        let folder = (context.locations.resources ?? "") + "/models/"
        let (encoderFile, headFile) = (folder + "pulse-check.gguf", folder + "pulse-check.head")
        let missing = [encoderFile, headFile].first { !FileManager.default.fileExists(atPath: $0) }
        guard missing == nil, let bytes = FileManager.default.contents(atPath: headFile) else {
            context.note("\(missing ?? headFile) is missing, so only what the model copies is shown.")
            (model, encoder) = (nil, nil)
            return
        }
        let head = try CheckHead([UInt8](bytes))
        let encoder = try await Encoder.load(path: encoderFile)
        self.encoder = encoder
        model = CheckModel(head: head) { pieces throws(PulseError) in try encoder.vectors(of: pieces) }
    }

    /// Does something where the check can be asked without waiting.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(PulseError) -> Value {
        guard let encoder else { return body() }
        return try await encoder.run(body)
    }
}
