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

    /// The encoder that came with the program.
    static func openEncoder(in locations: Locations) async throws(PulseError) -> Encoder {
        try await Encoder.load(path: folder(locations) + "pulse-check.gguf")
    }

    private static func folder(_ locations: Locations) -> String { (locations.resources ?? "") + "/models/" }

    /// Opens the encoder, unless it would be of no use. Where it cannot be used, the user is told and copies pass.
    ///
    /// - Parameter opened: One that is open already.
    init(for file: ResolvedModel, in context: Context, with opened: Encoder? = nil) async {
        // Of a file that cannot be read, least is believed.
        writer = (try? ModelFacts(path: file.path)).map { file.writerClass(parameters: $0.parameters) } ?? .small
        guard context.settings.check != .off, SupportCheck.threshold(for: writer) != nil else {
            (model, encoder) = (nil, opened)
            return
        }
        do throws(PulseError) {
            let folder = Self.folder(context.locations)
            guard let bytes = FileManager.default.contents(atPath: folder + "pulse-check.head") else {
                throw PulseError(.unavailable, "\(folder)pulse-check.head is missing.", hint: "Reinstall pulse-digest.")
            }
            let head = try CheckHead([UInt8](bytes))
            let encoder: Encoder
            if let opened { encoder = opened } else { encoder = try await Self.openEncoder(in: context.locations) }
            self.encoder = encoder
            model = CheckModel(head: head) { pieces throws(PulseError) in try encoder.vectors(of: pieces) }
        } catch {
            (model, encoder) = (nil, opened)
            context.note("\(error)")
            context.note("Only what the model copies is shown.")
        }
    }

    /// Does something where the check can be asked without waiting.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        guard let encoder else { return body() }
        return await encoder.run(body)
    }
}
