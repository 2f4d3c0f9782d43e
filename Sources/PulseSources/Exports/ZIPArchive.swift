import Foundation
import PulseCore

/// The members of a ZIP archive (PKWARE's APPNOTE.TXT, sections 4.3 and 4.4), as far as exports need it: deflated or
/// stored, not encrypted, smaller than 4 GiB.
///
/// The archive is untrusted: every offset is checked against the file's size, and names are never used as paths.
struct ZIPArchive {
    struct Member {
        let name: String
        fileprivate let archive: String
        fileprivate let start: Int
        fileprivate let length: Int
        fileprivate let crc: UInt32
        fileprivate let method: Int

        func open() throws(PulseError) -> ByteStream {
            // The local header's name and extra field may differ in length from the central directory's.
            let head = try ZIPArchive.bytes(of: archive, from: start, count: 30)
            guard head.count == 30, head.number(0, 4) == 0x0403_4b50 else { throw ZIPArchive.damage(archive) }
            let data = start + 30 + head.number(26, 2) + head.number(28, 2)
            return try ByteStream(
                path: archive, from: data, length: length, packing: method == 8 ? .deflate(crc: crc) : .none)
        }
    }

    let members: [Member]

    /// In bytes. The central directory of a hundred thousand files is smaller.
    private static let longestDirectory = 32 << 20

    init(path: String) throws(PulseError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw PulseError(reading: path, errno: errno) }
        let size = Int(status.st_size)
        // The end of central directory record has 22 bytes and a comment of at most 65,535.
        let tailStart = max(0, size - 22 - 65_535)
        let tail = try Self.bytes(of: path, from: tailStart, count: size - tailStart)
        guard
            let record = tail.indices.dropLast(21).last(where: {
                tail[$0] == 0x50 && tail.number($0, 4) == 0x0605_4b50
                    && $0 + 22 + tail.number($0 + 20, 2) == tail.count
            })
        else { throw Self.damage(path) }
        let (start, length) = (tail.number(record + 16, 4), tail.number(record + 12, 4))
        guard start + length <= tailStart + record, length <= Self.longestDirectory else { throw Self.damage(path) }
        let directory = try Self.bytes(of: path, from: start, count: length)
        var members: [Member] = []
        var at = 0
        var total = 0
        while at + 46 <= directory.count, directory.number(at, 4) == 0x0201_4b50 {
            let end = at + 46 + directory.number(at + 28, 2)
            let next = end + directory.number(at + 30, 2) + directory.number(at + 32, 2)
            guard next <= directory.count else { throw Self.damage(path) }
            let member = Member(
                name: String(decoding: directory[at + 46..<end], as: UTF8.self), archive: path,
                start: directory.number(at + 42, 4), length: directory.number(at + 20, 4),
                crc: UInt32(directory.number(at + 16, 4)), method: directory.number(at + 10, 2))
            // Bit 0 of the flags means encrypted; method 0 is stored, 8 deflated.
            guard directory.number(at + 8, 2) & 1 == 0, [0, 8].contains(member.method), member.length < 0xffff_ffff
            else {
                throw PulseError(
                    .badData, "\(path) is packed in a way that this program does not read.",
                    hint: "Unpack it and give the folder.")
            }
            total += member.length
            // Overlapping members are a way to build a ZIP bomb.
            guard member.start + 30 <= start, total <= size else { throw Self.damage(path) }
            if !member.name.hasSuffix("/") { members.append(member) }
            at = next
        }
        self.members = members
    }

    fileprivate static func bytes(of path: String, from start: Int, count: Int) throws(PulseError) -> [UInt8] {
        try ByteStream(path: path, from: start, length: count, packing: .none).rest(limit: count)
    }

    fileprivate static func damage(_ path: String) -> PulseError {
        PulseError(.badData, "\(path) is no ZIP archive, or a damaged one.", hint: "Copy or download it again.")
    }
}

extension [UInt8] {
    /// The little-endian number of `count` bytes at an index.
    fileprivate func number(_ index: Int, _ count: Int) -> Int {
        self[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
