public import Foundation
public import PulseCore

/// The catalogue's file, `models/manifest.json`.
public struct Manifest: Sendable, Decodable {
    /// The name of the default model.
    public let defaultName: String
    public let models: [CatalogEntry]

    private enum CodingKeys: String, CodingKey {
        case defaultName = "default"
        case models
    }

    /// Reads and validates the file at `path`.
    ///
    /// Throws `.configuration`, naming the file and the error in it.
    public init(contentsOf path: String) throws(PulseError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw PulseError(
                .configuration, "Cannot read the model catalogue at \(path).",
                hint: "Install pulse-digest again to bring it back.", cause: String(describing: error))
        }
        try self.init(json: data, source: path)
    }

    /// Reads and validates JSON. Errors call it `source`.
    public init(json: Data, source: String) throws(PulseError) {
        do {
            self = try JSONDecoder().decode(Manifest.self, from: json)
        } catch let error as DecodingError {
            throw Self.broken(source, error.plainWords)
        } catch {
            throw Self.broken(source, "it cannot be read as JSON")
        }
        if let validationError { throw Self.broken(source, validationError) }
    }

    private static func broken(_ source: String, _ reason: Message) -> PulseError {
        PulseError(.configuration, "The model catalogue \(source) is broken: \(reason).")
    }

    /// The first invalid value; nil: all are valid.
    private var validationError: Message? {
        var names: Set<String> = []
        var files: Set<String> = []
        for (index, entry) in models.enumerated() {
            let location = "models[\(index)]"
            if let error = entry.validationError { return "\(location): \(error)" }
            if !names.insert(entry.name).inserted { return "\(location): the name \"\(entry.name)\" is used twice" }
            if let base = entry.base, !models.contains(where: { $0.name == base && $0.base == nil }) {
                return "\(location): base \"\(printable(base))\" is no model of the catalogue"
            }
            if !files.insert(entry.file).inserted { return "\(location): the file \"\(entry.file)\" is used twice" }
        }
        if !names.contains(defaultName) {
            return "default names \"\(printable(defaultName))\", which is not among its models"
        }
        return nil
    }
}

extension DecodingError {
    /// The location and the error, without names of Swift's types.
    fileprivate var plainWords: Message {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.location(context.codingPath))\"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context):
            "\(Self.location(context.codingPath))expected \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            "\(Self.location(context.codingPath))expected \(Self.name(of: type)), found null"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it is not valid JSON"
        case .dataCorrupted(let context):
            "\(Self.location(context.codingPath))\(printable(context.debugDescription))"
        @unknown default:
            "it cannot be read as JSON"
        }
    }

    /// `models[1].sha256: `; empty for the root.
    private static func location(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text.isEmpty ? "" : "\(text): "
    }

    private static func name(of type: any Any.Type) -> Message {
        switch type {
        case is String.Type: "text"
        case is Int.Type, is Int64.Type: "a whole number"
        case is [CatalogEntry].Type, is [Any].Type: "a list"
        default: "an object"
        }
    }
}
