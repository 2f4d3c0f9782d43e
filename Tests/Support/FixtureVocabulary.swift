/// The vocabulary of a real model, out of a file that holds nothing else, as llama.cpp's sources have them:
/// `models/ggml-vocab-….gguf`.
import Foundation

struct FixtureVocabulary {
    /// All that stands there about the tokenizer, as it stands there.
    private(set) var metadata: [(key: String, value: GGUFWriter.Value)] = []
    private(set) var count = 0

    var hasTemplate: Bool { metadata.contains { $0.key == "tokenizer.chat_template" } }

    /// - Parameter path: Of a sound file.
    init(path: String) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        file.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes, place: 16)
            for _ in 0..<(reader.next() as UInt64) {
                let key = String(decoding: bytes[reader.text()], as: UTF8.self)
                let start = reader.place
                let number = reader.value()
                guard key.hasPrefix("tokenizer.") else { continue }
                if key == "tokenizer.ggml.tokens" { count = number }
                metadata.append((key, .raw(Data(bytes[start..<reader.place]))))
            }
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var place: Int

        /// Bytes of gguf.h's types that have always as many.
        private static let sizes: [UInt32: Int] = [
            0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8,
        ]
        private static let (text, array): (UInt32, UInt32) = (8, 9)

        mutating func next<Number: FixedWidthInteger & BitwiseCopyable>() -> Number {
            defer { place += MemoryLayout<Number>.size }
            return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
        }

        mutating func text() -> Range<Int> {
            let length = Int(next() as UInt64)
            defer { place += length }
            return place..<place + length
        }

        /// Skips a value with its type; of an array, how many it holds.
        mutating func value() -> Int {
            let type: UInt32 = next()
            guard type == Self.array else { return skip(type) }
            let element: UInt32 = next()
            let count = Int(next() as UInt64)
            if element == Self.text {
                for _ in 0..<count { _ = text() }
            } else {
                place += count * (Self.sizes[element] ?? 0)
            }
            return count
        }

        private mutating func skip(_ type: UInt32) -> Int {
            if type == Self.text { _ = text() } else { place += Self.sizes[type] ?? 0 }
            return 1
        }
    }
}
