import Foundation
public import PulseCore

/// Reads a file or a pipe line by line, so memory holds one line. Gzipped input is decompressed.
///
/// Lines end with a line feed, or with a carriage return and a line feed. The last line need not end with one.
public struct LineReader: ~Copyable {
    public struct Line: Sendable, Hashable {
        /// Counted from 1.
        public let number: Int
        /// Without the line ending; empty if the line was longer than the reader's limit.
        public let bytes: [UInt8]
        /// False where the line was longer than the reader's limit.
        public let isWhole: Bool

        public init(number: Int, bytes: [UInt8], isWhole: Bool = true) {
            self.number = number
            self.bytes = bytes
            self.isWhole = isWhole
        }
    }

    private let bytes: ByteStream
    /// A path, or `standard input`.
    var name: String { bytes.name }
    private let longestLine: Int
    private var number = 0
    private var isAtEnd = false
    private var buffer: [UInt8] = []
    /// The index of the first byte that was not returned yet.
    private var start = 0
    /// The buffer holds no line ending before this index.
    private var searched = 0

    /// Reads a descriptor and does not close it.
    /// - Parameters:
    ///   - name: the name in errors.
    ///   - longestLine: in bytes. Of a longer line only the number is returned.
    public init(descriptor: Int32, name: String, longestLine: Int = 256 * 1024 * 1024) {
        bytes = ByteStream(descriptor: descriptor, name: name)
        self.longestLine = longestLine
    }

    public init(path: String, longestLine: Int = 256 * 1024 * 1024) throws(PulseError) {
        bytes = try ByteStream(path: path)
        self.longestLine = longestLine
    }

    /// The next line; nil at the end.
    public mutating func next() throws(PulseError) -> Line? {
        var isWhole = true
        while true {
            if let end = lineEnd() {
                return take(upTo: end, isWhole: isWhole)
            }
            searched = buffer.count
            if isAtEnd { return start < buffer.count || !isWhole ? take(upTo: buffer.count, isWhole: isWhole) : nil }
            if buffer.count - start > longestLine {
                isWhole = false
                buffer.removeAll(keepingCapacity: true)
                start = 0
                searched = 0
            }
            try fill()
        }
    }

    /// Whether the next line, a part of it, or the end can be read without waiting for another program.
    public var isReady: Bool {
        isAtEnd || lineEnd() != nil || bytes.isReady
    }

    private func lineEnd() -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard searched < bytes.count, let from = bytes.baseAddress,
                let found = memchr(from + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            else { return nil }
            return UnsafeRawPointer(found) - from
        }
    }

    private mutating func take(upTo end: Int, isWhole: Bool) -> Line {
        number += 1
        var last = end
        if last > start, buffer[last - 1] == UInt8(ascii: "\r") { last -= 1 }
        let isWhole = isWhole && last - start <= longestLine
        let line = Line(number: number, bytes: isWhole ? Array(buffer[start..<last]) : [], isWhole: isWhole)
        start = min(end + 1, buffer.count)
        searched = start
        return line
    }

    private mutating func fill() throws(PulseError) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let piece = try bytes.next()
        buffer.append(contentsOf: piece)
        isAtEnd = piece.isEmpty
    }
}
