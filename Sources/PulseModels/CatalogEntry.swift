public import PulseCore
import PulsePlatform

/// A model of the catalogue: where to download it, and how to verify its file.
public struct CatalogEntry: Sendable, Equatable, Codable {
    /// The name for `--model` and `models pull`: lower-case letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The file's name in a models folder; never a path.
    let file: String
    /// The URL of the file; nil for the model that is installed with the program, and for one in a wheel.
    var url: String?
    /// The Python wheel that contains the file; nil: none.
    var wheel: Wheel?
    /// The name of the model that the file, a LoRA adapter, makes another of; nil: the file is a model itself.
    public var base: String?
    /// Bytes.
    public let size: Int64
    /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
    let sha256: String
    /// The number of weights.
    public let parameters: Int64
    /// Its published error rate; nil: none.
    public var errors: PublishedErrors?
    /// The licence's name, for people.
    public let licence: String
    /// Who made it, and where the file comes from, for people.
    public let origin: String
    /// Whether it writes well enough for a digest.
    public let writes: Bool
    /// One line for `models list`.
    public let description: String

    /// A measured rate of summaries that say what their text does not support.
    public struct PublishedErrors: Sendable, Equatable, Codable {
        /// Summaries of 100 that contain anything unsupported.
        public let percent: Double
        /// Who measured it, how and when; for people.
        public let source: String
    }

    /// The class that decides how strictly its output is checked.
    ///
    /// An adapter of the catalogue was trained to say what its articles bear out, so it may use its own words, whatever
    /// its size.
    public var writerClass: WriterClass {
        base == nil ? WriterClass(parameters: parameters, errorRate: errors?.percent) : .unknown
    }

    /// Whether it may be the default or be recommended: it errs in fewer than 10 of 100 summaries.
    public var isWorthIt: Bool { writes && writerClass != .small && (errors?.percent ?? 100) < 10 }

    /// A package on PyPI that contains a model.
    struct Wheel: Equatable, Codable {
        /// The name and version that pip knows it by.
        let name: String
        let version: String
        /// SHA-256 of the whole wheel.
        let sha256: String
        /// The path of the model's file in the wheel.
        let member: String
    }

    /// What the user can do to get the file.
    var remedy: Message {
        url == nil && wheel == nil
            ? "It comes with the program: install pulse-digest again to bring it back."
            : "Run `pulse-digest models pull \(name)` to download it."
    }

    // MARK: - Checking

    /// The first error in the entry, to follow its location in a message; nil: it is valid.
    var validationError: Message? {
        if !Self.isName(name) { return "name \"\(printable(name))\" may hold only a-z, 0-9, '.', '_' and '-'" }
        if file.contains("/") || file.hasPrefix(".") || !file.hasSuffix(".gguf") {
            return "file \"\(printable(file))\" must be a plain file name that ends in .gguf"
        }
        if !(1...1 << 50).contains(size) { return "size must be a number of bytes above 0, and a believable one" }
        if parameters < 1 { return "parameters must be a number above 0" }
        if let errors, !(0...100).contains(errors.percent) { return "errors: percent must be between 0 and 100" }
        if !SHA256.isText(sha256) { return "sha256 must be 64 lower-case hexadecimal digits" }
        if let url, WebAddress(url) == nil {
            return "url \"\(printable(url))\" must be an https or http address without a user name"
        }
        if let wheel {
            if url != nil { return "url and wheel cannot both be named" }
            // pip is given all three, so none may look like an option.
            if ![wheel.name, wheel.version].allSatisfy(Self.isName) {
                return "wheel: name and version may hold only a-z, 0-9, '.', '_' and '-'"
            }
            if !SHA256.isText(wheel.sha256) { return "wheel: sha256 must be 64 lower-case hexadecimal digits" }
        }
        return nil
    }

    /// A name must not look like a path or a file, because `--model` also takes those.
    private static func isName(_ text: String) -> Bool {
        let isSound = text.utf8.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "._-".utf8.contains(byte)
        }
        return isSound && !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.hasSuffix(".gguf")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
