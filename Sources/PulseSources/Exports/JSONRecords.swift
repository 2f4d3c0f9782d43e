import Foundation
import PulseCore
import PulseMarkup

/// Parses a JSON file object by object: the elements of an array, those of an array under a key such as `items`, or
/// consecutive objects, as in JSON Lines. Memory holds one.
final class JSONRecords: RecordReader {
    /// The line of its beginning, counted from 1, and the object; nil if that is invalid or too long.
    typealias Record = (line: Int, object: JSONObject?)

    let name: String
    private(set) var bytes = 0

    private let source: ByteStream
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    private var index = 0
    private var line = 1

    private var depth = 0
    /// The depth of the records: 0 for consecutive objects, 1 in an array, 2 in an array under a key. Nil: not known
    /// yet.
    private var level: Int?
    private var isInString = false
    private var isEscaped = false
    /// The beginning of the last string in the outer object, which may be the key of what follows.
    private var key: [UInt8] = []
    /// The record so far and the line of its beginning; nil between records.
    private var record: (bytes: [UInt8], line: Int)?
    private var isTooLong = false
    private var hasRecords = false
    /// The expected contents in errors, and the test of the first record.
    private let contents: Message
    private let fits: (JSONObject) -> Bool

    /// The keys under which exports have their articles.
    private static let lists: Set<String> = [
        "items", "articles", "entries", "results", "data", "list", "links", "bookmarks", "stories", "posts",
        "documents",
    ]
    /// In bytes. A longer record is reported as invalid.
    private static let longest = 64 << 20

    /// - Parameters:
    ///   - contents: expected, for errors, such as `articles of Omnivore`.
    ///   - fits: whether the first record is as expected; otherwise `next` throws.
    init(_ source: ByteStream, holding contents: Message, fits: @escaping (JSONObject) -> Bool) {
        self.source = source
        self.contents = contents
        self.fits = fits
        name = source.name
    }

    /// Whether the beginning of a file is that of an object with a list of records.
    /// - Parameter fits: whether the first record is as expected; nil: it is not looked at.
    static func isContainer(_ head: Data, fits: ((JSONObject) -> Bool)? = nil) -> Bool {
        let records = JSONRecords(ByteStream(head, name: ""), holding: "", fits: fits ?? { _ in true })
        let first = try? records.next()
        return records.level == 2 && (fits == nil || first?.object != nil)
    }

    func next() throws -> Record? {
        while true {
            if index == piece.count {
                piece = try source.next()
                index = 0
                if piece.isEmpty { return try end() }
            }
            if let record = try scan() { return record }
        }
    }

    private func end() throws -> Record? {
        guard level != nil else {
            throw PulseError(.badData, "\(name) is empty.", hint: "Export it again: what made it may have failed.")
        }
        guard depth == 0, !isInString else {
            throw PulseError(
                .badData, "\(name) ends in the middle of an article.",
                hint: "What came before that is imported; export it again to get the rest.")
        }
        return nil
    }

    /// Scans to the end of the next record or of the chunk.
    private func scan() throws -> Record? {
        var start = index
        // The scanned bytes belong to the record.
        defer { keep(start..<index) }
        while index < piece.count {
            let byte = piece[index]
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if depth == 1, level != 1, key.count < 32 {
                    key.append(byte)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                if depth == 1, level != 1 { key = [] }
            case UInt8(ascii: "["):
                if depth == 0, level == nil { level = 1 }
                // The outer object is a container and no article.
                if depth == 1, level ?? 0 == 0, !hasRecords, isList(piece[index...]) {
                    level = 2
                    record = nil
                }
                depth += 1
            case UInt8(ascii: "{"):
                if depth == 0, level == nil { level = 0 }
                if depth == level, record == nil {
                    start = index - 1
                    record = ([], line)
                }
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                guard depth >= 0 else { throw noJSON }
                guard depth == level, byte == UInt8(ascii: "}"), record != nil else { continue }
                keep(start..<index)
                start = index
                return try take()
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                continue
            default:
                // A byte order mark, or a record separator of RFC 7464, is allowed before a value.
                guard depth > 0 || [0xef, 0xbb, 0xbf, 0x1e].contains(byte) else { throw noJSON }
            }
        }
        return nil
    }

    /// Whether the array under the last key holds the records. An article may have links of its own.
    /// - Parameter rest: what follows its bracket.
    private func isList(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
        let key = String(decoding: key, as: UTF8.self)
        guard key == "links" else { return Self.lists.contains(key) }
        guard let first = rest.first(where: { $0 > 0x20 }) else { return true }
        guard first == UInt8(ascii: "{") else { return false }
        let head = ByteStream(Data([UInt8(ascii: "[")] + rest.prefix(4096)), name: "")
        let record = try? JSONRecords(head, holding: "") { _ in true }.next()
        // Nil: the record is longer than the bytes at hand.
        return record?.object.map(fits) ?? true
    }

    private func keep(_ range: Range<Int>) {
        guard record != nil, !range.isEmpty, !isTooLong else { return }
        record?.bytes.append(contentsOf: piece[range])
        if record?.bytes.count ?? 0 > Self.longest {
            record?.bytes = []
            isTooLong = true
        }
    }

    private func take() throws -> Record? {
        guard let record else { return nil }
        self.record = nil
        bytes += record.bytes.count
        let object = isTooLong ? nil : JSONObject(Data(record.bytes))
        isTooLong = false
        if !hasRecords, let object, !fits(object) {
            let keys = object.keys.prefix(20).map(\.excerpt).joined(separator: ", ")
            throw PulseError(
                .badData,
                keys.isEmpty
                    ? "\(name) is JSON, but holds no \(contents): an entry has no keys."
                    : "\(name) is JSON, but holds no \(contents): an entry has the keys \(keys).",
                hint: "Check the path. To say which key is which: pulse-digest import json PATH --map title=KEY")
        }
        hasRecords = true
        return (line: record.line, object: object)
    }

    private var noJSON: PulseError {
        PulseError(.badData, "\(name) cannot be read as JSON: see line \(line).", hint: "Check the path.")
    }

    /// A `RecordSource` whose records are JSON objects. An invalid one is reported as a bad line.
    /// - Parameter fits: whether the first object is the program's.
    static func source(
        _ origin: String, _ files: ExportFiles, called pattern: String, holding contents: Message,
        fits: @escaping (JSONObject) -> Bool,
        add: @escaping (JSONObject, _ line: Int, Date?, inout ImportBatch) throws -> Void
    ) throws -> any ArticleSource {
        try RecordSource(
            origin: origin, files: files, called: pattern, holding: contents,
            open: { JSONRecords($0, holding: contents, fits: fits) },
            add: { record, previousImport, batch in
                guard let object = record.object else {
                    batch.badLines.append(LineError(line: record.line, reason: "it is not valid JSON"))
                    return
                }
                try add(object, record.line, previousImport, &batch)
            })
    }
}
