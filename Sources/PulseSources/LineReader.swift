import Foundation

/// The lines of a file or a pipe, read as they are asked for: what it holds is one line, however long the file.
///
/// Lines end with a line feed; a carriage return before it belongs to the end. The last line needs none.
public struct LineReader: ~Copyable {
    public struct Line: Sendable, Hashable {
        /// Counted from 1, as editors do.
        public let number: Int
        /// Without its end; empty where the line was too long to be kept.
        public let bytes: [UInt8]
        /// False where the line was longer than the reader's limit, and passed over.
        public let isWhole: Bool

        public init(number: Int, bytes: [UInt8], isWhole: Bool = true) {
            self.number = number
            self.bytes = bytes
            self.isWhole = isWhole
        }
    }

    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let path: String
    private let longestLine: Int
    private var number = 0
    private var isAtEnd = false
    private var buffer: [UInt8] = []
    /// The part of the buffer that was not yet handed out starts here…
    private var start = 0
    /// …and was searched for a line's end up to here.
    private var searched = 0

    private static let chunk = 256 * 1024

    /// The standard input, or any descriptor that stays its owner's.
    /// - Parameter name: what errors call it.
    /// - Parameter longestLine: bytes; a longer line is passed over and reported.
    public init(descriptor: Int32, name: String, longestLine: Int = 256 * 1024 * 1024) {
        self.descriptor = descriptor
        self.ownsDescriptor = false
        self.path = name
        self.longestLine = longestLine
    }

    /// A file, closed with the reader.
    public init(path: String, longestLine: Int = 256 * 1024 * 1024) throws(SourceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(path: path, errno: errno) }
        self.descriptor = descriptor
        self.ownsDescriptor = true
        self.path = path
        self.longestLine = longestLine
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    /// The next line; nil at the end.
    public mutating func next() throws(SourceError) -> Line? {
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

    /// Whether the next line, or a part of it, or the end, can be had without waiting for another program.
    public var isReady: Bool {
        if isAtEnd || lineEnd() != nil { return true }
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&readable, 1, 0) != 0
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

    /// Reads one chunk more; waits for it where there is none yet.
    private mutating func fill() throws(SourceError) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let held = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: LineReader.chunk))
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + held }, LineReader.chunk)
            }
            if count >= 0 {
                buffer.removeLast(LineReader.chunk - count)
                isAtEnd = count == 0
                return
            }
            switch errno {
            case EINTR:
                continue
            case EAGAIN:
                // Whoever handed us the descriptor may have set it to non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, -1)
            default:
                throw SourceError(path: path, errno: errno)
            }
        }
    }
}
