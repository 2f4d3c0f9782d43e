import Foundation
import PulseCore

/// What an export is made of: one file, or the files in a folder or in a ZIP archive.
struct ExportFiles {
    let path: String
    /// The files by their names inside, such as `content/bridge.html`, in alphabetical order; one file has its own
    /// name.
    let names: [String]
    private let files: [String: File]

    /// One of them, not open yet.
    enum File {
        case path(String)
        case descriptor(Int32)
        case member(ZIPArchive.Member)

        func open() throws(PulseError) -> ByteReader {
            switch self {
            case .path(let path): try ByteReader(path: path)
            case .descriptor(let descriptor): ByteReader(descriptor: descriptor, name: "standard input")
            case .member(let member): try member.open()
            }
        }
    }

    /// As many files as no export has, so that a folder named by mistake is not walked through for long.
    private static let most = 100_000

    /// - Parameter path: `-` is the standard input.
    init(path: String, in environment: ImportEnvironment) throws(PulseError) {
        self.path = path
        var files: [String: File] = [:]
        if path == "-" {
            files["-"] = .descriptor(environment.standardInput)
        } else if try Self.isFolder(path) {
            // The enumerator does not follow links.
            let inside = FileManager.default.enumerator(atPath: path)
            while let name = inside?.nextObject() as? String {
                guard inside?.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
                files[name] = .path(path + "/" + name)
                guard files.count <= Self.most else {
                    throw PulseError(.badData, "\(path) holds too many files for an export.", hint: "Check the path.")
                }
            }
        } else if try ByteReader(path: path, length: 4, packing: .none).rest(limit: 4) == [0x50, 0x4b, 3, 4] {
            for member in try ZIPArchive(path: path).members { files[member.name] = .member(member) }
        } else {
            files[URL(fileURLWithPath: path).lastPathComponent] = .path(path)
        }
        self.files = files
        names = files.keys.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }

    /// What the user knows it by.
    var name: String { path == "-" ? "standard input" : path }

    /// The file of a name, which may stand in a folder of its own at the top, as archives often have one.
    func member(_ name: String) -> File? {
        files[name] ?? top.flatMap { files[$0 + "/" + name] }
    }

    /// The one folder at the top, where there is nothing else.
    private var top: String? {
        let tops = Set(names.map { $0.prefix { $0 != "/" } })
        return tops.count == 1 ? tops.first.map(String.init) : nil
    }

    /// The files by whose name, without its folder, a test is passed; the one file there is always passes.
    func all(_ isWanted: (String) -> Bool) -> [File] {
        names.filter { names.count == 1 || isWanted(String($0.split(separator: "/").last ?? "")) }
            .compactMap { files[$0] }
    }

    private static func isFolder(_ path: String) throws(PulseError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw PulseError(reading: path, errno: errno) }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The members of a ZIP archive (PKWARE's APPNOTE.TXT, sections 4.3 and 4.4), as far as exports need it: deflated or
/// stored, not encrypted, below 4 GiB.
///
/// The archive is not trusted: every offset is checked against the file's end, and no path is made of a name.
struct ZIPArchive {
    struct Member {
        let name: String
        fileprivate let archive: String
        fileprivate let start: Int
        fileprivate let length: Int
        fileprivate let crc: UInt32
        fileprivate let method: Int

        func open() throws(PulseError) -> ByteReader {
            // The name and the extra field before the data may be longer than those in the directory.
            let head = try ZIPArchive.bytes(of: archive, from: start, count: 30)
            guard head.count == 30, head.number(0, 4) == 0x0403_4b50 else { throw ZIPArchive.damage(archive) }
            let data = start + 30 + head.number(26, 2) + head.number(28, 2)
            return try ByteReader(
                path: archive, from: data, length: length, packing: method == 8 ? .deflate(crc: crc) : .none)
        }
    }

    let members: [Member]

    /// In bytes. A directory of a hundred thousand files is smaller.
    private static let longestDirectory = 32 << 20

    init(path: String) throws(PulseError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw PulseError(reading: path, errno: errno) }
        let size = Int(status.st_size)
        // The record at the end has 22 bytes and then a comment of at most 65,535, which ends with the file.
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
            // Bit 0 of the flags is encryption; method 0 is stored and 8 deflated.
            guard directory.number(at + 8, 2) & 1 == 0, [0, 8].contains(member.method), member.length < 0xffff_ffff
            else {
                throw PulseError(
                    .badData, "\(path) is packed in a way that this program does not read.",
                    hint: "Unpack it and give the folder.")
            }
            total += member.length
            // Members that share bytes are how a small file unpacks to a huge one.
            guard member.start + 30 <= start, total <= size else { throw Self.damage(path) }
            if !member.name.hasSuffix("/") { members.append(member) }
            at = next
        }
        self.members = members
    }

    fileprivate static func bytes(of path: String, from start: Int, count: Int) throws(PulseError) -> [UInt8] {
        try ByteReader(path: path, from: start, length: count, packing: .none).rest(limit: count)
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
