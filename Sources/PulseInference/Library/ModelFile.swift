/// A model file before libllama sees it: there, readable, GGUF, whole, and not at odds with itself. libllama reports
/// most of this as "failed to load model", and some of it by dying; a user deserves to know which.
import Foundation

struct ModelFile {
    let path: String
    let size: UInt64
    let header: GGUFHeader

    init(path: String) throws(EngineError) {
        self.path = path
        let contents = try Self.contents(of: path)
        size = UInt64(contents.count)
        if contents.isEmpty {
            throw EngineError(.modelEmpty, "The model file \(path) is empty. Fetch it again.")
        }
        guard contents.starts(with: Array("GGUF".utf8)) else {
            throw EngineError(
                .modelNotGGUF, "\(path) is not a model in GGUF format. Give the path of a .gguf file.")
        }
        do throws(GGUFHeader.Fault) {
            header = try GGUFHeader(contents)
        } catch {
            switch error {
            case .truncated:
                throw EngineError(
                    .modelTruncated,
                    "The model file \(path) is incomplete: it ends before its content does, after \(size) bytes. Fetch it again."
                )
            case .contradiction(let what):
                throw Self.corrupted(path, what)
            }
        }
        if let fault = header.fault { throw Self.corrupted(path, fault) }
    }

    /// Bytes of the file; nil where there is none. What a link leads to is meant: caches of models are full of them.
    static func size(_ path: String) -> UInt64? {
        (attributes(of: path)[.size] as? NSNumber)?.uint64Value
    }

    static func attributes(of path: String) -> [FileAttributeKey: Any] {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: target)) ?? [:]
    }

    static func corrupted(_ path: String, _ cause: String?) -> EngineError {
        EngineError(.modelCorrupted, "The model file \(path) is damaged. Fetch it again.", cause: cause)
    }

    private static func contents(of path: String) throws(EngineError) -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw EngineError(.modelNotFound, "There is no model at \(path). Check the path, or fetch the model first.")
        }
        if isFolder.boolValue {
            throw EngineError(.modelNotGGUF, "\(path) is a folder. Give the path of a .gguf file.")
        }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw EngineError(
                .modelUnreadable, "The model file \(path) cannot be read. Check its permissions.", cause: "\(error)")
        }
    }
}
