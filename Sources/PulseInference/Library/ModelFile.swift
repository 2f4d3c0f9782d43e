import Foundation
import PulseCore

/// A model file before libllama sees it: checked to be there, readable, GGUF, complete and free of contradictions.
/// libllama reports most of this as "failed to load model", and some of it by dying; a user deserves to know which.
struct ModelFile {
    let path: String
    let size: UInt64
    let header: GGUFHeader

    init(path: String) throws(PulseError) {
        self.path = path
        let contents = try Self.contents(of: path)
        size = UInt64(contents.count)
        if contents.isEmpty {
            throw PulseError(.unavailable, "The model file \(path) is empty.", hint: "Fetch it again.")
        }
        guard contents.starts(with: Array("GGUF".utf8)) else {
            throw PulseError(
                .unavailable, "\(path) is not a model in GGUF format.", hint: "Give the path of a .gguf file.")
        }
        do throws(GGUFHeader.Fault) {
            header = try GGUFHeader(contents)
        } catch {
            switch error {
            case .truncated:
                throw PulseError(
                    .unavailable,
                    "The model file \(path) is incomplete: it ends before its content does, after \(size) bytes.",
                    hint: "Fetch it again.")
            case .contradiction(let what):
                throw Self.corrupted(path, what)
            }
        }
        if let fault = header.fault { throw Self.corrupted(path, fault) }
    }

    /// Whether it is the first of several files. libllama finds the others by its name.
    var isSplit: Bool {
        if case .integer(let count)? = header.metadata["split.count"] { count > 1 } else { false }
    }

    static func corrupted(_ path: String, _ cause: String?) -> PulseError {
        PulseError(.unavailable, "The model file \(path) is damaged.", hint: "Fetch it again.", cause: cause)
    }

    private static func contents(of path: String) throws(PulseError) -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw PulseError(
                .unavailable, "There is no model at \(path).", hint: "Check the path, or fetch the model first.")
        }
        if isFolder.boolValue {
            throw PulseError(.unavailable, "\(path) is a folder.", hint: "Give the path of a .gguf file.")
        }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw PulseError(
                .unavailable, "The model file \(path) cannot be read.", hint: "Check its permissions.",
                cause: "\(error)")
        }
    }
}
