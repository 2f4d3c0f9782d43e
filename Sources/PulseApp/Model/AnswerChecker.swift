import Foundation
package import PulseCore
package import PulseDigest
package import PulseInference
package import PulseModels

/// What the check of a model's sentences needs: the model's reliability, and the models that compare meanings.
package struct AnswerChecker {
    package let writer: ModelReliability
    /// Nil if only copies pass: the writer is too small for anything else, or the check's own files cannot be used.
    package let model: ParaphraseModel?
    /// The writer is opened beside it, on the same thread.
    package let encoder: Encoder?
    /// The writer's file; nil: its header need not be read for the check.
    let file: ModelFile?

    /// For questions that are only shown, and get no answer.
    package init() { (writer, model, encoder, file) = (.small, nil, nil, nil) }

    /// Where a file of the check is missing, the user is told, and only copies pass.
    ///
    /// - Throws: `.unavailable` if one is damaged: then nothing from the model can be trusted.
    package init(for writer: ResolvedModel, check: CheckMode, in locations: Locations, reporter: Reporter) throws {
        // A model outside the catalogue is judged by its header; one that cannot be read counts as the least reliable.
        file = writer.entry == nil ? try? ModelFile(path: writer.path) : nil
        self.writer =
            writer.entry?.reliability ?? file.map { writer.reliability(parameters: $0.parameters) } ?? .small
        guard check != .off, SentenceCheck.threshold(for: self.writer) != nil else {
            (model, encoder) = (nil, nil)
            return
        }
        let folder = (locations.resources ?? "") + "/models/"
        let (encoderFile, headFile) = (folder + "pulse-check.gguf", folder + "pulse-check.head")
        let missing = [encoderFile, headFile].first { !FileManager.default.fileExists(atPath: $0) }
        guard missing == nil, let bytes = FileManager.default.contents(atPath: headFile) else {
            reporter.note(
                "\(missing ?? headFile) is missing, so only sentences that the model copies from the articles are "
                    + "shown.")
            (model, encoder) = (nil, nil)
            return
        }
        let head = try ParaphraseHead([UInt8](bytes))
        let encoder = try Encoder.load(encoderFile)
        self.encoder = encoder
        model = ParaphraseModel(head: head) { pieces in try encoder.vectors(of: pieces) }
    }
}
