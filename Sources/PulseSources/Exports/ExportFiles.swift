import Foundation
import PulseCore
import PulsePlatform
import PulseText

/// The files of an export: one file, or those of a folder or a ZIP archive.
struct ExportFiles {
    let path: String
    private let files: [String: File]
    /// The folder that holds all of them, as in many archives; nil: there are several, or none.
    private let top: Substring?
    /// Whether the path is that of a file, whose name does not matter.
    private var isFile = false

    /// Opens a file.
    typealias File = () throws -> ByteStream

    /// More files than any export has, so that a wrong folder is not walked for long.
    private static let most = 100_000

    /// - Parameter path: `-` is the standard input.
    init(path: String, in environment: ImportEnvironment) throws {
        self.path = path
        var files: [String: File] = [:]
        if path == "-" {
            files["-"] = { ByteStream(descriptor: environment.standardInput, name: "standard input") }
            isFile = true
        } else if try FileStamp(reading: path).isFolder {
            // The enumerator does not follow symbolic links.
            let inside = FileManager.default.enumerator(atPath: path)
            while let name = inside?.nextObject() as? String {
                guard inside?.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
                files[name] = { try ByteStream(path: path + "/" + name) }
                guard files.count <= Self.most else {
                    throw PulseError(.badData, "\(path) holds too many files for an export.", hint: "Check the path.")
                }
            }
        } else if ZIPArchive.isOne(try ByteStream(path: path, length: 4, packing: .none).rest(limit: 4)) {
            for member in try ZIPArchive(path: path).members { files[member.name] = member.open }
        } else {
            files[path] = { try ByteStream(path: path) }
            isFile = true
        }
        self.files = files
        let tops = Set(files.keys.map { $0.prefix { $0 != "/" } })
        top = tops.count == 1 ? tops.first : nil
    }

    /// The name in messages.
    var name: String { path == "-" ? "standard input" : path }

    /// The only file; nil if there are several, or none.
    var only: File? { files.count == 1 ? files.values.first : nil }

    /// The file with a name, which may be inside a single top-level folder.
    func member(_ name: String) -> File? { files[name] ?? top.flatMap { files[$0 + "/" + name] } }

    /// The files whose names match a pattern, in the order of their names: 10 comes after 9.
    ///
    /// - Parameters:
    ///   - pattern: such as `part_*.csv`; see `isCalled`.
    ///   - contents: expected, for the error if there is none.
    func called(_ pattern: String, holding contents: Message) throws -> [File] {
        let names = files.keys.filter { isFile || Self.isCalled($0, pattern) }
        guard !names.isEmpty else {
            throw PulseError(
                .badData, "\(name) holds no \(contents): no file in it is called \(pattern).",
                hint: "Check the path; if the program exports several formats, choose the one with such files.")
        }
        // By length first, which is enough for numbered files: other comparisons are slow if names are long.
        return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.compactMap { files[$0] }
    }

    /// Whether a file's name, without its folders, matches the pattern, whose one `*` stands for any text.
    static func isCalled(_ name: String, _ pattern: String) -> Bool {
        let name = name.split(separator: "/").last ?? ""
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
    }
}

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

        func open() throws -> ByteStream {
            // The local header's name and extra field may differ in length from the central directory's.
            let head = try ZIPArchive.bytes(of: archive, from: start, count: 30)
            guard head.count == 30, head.number(0, 4) == 0x0403_4b50 else { throw ZIPArchive.damage(archive) }
            let data = start + 30 + head.number(26, 2) + head.number(28, 2)
            return try ByteStream(
                path: archive, name: "\(archive): \(PlainText.line(name, limit: 100))", from: data, length: length,
                packing: method == 8 ? .deflate(crc: crc) : .none)
        }
    }

    let members: [Member]

    /// Whether a file begins as an archive with members, or as one without.
    static func isOne(_ head: some Sequence<UInt8>) -> Bool {
        head.starts(with: [0x50, 0x4b, 3, 4]) || head.starts(with: [0x50, 0x4b, 5, 6])
    }

    /// In bytes. The central directory of a hundred thousand files is smaller.
    private static let longestDirectory = 32 << 20

    init(path: String) throws {
        let size = Int(try FileStamp(reading: path).size)
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
                    .badData, "\(path) is encrypted, or compressed in another way than deflate.",
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

    fileprivate static func bytes(of path: String, from start: Int, count: Int) throws -> [UInt8] {
        try ByteStream(path: path, from: start, length: count, packing: .none).rest(limit: count)
    }

    fileprivate static func damage(_ path: String) -> PulseError {
        PulseError(.badData, "\(path) is not a ZIP archive, or is damaged.", hint: "Copy or download it again.")
    }
}

extension [UInt8] {
    /// The little-endian number of `count` bytes at an index.
    fileprivate func number(_ index: Int, _ count: Int) -> Int {
        self[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Reads a file record by record. A record is at most one article.
protocol RecordReader: AnyObject {
    associatedtype Record

    var name: String { get }
    /// The number of bytes of the records so far.
    var bytes: Int { get }
    /// Nil at the end.
    func next() throws -> Record?
}

/// A source of files whose records become articles.
final class RecordSource<Reader: RecordReader>: ArticleSource {
    let origin: String
    let name: String

    /// The unread files, the next one last.
    private var waiting: [ExportFiles.File]
    private var reader: Reader?
    private let open: (ByteStream) throws -> Reader
    private let add: (Reader.Record, Date?, inout ImportBatch) throws -> Void
    private var failure: PulseError?
    /// How many articles were read in each second; see `ImportBatch.markBulk`.
    private var seconds: [Int: Int] = [:]

    /// A batch ends at this number of bytes or records, whichever comes first.
    private static var most: (bytes: Int, records: Int) { (4 << 20, 500) }

    /// - Parameters:
    ///   - pattern: of the file names; see `ExportFiles.called`.
    ///   - contents: for errors, such as `articles of Omnivore`.
    ///   - open: opens a reader of a file.
    ///   - add: adds a record to a batch; its second argument is the `previousImport` of `next`.
    init(
        origin: String, files: ExportFiles, called pattern: String, holding contents: Message,
        open: @escaping (ByteStream) throws -> Reader,
        add: @escaping (Reader.Record, Date?, inout ImportBatch) throws -> Void
    ) throws {
        self.origin = origin
        name = files.name
        self.open = open
        self.add = add
        waiting = try files.called(pattern, holding: contents).reversed()
        // Opened at once, so that a wrong file is refused before anything is imported.
        reader = try nextFile()
    }

    private func nextFile() throws -> Reader? {
        guard let file = waiting.popLast() else { return nil }
        return try open(try file())
    }

    func next(previousImport: Date?) throws -> ImportBatch? {
        if let failure { throw failure }
        var batch = ImportBatch()
        var records = 0
        var bytes = 0
        do {
            while records < Self.most.records, bytes < Self.most.bytes {
                if reader == nil { reader = try nextFile() }
                guard let reader else { break }
                let before = reader.bytes
                guard let record = try reader.next() else {
                    self.reader = nil
                    continue
                }
                bytes += reader.bytes - before
                records += 1
                try add(record, previousImport, &batch)
            }
        } catch {
            guard records > 0 else { throw error }
            failure = error.asPulseError
        }
        guard records > 0 else { return nil }
        batch.markBulk(&seconds)
        return batch
    }
}
