import CZlib
import Foundation
import PulseCore

/// Reads a file, a pipe or a member of a ZIP archive in chunks. A gzipped file is decompressed, whatever its name.
package final class ByteStream {
    package enum Packing {
        /// gzip if the bytes begin with its magic number (RFC 1952, section 2.3.1), else uncompressed.
        case detected
        /// Raw deflate, as in ZIP archives, and the CRC-32 of the decompressed bytes.
        case deflate(crc: UInt32)
        case none
    }

    /// A path, or `standard input`.
    let name: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    /// The number of bytes of the file that may still be read.
    private var left: Int
    private let packing: Packing
    private let room: UnsafeMutableRawBufferPointer
    private var inflater: Inflater?
    private var isFirst = true
    /// For a stream over memory: its number of bytes, in `room`.
    private var given = 0

    private static let pieceSize = 256 * 1024

    private init(
        _ descriptor: Int32, name: String, isOwned: Bool, left: Int, packing: Packing = .detected,
        room: Int = ByteStream.pieceSize
    ) {
        self.descriptor = descriptor
        self.name = name
        ownsDescriptor = isOwned
        self.left = left
        self.packing = packing
        self.room = .allocate(byteCount: room, alignment: 16)
    }

    /// Reads a descriptor and does not close it.
    package convenience init(descriptor: Int32, name: String) {
        self.init(descriptor, name: name, isOwned: false, left: .max)
    }

    /// Reads a file or a part of it.
    /// - Parameters:
    ///   - name: the name in messages; nil: the path.
    ///   - length: in bytes; `.max`: to the end.
    package convenience init(
        path: String, name: String? = nil, from start: Int = 0, length: Int = .max, packing: Packing = .detected
    ) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PulseError(reading: path, errno: errno) }
        self.init(descriptor, name: name ?? path, isOwned: true, left: length, packing: packing)
        guard start == 0 || lseek(descriptor, off_t(start), SEEK_SET) >= 0 else {
            throw PulseError(reading: path, errno: errno)
        }
    }

    convenience init(_ data: Data, name: String) {
        self.init(-1, name: name, isOwned: false, left: 0, room: max(1, data.count))
        room.copyBytes(from: data)
        given = data.count
    }

    deinit {
        room.deallocate()
        if ownsDescriptor { close(descriptor) }
    }

    /// The next bytes; empty at the end. Valid until the next call, while the stream exists.
    func next() throws -> UnsafeRawBufferPointer {
        if isFirst {
            isFirst = false
            let front = try first()
            switch packing {
            case .detected where front.starts(with: Inflater.gzip): inflater = try Inflater(name: name)
            case .deflate(let crc): inflater = try Inflater(crc: crc, name: name)
            case .detected, .none: return front
            }
            inflater?.supply(front)
        }
        guard let inflater else { return try read() }
        while true {
            let bytes = try inflater.next()
            if !bytes.isEmpty || inflater.isAtEnd { return bytes }
            let packed = try read()
            try packed.isEmpty ? inflater.finish() : inflater.supply(packed)
        }
    }

    /// The rest of the stream.
    /// - Parameter limit: in bytes. Throws `.badData` if there is more.
    package func rest(limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try next()
            if piece.isEmpty { return bytes }
            guard bytes.count + piece.count <= limit else {
                guard ownsDescriptor else {
                    throw PulseError(.badData, "Standard input is longer than \(limit >> 20) MiB.")
                }
                throw PulseError(.badData, "\(name) is larger than this program reads.", hint: "Check the path.")
            }
            bytes.append(contentsOf: piece)
        }
    }

    /// A copy of the next bytes.
    func piece() throws -> [UInt8] { Array(try next()) }

    /// Whether `next` would return without waiting for another program.
    var isReady: Bool {
        if let inflater, inflater.hasInput { return true }
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&readable, 1, 0) != 0
    }

    /// The first bytes: at least three, if the stream has three, because a pipe may deliver them one by one.
    private func first() throws -> UnsafeRawBufferPointer {
        var count = given
        while count < 3 {
            let more = try read(at: count)
            if more.isEmpty { break }
            count += more.count
        }
        return UnsafeRawBufferPointer(rebasing: room[..<count])
    }

    /// Reads one more chunk without decompressing it. Waits for it until the task is cancelled.
    private func read(at offset: Int = 0) throws -> UnsafeRawBufferPointer {
        let space = UnsafeMutableRawBufferPointer(rebasing: room[offset...].prefix(left))
        guard !space.isEmpty else { return UnsafeRawBufferPointer(space) }
        while true {
            if Task.isCancelled { throw PulseError.interrupted }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let count = Foundation.read(descriptor, space.baseAddress, space.count)
            if count >= 0 {
                // At a terminal, the user would otherwise have to end the input twice.
                if count == 0 { left = 0 } else if left != .max { left -= count }
                return UnsafeRawBufferPointer(rebasing: space[..<count])
            }
            // The program that passed us the descriptor may have made it non-blocking.
            guard errno == EINTR || errno == EAGAIN else { throw PulseError(reading: name, errno: errno) }
        }
    }
}

/// Decompresses deflate data in chunks, by zlib.
final class Inflater {
    private(set) var isAtEnd = false
    var hasInput: Bool { stream.pointee.avail_in > 0 }

    /// The CRC-32 that raw deflate data must have when decompressed; nil: the data is gzip.
    private let crc: UInt32?
    private let name: String
    // zlib stores a pointer to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableRawBufferPointer
    private var isBetweenMembers = false
    /// The numbers of compressed and decompressed bytes so far, and the CRC-32 of the latter.
    private var (taken, given, sum): (Int, Int, UInt) = (0, 0, 0)

    /// Protects from decompression bombs: text compresses to about a tenth, deflate can reach a thousandth. The ratio
    /// applies after `bytes` of output.
    private static let most = (ratio: 200, bytes: 64 << 20)

    init(crc: UInt32? = nil, name: String) throws {
        self.crc = crc
        self.name = name
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(byteCount: 1 << 18, alignment: 16)
        // zlib.h: `windowBits` plus 16 means gzip, a negative value raw deflate.
        let windowBits: Int32 = crc == nil ? 15 + 16 : -15
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw PulseError(.tryAgain, "There is not enough memory to unpack \(name).")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Takes compressed bytes. The memory must stay valid until all of them are decompressed.
    func supply(_ bytes: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        taken += bytes.count
    }

    /// Decompressed bytes; empty if there is no input left.
    func next() throws -> UnsafeRawBufferPointer {
        while !isAtEnd, hasInput || !isBetweenMembers && stream.pointee.avail_out == 0 && given > 0 {
            if isBetweenMembers {
                // gzip(1) reads concatenated files as one, and ignores any other bytes behind them.
                guard stream.pointee.next_in.pointee == 0x1f, inflateReset(stream) == Z_OK else {
                    isAtEnd = true
                    break
                }
                isBetweenMembers = false
            }
            let bytes = output.assumingMemoryBound(to: UInt8.self).baseAddress
            stream.pointee.next_out = bytes
            stream.pointee.avail_out = UInt32(output.count)
            let status = inflate(stream, Z_NO_FLUSH)
            let count = output.count - Int(stream.pointee.avail_out)
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw damage }
            given += count
            if given > Self.most.bytes, given / Self.most.ratio > taken {
                throw PulseError(
                    .badData,
                    "\(name) unpacks to more than \(Self.most.ratio) times its size, which no real export does.",
                    hint: "If you trust it, unpack it yourself and give the file.")
            }
            if let crc {
                sum = crc32(sum, bytes, UInt32(count))
                if status == Z_STREAM_END, sum != UInt(crc) { throw damage }
            }
            if status == Z_STREAM_END {
                if crc == nil { isBetweenMembers = true } else { isAtEnd = true }
            }
            if count > 0 { return UnsafeRawBufferPointer(rebasing: output[..<count]) }
            if status == Z_BUF_ERROR { break }
        }
        return UnsafeRawBufferPointer(rebasing: output[..<0])
    }

    /// Called at the end of the input. Throws if the compressed data is not complete.
    func finish() throws {
        guard isBetweenMembers || isAtEnd else { throw damage }
        isAtEnd = true
    }

    private var damage: PulseError {
        PulseError(
            .badData, "\(name) is damaged or cut off: it cannot be decompressed to its end.",
            hint: "Copy or download it again.")
    }

    /// RFC 1952: two magic bytes and "deflate".
    static let gzip: [UInt8] = [0x1f, 0x8b, 8]

    /// The beginning of a body, decompressed if it is gzip that the server did not declare. Of a damaged one, only what
    /// comes before the damage.
    static func unpacked(_ body: Data, limit: Int) -> Data {
        guard body.starts(with: gzip), let inflater = try? Inflater(name: "") else { return body.prefix(limit) }
        var unpacked = Data()
        body.withUnsafeBytes { body in
            inflater.supply(body)
            while unpacked.count < limit, let piece = try? inflater.next(), !piece.isEmpty {
                unpacked.append(contentsOf: piece)
            }
        }
        return unpacked.prefix(limit)
    }
}

/// Reads a file or a pipe line by line. Memory holds one line and one chunk. Gzipped input is decompressed.
///
/// Lines end with a line feed, or with a carriage return and a line feed. The last line need not end with one.
public struct LineReader: ~Copyable {
    public struct Line: Sendable, Hashable {
        /// Counted from 1.
        public let number: Int
        /// Without the line ending; empty if the line was longer than the reader's limit.
        public let bytes: [UInt8]
        /// False if the line was longer than the reader's limit.
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
    /// In bytes. Of a longer line only the number is returned.
    private var longestLine = 256 * 1024 * 1024
    private var number = 0
    private var isAtEnd = false
    private var buffer: [UInt8] = []
    /// The index of the first byte that was not returned yet.
    private var start = 0
    /// The buffer holds no line ending before this index.
    private var searched = 0

    /// Reads a descriptor and does not close it.
    /// - Parameter name: the name in errors.
    public init(descriptor: Int32, name: String) { bytes = ByteStream(descriptor: descriptor, name: name) }

    public init(path: String, longestLine: Int? = nil) throws {
        bytes = try ByteStream(path: path)
        if let longestLine { self.longestLine = longestLine }
    }

    /// The next line; nil at the end.
    public mutating func next() throws -> Line? {
        var isWhole = true
        while true {
            if let end = lineEnd() { return take(upTo: end, isWhole: isWhole) }
            searched = buffer.count
            if isAtEnd { return start < buffer.count || !isWhole ? take(upTo: buffer.count, isWhole: isWhole) : nil }
            if buffer.count - start > longestLine {
                isWhole = false
                buffer.removeAll(keepingCapacity: true)
                (start, searched) = (0, 0)
            }
            try fill()
        }
    }

    /// Whether the next line, a part of it, or the end can be read without waiting for another program.
    public var isReady: Bool { isAtEnd || lineEnd() != nil || bytes.isReady }

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

    private mutating func fill() throws {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let piece = try bytes.next()
        buffer.append(contentsOf: piece)
        isAtEnd = piece.isEmpty
    }
}
