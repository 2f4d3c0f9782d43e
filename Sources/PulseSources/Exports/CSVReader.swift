import Foundation
import PulseCore
import PulseMarkup

/// Reads comma-separated values (RFC 4180) with a header: quoted fields, line breaks in them, a byte order mark, and
/// commas, semicolons or tabs as separators. Memory holds one record.
final class CSVReader: RecordReader {
    struct Row {
        /// The line of its beginning, counted from 1.
        let line: Int
        fileprivate let fields: [String]
        fileprivate let columns: [String: Int]

        /// The field of a column, by its normalised name; nil if it is missing or empty.
        subscript(_ column: String) -> String? {
            guard let index = columns[column], index < fields.count else { return nil }
            return fields[index].trimmed.nonEmpty
        }
    }

    let name: String
    private(set) var bytes = 0
    /// The column names as written.
    let header: [String]
    /// The index of each column, by its normalised name; the first of two with the same name.
    private(set) var columns: [String: Int] = [:]

    private var parser: Parser

    /// Reads the header.
    init(_ source: ByteStream) throws(PulseError) {
        name = source.name
        parser = Parser(source)
        try parser.sniff()
        header = try parser.next()?.fields ?? []
        for (index, column) in header.enumerated() where columns[Self.plain(column)] == nil {
            columns[Self.plain(column)] = index
        }
    }

    func next() throws(PulseError) -> Row? {
        while let record = try parser.next() {
            bytes = parser.consumed
            // A blank line is no record.
            guard record.fields.count > 1 || record.fields.first?.trimmed.isEmpty == false else { continue }
            return Row(line: record.line, fields: record.fields, columns: columns)
        }
        return nil
    }

    /// Normalises a column's name: letters and digits in lower case, so `Read at`, `read_at` and `ReadAt` are the same.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// The normalised column names in the beginning of a file; empty if the header is incomplete.
    static func columns(in head: Data) -> Set<String> {
        guard head.contains(UInt8(ascii: "\n")), let reader = try? CSVReader(ByteStream(head, name: "")) else {
            return []
        }
        return Set(reader.columns.keys)
    }
}

/// Splits bytes into records, and records into fields.
private struct Parser {
    private let source: ByteStream
    private var buffer: [UInt8] = []
    private var index = 0
    private var line = 1
    private var delimiter = UInt8(ascii: ",")
    /// The number of bytes of the records so far.
    private(set) var consumed = 0

    private static let quote = UInt8(ascii: "\"")
    /// In bytes. The rest of a longer field is dropped, and so are further columns.
    private static let longest = (field: 16 << 20, header: 64 << 10, columns: 1000)

    init(_ source: ByteStream) {
        self.source = source
    }

    /// Skips a byte order mark, and detects the separator.
    mutating func sniff() throws(PulseError) {
        while buffer.count < Self.longest.header, try fill() {}
        if buffer.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
        if buffer.starts(with: [0xff, 0xfe]) || buffer.starts(with: [0xfe, 0xff]) {
            throw PulseError(
                .badData, "\(source.name) is in UTF-16.", hint: "Save it as UTF-8, then import it again.")
        }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in buffer[index...].prefix(Self.longest.header) {
            if byte == Self.quote { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        // If two are equally frequent, the comma.
        delimiter = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? delimiter
    }

    /// The next record and the line of its beginning; nil at the end.
    mutating func next() throws(PulseError) -> (fields: [String], line: Int)? {
        let first = line
        var fields: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted, isAtStart, isEmpty) = (false, false, true, true)
        while true {
            if index == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                index = 0
                guard try fill() else { break }
            }
            let byte = buffer[index]
            index += 1
            consumed += 1
            isEmpty = false
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isQuoted {
                if byte == Self.quote {
                    (isQuoted, wasQuoted) = (false, true)
                } else if field.count < Self.longest.field {
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case delimiter:
                if fields.count < Self.longest.columns { fields.append(String(decoding: field, as: UTF8.self)) }
                field.removeAll(keepingCapacity: true)
                (isAtStart, wasQuoted) = (true, false)
                continue
            case UInt8(ascii: "\n"):
                if field.last == UInt8(ascii: "\r") { field.removeLast() }
                fields.append(String(decoding: field, as: UTF8.self))
                return (fields, first)
            case Self.quote where isAtStart:
                isQuoted = true
            case Self.quote where wasQuoted:
                // A doubled quote stands for one.
                field.append(byte)
                isQuoted = true
            default:
                if field.count < Self.longest.field { field.append(byte) }
            }
            (isAtStart, wasQuoted) = (false, false)
        }
        guard !isQuoted else {
            throw PulseError(
                .badData, "\(source.name) ends inside of quotes, in the record that begins in line \(first).",
                hint: "What came before that is imported; export it again to get the rest.")
        }
        guard !isEmpty else { return nil }
        fields.append(String(decoding: field, as: UTF8.self))
        return (fields, first)
    }

    /// False at the end.
    private mutating func fill() throws(PulseError) -> Bool {
        let piece = try source.next()
        buffer.append(contentsOf: piece)
        return !piece.isEmpty
    }
}

extension CSVReader {
    /// The columns, for messages.
    var headerText: Message {
        let names = header.prefix(20).map(\.excerpt).filter { !$0.isEmpty }
        return names.isEmpty ? "it has no header" : "it has the columns \(names.joined(separator: ", "))"
    }

    /// Throws if no article can be found in the table.
    func check(_ fields: ArticleFields) throws(PulseError) {
        for (field, column) in fields.mapped.sorted(by: { $0.key < $1.key }) where columns[Self.plain(column)] == nil {
            throw PulseError(
                .badData, "\(name) has no column \(column.excerpt) for the \(field): \(headerText).",
                hint: "Check --map.")
        }
        guard fields.fits(Set(columns.keys)) else {
            throw PulseError(
                .badData, "\(name) has no columns for a title and a link: \(headerText).",
                hint: "Say which they are, such as --map title=Headline --map url=Address.")
        }
    }
}
