import Foundation
import PulseText

/// The header of a GGUF file: the types and small values of its metadata, and the offsets of its tensors. The format is
/// described in gguf.h. Every length is checked against the file's size.
struct GGUFHeader: Sendable {
    enum Fault: Error, Hashable {
        /// The file is shorter than its header says.
        case truncated
        case contradiction(String)
        case version(UInt32)
        /// It has more of something than any model.
        case excess(String)
    }

    /// A metadata value: numbers in full, strings up to a length, arrays only by type and count.
    enum Value: Hashable {
        case integer(Int64)
        case real(Double)
        case flag(Bool)
        case text(String)
        case array(of: ValueType, count: Int)
    }

    /// gguf.h, `enum gguf_type`.
    enum ValueType: UInt32, Hashable {
        case uint8, int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64, float64

        /// Bytes of one value; 0 for types without a fixed size.
        var size: Int {
            switch self {
            case .uint8, .int8, .bool: 1
            case .uint16, .int16: 2
            case .uint32, .int32, .float32: 4
            case .uint64, .int64, .float64: 8
            case .string, .array: 0
            }
        }
    }

    private(set) var metadata: [String: Value] = [:]
    private(set) var tensorCount = 0
    private(set) var parameters: Int64 = 0
    /// Whether the vocabulary repeats a token: llama-vocab.cpp asserts that there are as many texts as tokens.
    private(set) var repeatsTokens = false
    /// Whether there is a token for each byte, as libllama assumes of SentencePiece (llama-vocab.cpp, `byte_to_token`).
    private var hasBytes = false

    /// libllama compares each name with all before it (gguf.cpp, "make sure there are no duplicate tensor names"):
    /// 8,192 take it 0.2 s, 80,000 half a minute. Mixtures of experts with a tensor for each expert have some 3,000.
    private static let mostTensors = 8192
    /// Compared in the same way. Models have some fifty, those with values for each layer a few hundred.
    private static let mostPairs = 4096
    /// libllama holds some 70 bytes for each string. The largest vocabularies have 262,144 tokens, and twice the
    /// merges.
    private static let mostStrings = 1 << 21
    /// Bytes before the tensors' data. The largest vocabularies take some 20 MB, and libllama copies all of it.
    private static let longest = 64 << 20
    /// Bytes of a string that is kept, as only short ones are compared and named in errors; and of a chat template.
    private static let (longestText, longestTemplate) = (1 << 10, 1 << 18)

    init(_ contents: Data) throws(Fault) {
        var reader = BinaryReader(contents, from: 4)
        let version: UInt32 = try reader.number()
        guard version == 2 || version == 3 else { throw .version(version) }
        tensorCount = try reader.count(atMost: Self.mostTensors, of: "tensors")
        let pairs = try reader.count(atMost: Self.mostPairs, of: "metadata")
        var strings = 0
        for _ in 0..<pairs {
            let key = try reader.text(atMost: Self.longestText)
            // gguf.cpp asserts that there is one.
            if key.isEmpty { throw .contradiction("metadata without a name") }
            var texts: Set<UInt64>? = key == "tokenizer.ggml.tokens" ? [] : nil
            let longest = key == "tokenizer.chat_template" ? Self.longestTemplate : Self.longestText
            let value = try Self.value(from: &reader, longestText: longest, texts: &texts, strings: &strings)
            guard reader.offset <= Self.longest else { throw .excess("\(reader.offset) bytes of metadata") }
            guard metadata.updateValue(value, forKey: key) == nil else {
                throw .contradiction("metadata twice: \(key)")
            }
            if let texts, case .array(_, let count) = value {
                repeatsTokens = texts.count < count
                hasBytes = (UInt8.min...UInt8.max).allSatisfy {
                    texts.contains(FNV1a.hash(of: "<0x\(Hexadecimal.text(of: [$0], uppercase: true))>".utf8))
                }
            }
            // libllama computes with these, and ggml_rms_norm asserts that an epsilon is not negative.
            if case .real(let number) = value, !number.isFinite || key.hasSuffix("epsilon") && number < 0 {
                throw .contradiction("\(key) = \(number)")
            }
        }
        try readTensors(from: &reader, fileSize: UInt64(contents.count))
    }

    /// A value. Collects the hashes of an array's strings in `texts` unless that is nil.
    private static func value(
        from reader: inout BinaryReader, longestText: Int, texts: inout Set<UInt64>?, strings: inout Int
    ) throws(Fault) -> Value {
        let type = try valueType(from: &reader)
        guard type == .array else { return try scalar(type, from: &reader, longestText: longestText) }
        let element = try valueType(from: &reader)
        guard element != .array else { throw .contradiction("an array of arrays") }
        let raw: UInt64 = try reader.number()
        guard let count = Int(exactly: raw) else { throw .contradiction("an array of \(raw) values") }
        if element == .string {
            // Each string takes 8 bytes or more. A greater count than fits in the file is damage, not an excess.
            guard count <= reader.left / 8 else { throw .truncated }
            strings += count
            guard strings <= mostStrings else { throw .excess("\(strings) strings") }
            texts?.reserveCapacity(count)
            for number in 0..<count {
                if texts == nil {
                    try reader.skipText()
                } else {
                    // libllama replaces empty strings by their index.
                    texts?.insert(try reader.hashOfText() ?? UInt64(number))
                }
            }
        } else {
            let (bytes, overflow) = count.multipliedReportingOverflow(by: element.size)
            if overflow { throw .contradiction("an array of \(raw) values") }
            try reader.skip(bytes)
        }
        return .array(of: element, count: count)
    }

    private static func valueType(from reader: inout BinaryReader) throws(Fault) -> ValueType {
        let raw: UInt32 = try reader.number()
        guard let type = ValueType(rawValue: raw) else { throw .contradiction("metadata of type \(raw)") }
        return type
    }

    private static func scalar(
        _ type: ValueType, from reader: inout BinaryReader, longestText: Int
    ) throws(Fault) -> Value {
        switch type {
        case .uint8: .integer(Int64(try reader.number() as UInt8))
        case .int8: .integer(Int64(try reader.number() as Int8))
        case .uint16: .integer(Int64(try reader.number() as UInt16))
        case .int16: .integer(Int64(try reader.number() as Int16))
        case .uint32: .integer(Int64(try reader.number() as UInt32))
        case .int32: .integer(Int64(try reader.number() as Int32))
        case .uint64: .integer(Int64(truncatingIfNeeded: try reader.number() as UInt64))
        case .int64: .integer(try reader.number() as Int64)
        case .float32: .real(Double(Float(bitPattern: try reader.number())))
        case .float64: .real(Double(bitPattern: try reader.number()))
        case .bool: .flag(try reader.number() as UInt8 != 0)
        case .string: .text(try reader.text(atMost: longestText))
        case .array: throw .contradiction("an array where a value should be")
        }
    }

    func integer(_ key: String) -> Int? { if case .integer(let number)? = metadata[key] { Int(number) } else { nil } }

    func text(_ key: String) -> String? { if case .text(let text)? = metadata[key] { text } else { nil } }

    var architecture: String? { text("general.architecture") }

    /// Checks the tensors' offsets against the file's size. A tensor's size depends on its type, so its end is only
    /// known for 32-bit floats; for other types only its start is checked.
    private mutating func readTensors(from reader: inout BinaryReader, fileSize: UInt64) throws(Fault) {
        let aligned = integer("general.alignment") ?? 0
        // With less than 32, libllama aborts the process.
        let alignment: UInt64 = aligned > 0 ? UInt64(aligned) : 32
        guard alignment.nonzeroBitCount == 1, (32...1 << 20).contains(alignment) else {
            throw .contradiction("alignment \(alignment)")
        }
        var lastEnd: UInt64 = 0
        for _ in 0..<tensorCount {
            // ggml.h: GGML_MAX_NAME is 64.
            let name = try reader.length()
            guard name < 64 else { throw .excess("a tensor's name of \(name) bytes") }
            try reader.skip(name)
            let dimensions: UInt32 = try reader.number()
            // ggml.h: GGML_MAX_DIMS is 4.
            guard dimensions <= 4 else { throw .contradiction("a tensor of \(dimensions) dimensions") }
            var elements: UInt64 = 1
            for _ in 0..<dimensions {
                let (product, overflow) = elements.multipliedReportingOverflow(by: try reader.number() as UInt64)
                guard !overflow, product <= 1 << 48 else { throw .contradiction("a tensor of impossible size") }
                elements = product
            }
            // Cannot overflow with 2^13 tensors of at most 2^48 elements.
            parameters = parameters &+ Int64(elements)
            let type: UInt32 = try reader.number()
            let offset: UInt64 = try reader.number()
            guard offset <= 1 << 48 else { throw .contradiction("a tensor at an impossible place") }
            lastEnd = max(lastEnd, offset + (type == 0 ? elements * 4 : 1))
        }
        guard tensorCount > 0 else { return }
        let start = (UInt64(reader.offset) + alignment - 1) / alignment * alignment
        if start + lastEnd > fileSize { throw .truncated }
    }
}

/// Checks libllama's assumptions about a model's metadata: it reads some arrays without checking their type or length
/// (llama-vocab.cpp casts `gguf_get_arr_data`), and divides by some numbers.
extension GGUFHeader {
    /// The first contradiction in the metadata; nil: none.
    var fault: String? {
        guard let architecture else { return "no general.architecture" }
        return faultInSizes(of: architecture) ?? faultInVocabulary ?? faultInTokenNumbers
    }

    private func faultInSizes(of architecture: String) -> String? {
        let limits: [(key: String, range: ClosedRange<Int64>)] = [
            ("context_length", 1...(1 << 31 - 1)), ("embedding_length", 1...(1 << 20)), ("block_count", 1...4096),
            ("feed_forward_length", 0...(1 << 24)), ("attention.head_count", 1...65_536),
            ("attention.head_count_kv", 0...65_536), ("attention.key_length", 1...65_536),
            ("attention.value_length", 1...65_536), ("rope.dimension_count", 0...65_536),
            ("vocab_size", 1...(1 << 24)), ("expert_count", 0...65_536),
        ]
        for (key, range) in limits {
            switch metadata["\(architecture).\(key)"] {
            case .integer(let number): if !range.contains(number) { return "\(key) is \(number)" }
            case .array, nil: continue
            case .real, .flag, .text: return "\(key) is no number"
            }
        }
        return nil
    }

    private var faultInVocabulary: String? {
        guard let tokens = metadata["tokenizer.ggml.tokens"] else { return nil }
        guard case .array(of: .string, let count) = tokens, count > 0 else { return "no list of tokens" }
        if repeatsTokens { return "a token twice" }
        if metadata["tokenizer.ggml.model"] == .text("llama"), !hasBytes { return "no token for a single byte" }
        for (key, type) in [("scores", ValueType.float32), ("token_type", ValueType.int32)] {
            guard let list = metadata["tokenizer.ggml.\(key)"] else { continue }
            if list != .array(of: type, count: count) { return "\(key) does not fit the tokens" }
        }
        switch metadata["tokenizer.ggml.merges"] {
        case nil, .array(of: .string, _)?: return nil
        default: return "merges are no list of texts"
        }
    }

    private var faultInTokenNumbers: String? {
        guard case .array(_, let count)? = metadata["tokenizer.ggml.tokens"] else { return nil }
        for (key, value) in metadata where key.hasPrefix("tokenizer.ggml.") && key.hasSuffix("_token_id") {
            // 2^32 - 1 stands for "none": llama.h's LLAMA_TOKEN_NULL, -1, as an unsigned number.
            guard case .integer(let number) = value, (-1..<Int64(count)).contains(number) || number == 0xffff_ffff
            else { return "\(key) is no token" }
        }
        return nil
    }
}

/// Reads little-endian numbers and length-prefixed strings from bytes that may be truncated.
struct BinaryReader {
    private let bytes: Data
    /// The offset of the next byte, from the beginning of the file.
    private(set) var offset: Int

    init(_ bytes: Data, from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func number<Number: FixedWidthInteger>() throws(GGUFHeader.Fault) -> Number {
        let size = MemoryLayout<Number>.size
        let start = offset
        try skip(size)
        let number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
        return Number(littleEndian: number)
    }

    mutating func count(atMost limit: Int, of what: String) throws(GGUFHeader.Fault) -> Int {
        let raw: UInt64 = try number()
        guard raw <= limit else { throw .excess("\(raw) \(what)") }
        return Int(raw)
    }

    var left: Int { bytes.count - offset }

    mutating func length() throws(GGUFHeader.Fault) -> Int {
        let raw: UInt64 = try number()
        guard let length = Int(exactly: raw), length <= bytes.count else { throw .truncated }
        return length
    }

    /// A length-prefixed string, cut at `limit` bytes. Invalid UTF-8 is replaced.
    mutating func text(atMost limit: Int) throws(GGUFHeader.Fault) -> String {
        let place = try skipText()
        return bytes.withUnsafeBytes { String(decoding: $0[place].prefix(limit), as: UTF8.self) }
    }

    /// The 64-bit FNV-1a hash of a length-prefixed string up to a NUL byte, as in a C string; nil if it is empty.
    mutating func hashOfText() throws(GGUFHeader.Fault) -> UInt64? {
        let place = try skipText()
        return bytes.withUnsafeBytes { buffer in
            let text = buffer[place].prefix { $0 != 0 }
            return text.isEmpty ? nil : FNV1a.hash(of: text)
        }
    }

    /// Skips a length-prefixed string, and returns its place.
    @discardableResult mutating func skipText() throws(GGUFHeader.Fault) -> Range<Int> {
        let length = try length()
        try skip(length)
        return offset - length..<offset
    }

    mutating func skip(_ count: Int) throws(GGUFHeader.Fault) {
        guard count >= 0, count <= left else { throw .truncated }
        offset += count
    }
}
