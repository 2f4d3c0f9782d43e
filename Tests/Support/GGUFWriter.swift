/// A writer of GGUF files, version 3: metadata first, then the tensors' descriptions, then their data, each tensor
/// on a multiple of 32 bytes (gguf.h, "GGUF files have the following structure"). Little-endian, 32-bit floats.
public import Foundation

public struct GGUFWriter {
    /// A metadata value; the raw numbers are gguf.h's `enum gguf_type`.
    public enum Value {
        case uint16(UInt16)
        case uint32(UInt32)
        case int32(Int32)
        case float(Float)
        case bool(Bool)
        case string(String)
        case strings([String])
        case int32s([Int32])
        case floats([Float])
        /// The type and the value as another file has them.
        case raw(Data)
    }

    /// One tensor of 32-bit floats; `dimensions` as ggml counts them, the length of a row first.
    public struct Tensor {
        public var name: String
        public var dimensions: [Int]
        public var values: [Float]

        public init(name: String, dimensions: [Int], values: [Float]) {
            self.name = name
            self.dimensions = dimensions
            self.values = values
        }
    }

    /// Metadata in the order it is written.
    public var metadata: [(key: String, value: Value)] = []
    public var tensors: [Tensor] = []

    private static let alignment = 32

    public init() {}

    /// Gives a key this value; nil: the file has no such key.
    public mutating func set(_ key: String, _ value: Value?) {
        metadata.removeAll { $0.key == key }
        if let value { metadata.append((key, value)) }
    }

    /// The whole file.
    public func data() -> Data {
        var out = Data("GGUF".utf8)
        out.append(number: UInt32(3))
        out.append(number: UInt64(tensors.count))
        out.append(number: UInt64(metadata.count))
        for (key, value) in metadata {
            out.append(text: key)
            out.append(value: value)
        }
        var offset = 0
        for tensor in tensors {
            out.append(text: tensor.name)
            out.append(number: UInt32(tensor.dimensions.count))
            for dimension in tensor.dimensions { out.append(number: UInt64(dimension)) }
            out.append(number: UInt32(0))  // GGML_TYPE_F32
            out.append(number: UInt64(offset))
            offset += Self.padded(tensor.values.count * 4)
        }
        out.pad(to: Self.padded(out.count))
        let start = out.count
        var written = 0
        for tensor in tensors {
            tensor.values.withUnsafeBytes { out.append(contentsOf: $0) }
            written += Self.padded(tensor.values.count * 4)
            out.pad(to: start + written)
        }
        return out
    }

    private static func padded(_ count: Int) -> Int {
        (count + alignment - 1) / alignment * alignment
    }
}

extension Data {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(text: String) {
        append(number: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(value: GGUFWriter.Value) {
        switch value {
        case .uint16(let number):
            append(number: UInt32(2))
            append(number: number)
        case .uint32(let number):
            append(number: UInt32(4))
            append(number: number)
        case .int32(let number):
            append(number: UInt32(5))
            append(number: number)
        case .float(let number):
            append(number: UInt32(6))
            append(number: number.bitPattern)
        case .bool(let flag):
            append(number: UInt32(7))
            append(number: UInt8(flag ? 1 : 0))
        case .string(let text):
            append(number: UInt32(8))
            append(text: text)
        case .strings(let texts):
            appendArray(of: 8, count: texts.count)
            for text in texts { append(text: text) }
        case .int32s(let numbers):
            appendArray(of: 5, count: numbers.count)
            for number in numbers { append(number: number) }
        case .raw(let bytes): append(bytes)
        case .floats(let numbers):
            appendArray(of: 6, count: numbers.count)
            for number in numbers { append(number: number.bitPattern) }
        }
    }

    fileprivate mutating func appendArray(of type: UInt32, count: Int) {
        append(number: UInt32(9))
        append(number: type)
        append(number: UInt64(count))
    }

    fileprivate mutating func pad(to count: Int) {
        append(Data(count: Swift.max(0, count - self.count)))
    }
}
