import CZlib
import Foundation

/// A zip archive of two members, honest unless it is told to lie.
struct Zip {
    var name = "pack/tiny.gguf"
    /// The packed bytes of the model, and what the directory says of them.
    var packed: [UInt8]
    var packedSize: Int
    var size: Int
    var crc: UInt
    var flags = 0
    var method = 8
    /// What is added to the places that the archive tells.
    var localShift = 0
    var directoryShift = 0
    var directoryExtra = 0
    var commentShift = 0

    init(_ contents: [UInt8]) throws {
        packed = try Self.deflated(contents)
        packedSize = packed.count
        size = contents.count
        crc = crc32(0, contents, UInt32(contents.count))
    }

    /// zlib's own form is deflate between two bytes of head and four of sum.
    static func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        guard compress2(&packed, &count, bytes, UInt(bytes.count), 6) == Z_OK else {
            throw CocoaError(.coderInvalidValue)
        }
        return Array(packed[2..<Int(count) - 4])
    }

    var bytes: [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for (name, packed) in [("pack/__init__.py", [3, 0]), (name, packed)] {
            let isModel = packed.count > 2
            let sizes =
                isModel
                ? Self.number(Int(crc), 4) + Self.number(packedSize, 4) + Self.number(size, 4)
                : [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
            let facts = Self.number(flags, 2) + Self.number(method, 2) + [0, 0, 0, 0] + sizes
            let lengths = Self.number(name.utf8.count, 2)
            directory += [0x50, 0x4b, 1, 2, 20, 3, 20, 0] + facts + lengths + [UInt8](repeating: 0, count: 12)
            directory += Self.number(file.count + (isModel ? localShift : 0), 4) + name.utf8
            // An extra field that the directory does not have.
            file += [0x50, 0x4b, 3, 4, 20, 0] + facts + lengths + [4, 0] + name.utf8 + [9, 9, 0, 0] + packed
        }
        let start = file.count
        file += directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 2, 0, 2, 0]
        file += Self.number(directory.count + directoryExtra, 4) + Self.number(start + directoryShift, 4)
        return file + Self.number(7 + commentShift, 2) + Array("comment".utf8)
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
