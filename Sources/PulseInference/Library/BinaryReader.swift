import Foundation
import PulseText

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

    /// A 64-bit count that is at most `limit`.
    mutating func count(atMost limit: Int, of what: String) throws(GGUFHeader.Fault) -> Int {
        let raw: UInt64 = try number()
        guard let count = Int(exactly: raw), count <= limit else { throw .contradiction("\(raw) \(what)") }
        return count
    }

    /// A 64-bit length.
    mutating func length() throws(GGUFHeader.Fault) -> Int {
        let raw: UInt64 = try number()
        guard let length = Int(exactly: raw), length <= bytes.count else { throw .truncated }
        return length
    }

    /// A length-prefixed string. Invalid UTF-8 is replaced.
    mutating func text() throws(GGUFHeader.Fault) -> String {
        let length = try length()
        let start = offset
        try skip(length)
        return bytes.withUnsafeBytes { String(decoding: $0[start..<start + length], as: UTF8.self) }
    }

    /// The 64-bit FNV-1a hash of a length-prefixed string up to a NUL byte, as in a C string; nil if it is empty.
    mutating func hashOfText() throws(GGUFHeader.Fault) -> UInt64? {
        let length = try length()
        let start = offset
        try skip(length)
        return bytes.withUnsafeBytes { buffer in
            let text = buffer[start..<start + length].prefix { $0 != 0 }
            return text.isEmpty ? nil : FNV1a.hash(of: text)
        }
    }

    mutating func skipText() throws(GGUFHeader.Fault) {
        let length = try length()
        try skip(length)
    }

    mutating func skip(_ count: Int) throws(GGUFHeader.Fault) {
        guard count >= 0, count <= bytes.count - offset else { throw .truncated }
        offset += count
    }
}
