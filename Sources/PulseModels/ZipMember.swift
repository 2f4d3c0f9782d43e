import CZlib
import PulseCore

/// One member of a zip archive, found by its exact name and unpacked as a stream (PKWARE's APPNOTE.TXT, sections 4.3
/// and 4.4). Only the kind that wheels hold: deflated, not encrypted, below 4 GiB.
///
/// The archive is not trusted: every offset is checked against the file's end, no path is made of a name, and not a
/// byte more than `size` comes out.
struct ZipMember {
    /// Bytes of the member, unpacked.
    private let size: Int64
    private let crc: UInt32
    /// Offset of its deflated bytes in the file, and how many there are.
    private let start: Int64
    private let length: Int64

    /// Throws `.unavailable` if the archive has no such member of `size` bytes, or is damaged.
    init(_ name: String, size: Int64, in file: borrowing OpenFile) throws(PulseError) {
        let end = try file.stamp().size
        // The record at the end has 22 bytes and then a comment of at most 65,535, which ends with the file.
        let tailStart = max(0, end - 22 - 65_535)
        let tail = try Self.read(file, tailStart..<end)
        guard
            let record = tail.indices.dropLast(21).last(where: {
                tail.number($0, 4) == 0x0605_4b50 && $0 + 22 + Int(tail.number($0 + 20, 2)) == tail.count
            })
        else { throw Self.unsound(file, "it has no directory") }
        let directoryStart = tail.number(record + 16, 4)
        let directoryEnd = directoryStart + tail.number(record + 12, 4)
        guard directoryEnd <= tailStart + Int64(record), directoryEnd - directoryStart <= 1 << 20 else {
            throw Self.unsound(file, "its directory is not where it says")
        }
        let directory = try Self.read(file, directoryStart..<directoryEnd)
        guard let at = Self.find(name, in: directory) else { throw Self.unsound(file, "it holds no \(name)") }
        // Bit 0 of the flags is encryption; method 8 is deflate.
        guard directory.number(at + 8, 2) & 1 == 0, directory.number(at + 10, 2) == 8 else {
            throw Self.unsound(file, "\(name) is packed in another way than wheels are")
        }
        guard directory.number(at + 24, 4) == size else {
            throw Self.unsound(file, "\(name) is not of \(size) bytes")
        }
        // The name and the extra field before the data may be longer than those in the directory.
        let local = directory.number(at + 42, 4)
        guard local + 30 <= directoryStart else { throw Self.unsound(file, "\(name) is not where it says") }
        let head = try Self.read(file, local..<local + 30)
        self.size = size
        crc = UInt32(directory.number(at + 16, 4))
        start = local + 30 + head.number(26, 2) + head.number(28, 2)
        length = directory.number(at + 20, 4)
        guard head.number(0, 4) == 0x0403_4b50, start + length <= directoryStart else {
            throw Self.unsound(file, "\(name) is not where it says")
        }
    }

    /// The index at which the directory's entry of that name begins.
    private static func find(_ name: String, in directory: [UInt8]) -> Int? {
        var at = 0
        while at + 46 <= directory.count, directory.number(at, 4) == 0x0201_4b50 {
            let (first, length) = (at + 46, Int(directory.number(at + 28, 2)))
            let next = first + length + Int(directory.number(at + 30, 2) + directory.number(at + 32, 2))
            guard next <= directory.count else { return nil }
            if directory[first..<first + length].elementsEqual(name.utf8) { return at }
            at = next
        }
        return nil
    }

    /// Unpacks the member; `write` is given each piece and its offset in the member.
    ///
    /// Throws `.unavailable` as soon as there are more bytes than there should be, and if there are fewer or their
    /// checksum is wrong.
    func unpack(
        from file: borrowing OpenFile, write: (UnsafeRawBufferPointer, Int64) throws(PulseError) -> Void
    ) throws(PulseError) {
        // zlib keeps a pointer to its stream, so the stream must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer {
            inflateEnd(stream)
            stream.deallocate()
            input.deallocate()
            output.deallocate()
        }
        // Window bits below 0 mean deflate without zlib's own header.
        var status = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        var (taken, given, sum): (Int64, Int64, UInt) = (0, 0, 0)
        while status == Z_OK {
            if stream.pointee.avail_in == 0 {
                let room = UnsafeMutableRawBufferPointer(rebasing: input.prefix(Int(clamping: length - taken)))
                let count = try file.read(into: room, at: start + taken)
                stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(count)
                taken += Int64(count)
            }
            let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.next_out = bytes
            stream.pointee.avail_out = UInt32(output.count)
            // Z_BUF_ERROR if the bytes are used up before the stream's end.
            status = inflate(stream, Z_NO_FLUSH)
            let count = output.count - Int(stream.pointee.avail_out)
            guard Int64(count) <= size - given else { throw Self.unsound(file, "more is in it than it says") }
            sum = crc32(sum, bytes, UInt32(count))
            try write(UnsafeRawBufferPointer(rebasing: output[..<count]), given)
            given += Int64(count)
        }
        guard status == Z_STREAM_END, given == size, sum == UInt(crc) else {
            throw Self.unsound(file, "what is packed in it is damaged")
        }
    }

    private static func read(_ file: borrowing OpenFile, _ range: Range<Int64>) throws(PulseError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(range.upperBound - range.lowerBound), alignment: 1)
        defer { buffer.deallocate() }
        guard try file.read(into: buffer, at: range.lowerBound) == buffer.count else {
            throw unsound(file, "it ends too early")
        }
        return Array(buffer)
    }

    private static func unsound(_ file: borrowing OpenFile, _ flaw: Message) -> PulseError {
        PulseError(
            .unavailable, "\(file.path) is no sound wheel: \(flaw).",
            hint: "Run the command again, or bring a right one with --from.")
    }
}

extension [UInt8] {
    /// The little-endian number of `count` bytes at an index.
    fileprivate func number(_ index: Int, _ count: Int) -> Int64 {
        self[index..<index + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
