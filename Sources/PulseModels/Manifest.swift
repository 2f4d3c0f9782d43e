public import Foundation
public import PulseCore

/// The catalogue as it is written in `models/manifest.json`: the models the project vouches for.
public struct Manifest: Sendable, Decodable {
    /// The name of the model that is used when none is named.
    public let defaultName: String
    public let models: [CatalogEntry]

    private enum CodingKeys: String, CodingKey {
        case defaultName = "default"
        case models
    }

    /// Reads and checks the file at `path`.
    ///
    /// Throws `.configuration`, naming the file and what is wrong with it.
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

    /// Reads and checks JSON; `source` is what errors call it.
    public init(json: Data, source: String) throws(PulseError) {
        do {
            self = try JSONDecoder().decode(Manifest.self, from: json)
        } catch let error as DecodingError {
            throw Self.broken(source, error.plainWords)
        } catch {
            throw Self.broken(source, "it cannot be read as JSON")
        }
        if let flaw { throw Self.broken(source, flaw) }
    }

    private static func broken(_ source: String, _ flaw: Message) -> PulseError {
        PulseError(.configuration, "The model catalogue \(source) is broken: \(flaw).")
    }

    /// The first thing wrong with the values, once their types are right.
    private var flaw: Message? {
        var names: Set<String> = []
        var files: Set<String> = []
        for (index, entry) in models.enumerated() {
            let place = "models[\(index)]"
            if let flaw = entry.flaw { return "\(place): \(flaw)" }
            if !names.insert(entry.name).inserted { return "\(place): the name \"\(entry.name)\" is used twice" }
            if !files.insert(entry.file).inserted { return "\(place): the file \"\(entry.file)\" is used twice" }
        }
        if !names.contains(defaultName) {
            return "default names \"\(printable(defaultName))\", which is not among its models"
        }
        return nil
    }
}

extension DecodingError {
    /// Where and what, without the names of Swift's types.
    fileprivate var plainWords: Message {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath))\"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context):
            "\(Self.place(context.codingPath))expected \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            "\(Self.place(context.codingPath))expected \(Self.name(of: type)), found null"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it is not valid JSON"
        case .dataCorrupted(let context):
            "\(Self.place(context.codingPath))\(printable(context.debugDescription))"
        @unknown default:
            "it cannot be read as JSON"
        }
    }

    /// `models[1].sha256: `, or nothing at the top.
    private static func place(_ path: [any CodingKey]) -> String {
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
