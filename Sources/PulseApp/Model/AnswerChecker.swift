import Foundation
package import PulseCore
package import PulseDigest
package import PulseInference
package import PulseModels
import PulseStore

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
    /// - Parameters:
    ///   - check: What becomes of a sentence that does not pass.
    /// - Throws: `.unavailable` if one is damaged: then nothing from the model can be trusted.
    package init(
        for writer: ResolvedModel, check: CheckMode, in locations: Locations, reporter: Reporter
    ) throws {
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
            reporter.note("\(missing ?? headFile) is missing, so only what the model copies is shown.")
            (model, encoder) = (nil, nil)
            return
        }
        let head = try ParaphraseHead([UInt8](bytes))
        let encoder = try Encoder.load(encoderFile)
        self.encoder = encoder
        model = ParaphraseModel(head: head) { pieces in try encoder.vectors(of: pieces) }
    }
}

/// The cache of earlier answers. An error in reading or storing one is a miss, and does not stop the digest.
struct AnswerCache {
    let app: AppEnvironment
    let settings: ModelSettings
    let model: ResolvedModel
    let checker: AnswerChecker
    let reporter: Reporter

    /// The key of a question's answer; nil if it is not kept, or if the model has no fingerprint.
    func key(of question: AnswerMaker.Question) -> AnswerKey? {
        guard let articles = question.articles, let fingerprint = model.fingerprint else { return nil }
        return AnswerKey(
            articles, model: fingerprint, prompt: question.prompt.template.text, language: question.prompt.language,
            parameters: parameters)
    }

    /// An answer ends when nothing more can be shown, which depends on what may pass the check.
    private var parameters: [String: String] {
        var parameters = settings.writingParameters
        parameters["passes"] = checker.model == nil ? "copies" : checker.writer.rawValue
        return parameters
    }

    /// The answers that were kept, one for each key.
    func find(_ keys: [AnswerKey?]) -> [CachedAnswer?] {
        guard !settings.isFresh else { return keys.map { _ in nil } }
        do {
            let store = try app.history.open()
            return try keys.map { key in try key.flatMap { key in try store.answer(for: key) } }
        } catch {
            reporter.detail("the kept answers cannot be used: \(error.asPulseError)")
            return keys.map { _ in nil }
        }
    }

    func keep(_ answer: CachedAnswer, for key: AnswerKey?) {
        guard let key else { return }
        do {
            try app.history.open(.readWrite).keep(answer, for: key, at: app.now)
        } catch {
            reporter.detail("the answer was not kept: \(error.asPulseError)")
        }
    }
}
