import Foundation
public import PulseCore

/// The lines of a file or a pipe, read one after another: memory holds one line, however long the file. What gzip
/// packed is unpacked.
///
/// Lines end with a line feed; a carriage return before it belongs to the end. The last line needs none.
public struct LineReader: ~Copyable {
    public struct Line: Sendable, Hashable {
        /// Counted from 1, as editors do.
        public let number: Int
        /// Without its end; empty where the line was too long to be kept.
        public let bytes: [UInt8]
        /// False where the line was longer than the reader's limit.
        public let isWhole: Bool

        public init(number: Int, bytes: [UInt8], isWhole: Bool = true) {
            self.number = number
            self.bytes = bytes
            self.isWhole = isWhole
        }
    }

    private let bytes: ByteReader
    /// A path, or `standard input`.
    var name: String { bytes.name }
    private let longestLine: Int
    private var number = 0
    private var isAtEnd = false
    private var buffer: [UInt8] = []
    /// The start of what was not handed out yet.
    private var start = 0
    /// Up to here the buffer holds no line end.
    private var searched = 0

    /// The standard input, or any descriptor; the reader does not close it.
    /// - Parameters:
    ///   - name: what errors call it.
    ///   - longestLine: in bytes; of a longer line only the number is handed out.
    public init(descriptor: Int32, name: String, longestLine: Int = 256 * 1024 * 1024) {
        bytes = ByteReader(descriptor: descriptor, name: name)
        self.longestLine = longestLine
    }

    /// A file.
    public init(path: String, longestLine: Int = 256 * 1024 * 1024) throws(PulseError) {
        bytes = try ByteReader(path: path)
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

    /// Reads one more chunk, waiting for it if necessary.
    private mutating func fill() throws(PulseError) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let piece = try bytes.next()
        buffer.append(contentsOf: piece)
        isAtEnd = piece.isEmpty
    }
}
