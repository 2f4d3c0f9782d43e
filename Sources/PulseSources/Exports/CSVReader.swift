import Foundation
import PulseCore
import PulseMarkup
import PulseText

/// Reads comma-separated values (RFC 4180) with a header: quoted fields, line breaks in them, lines that end with a
/// line feed, a carriage return or both; commas, semicolons or tabs as separators, or what Excel's first line `sep=;`
/// says; in UTF-8, UTF-16, or else windows-1252, as Excel writes. Memory holds one record.
final class CSVReader: RecordReader {
    struct Row {
        /// The line of its beginning, counted from 1.
        let line: Int
        fileprivate let fields: [String]
        fileprivate let columns: [String: Int]
        fileprivate let header: [String]

        /// A column's name as written.
        func spelled(_ column: String) -> String { columns[column].map { header[$0] } ?? column }

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
    init(_ source: ByteStream) throws {
        name = source.name
        parser = Parser(source)
        try parser.sniff()
        header = try parser.nextFilled()?.fields ?? []
        columns = Dictionary(zip(header.map(Self.plain), header.indices)) { first, _ in first }
    }

    func next() throws -> Row? {
        guard let record = try parser.nextFilled() else { return nil }
        bytes = parser.consumed
        return Row(line: record.line, fields: record.fields, columns: columns, header: header)
    }

    /// Normalises a column's name: letters and digits in lower case, so `Read at`, `read_at` and `ReadAt` are the same.
    static func plain(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }

    /// The normalised column names in the beginning of a file; empty if the header is incomplete.
    static func columns(in head: Data) -> Set<String> {
        guard head.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }),
            let reader = try? CSVReader(ByteStream(head, name: ""))
        else { return [] }
        return Set(reader.columns.keys)
    }

    /// The columns, for messages.
    var headerText: Message {
        let names = header.prefix(20).map { WebURL.withoutUser($0).excerpt }.filter { !$0.isEmpty }
        return names.isEmpty ? "it has no header" : "it has the columns \(names.joined(separator: ", "))"
    }

    /// Throws if no article can be found in the table.
    func check(_ fields: ArticleFields) throws {
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

/// Splits bytes into records, and records into fields.
private struct Parser {
    private let source: ByteStream
    private var buffer: [UInt8] = []
    private var index = 0
    private var line = 1
    private var delimiter = UInt8(ascii: ",")
    /// The number of bytes of the records so far.
    private(set) var consumed = 0
    private var encoding = Encoding.unknown
    /// Bytes of an incomplete UTF-16 character at the end of what was read.
    private var halves: [UInt8] = []
    /// Whether the last byte was a carriage return: a line feed then ends no further line.
    private var isAfterReturn = false

    private enum Encoding {
        /// ASCII so far.
        case unknown
        case utf8, windows1252, utf16LittleEndian, utf16BigEndian
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// In bytes. The rest of a longer field or record is dropped, and so are further columns.
    private static let longest = (field: 16 << 20, record: 64 << 20, header: 64 << 10, columns: 1000)

    init(_ source: ByteStream) { self.source = source }

    /// Skips a byte order mark, and detects the encoding and the separator.
    mutating func sniff() throws {
        while buffer.count < 2, try fill() {}
        if buffer.starts(with: [0xff, 0xfe]) { encoding = .utf16LittleEndian }
        if buffer.starts(with: [0xfe, 0xff]) { encoding = .utf16BigEndian }
        if encoding != .unknown {
            let wide = buffer.dropFirst(2)
            buffer = []
            append(Array(wide))
        }
        while buffer.count < Self.longest.header, try fill() {}
        if buffer.starts(with: [0xef, 0xbb, 0xbf]) {
            encoding = .utf8
            index = 3
        }
        // The header may come after blank lines.
        let blanks: Set = [Self.lineFeed, Self.carriageReturn, UInt8(ascii: " ")]
        let front = buffer[index...].drop(while: blanks.contains).prefix(Self.longest.header)
        if encoding == .unknown { encoding = Self.encoding(of: front) }
        let first = front.prefix { $0 != Self.lineFeed && $0 != Self.carriageReturn }
        // Perhaps in quotes, like the other fields.
        let marker = String(decoding: first.filter { $0 != Self.quote }, as: UTF8.self)
        if marker.lowercased().hasPrefix("sep="), marker.utf8.count == 5, let sign = marker.utf8.last {
            delimiter = sign
            _ = try nextFilled()
            return
        }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in front {
            if byte == Self.quote { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == Self.lineFeed || byte == Self.carriageReturn { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        // If two are equally frequent: a tab before a comma, and a comma before a semicolon.
        delimiter = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? delimiter
    }

    /// The next record that is not blank, as a line of nothing but separators is, and the line of its beginning; nil at
    /// the end.
    mutating func nextFilled() throws -> (fields: [String], line: Int)? {
        while let record = try next() {
            if record.fields.contains(where: { $0.contains { !$0.isWhitespace } }) { return record }
        }
        return nil
    }

    private mutating func next() throws -> (fields: [String], line: Int)? {
        var first = line
        let start = consumed
        var fields: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted, isAtStart, isEmpty) = (false, false, true, true)
        while true {
            if index == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                index = 0
                guard try fill() else { break }
                // A piece may hold only half of a UTF-16 character.
                continue
            }
            let byte = buffer[index]
            index += 1
            consumed += 1
            let endsReturn = isAfterReturn && byte == Self.lineFeed
            isAfterReturn = byte == Self.carriageReturn
            let isKept = field.count < Self.longest.field && consumed - start <= Self.longest.record
            if endsReturn {
                if isQuoted, isKept { field.append(byte) }
                continue
            }
            let isLineEnd = byte == Self.lineFeed || byte == Self.carriageReturn
            if isEmpty { first = line }
            isEmpty = false
            if isLineEnd { line += 1 }
            if isQuoted {
                if byte == Self.quote {
                    (isQuoted, wasQuoted) = (false, true)
                } else if isKept {
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case delimiter:
                if fields.count < Self.longest.columns { fields.append(text(of: field)) }
                field.removeAll(keepingCapacity: true)
                (isAtStart, wasQuoted) = (true, false)
                continue
            case Self.lineFeed, Self.carriageReturn:
                fields.append(text(of: field))
                return (fields, first)
            case Self.quote where isAtStart:
                isQuoted = true
            case Self.quote where wasQuoted:
                // A doubled quote stands for one.
                if isKept { field.append(byte) }
                isQuoted = true
            default:
                if isKept { field.append(byte) }
            }
            (isAtStart, wasQuoted) = (false, false)
        }
        guard !isQuoted else {
            throw PulseError(
                .badData, "\(source.name) ends inside a quoted field, in the record that begins in line \(first).",
                hint: "What came before that is imported; export it again to get the rest.")
        }
        guard !isEmpty else { return nil }
        fields.append(text(of: field))
        return (fields, first)
    }

    private mutating func text(of field: [UInt8]) -> String {
        if encoding == .unknown { encoding = Self.encoding(of: field[...]) }
        guard encoding == .windows1252 else { return String(decoding: field, as: UTF8.self) }
        return String(
            String.UnicodeScalarView(
                field.map { 0x80..<0xa0 ~= $0 ? HTMLReferences.windows1252($0) : Unicode.Scalar($0) }))
    }

    /// More invalid than valid UTF-8 means windows-1252. A single invalid character decides nothing: programs cut
    /// fields off inside a character.
    private static func encoding(of bytes: ArraySlice<UInt8>) -> Encoding {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return .unknown }
        // The last character may be incomplete.
        let whole = bytes[...(bytes.lastIndex { $0 < 0x80 } ?? bytes.endIndex - 1)]
        var broken = 0
        for scalar in String(decoding: whole, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            broken += scalar == "\u{fffd}" ? 1 : -1
        }
        return broken > 0 ? .windows1252 : broken < 0 ? .utf8 : .unknown
    }

    /// False at the end.
    private mutating func fill() throws -> Bool {
        let piece = try source.next()
        append(Array(piece))
        return !piece.isEmpty
    }

    /// UTF-16 is decoded here, so that the parser sees only UTF-8.
    private mutating func append(_ piece: [UInt8]) {
        guard encoding == .utf16LittleEndian || encoding == .utf16BigEndian else {
            return buffer.append(contentsOf: piece)
        }
        let bytes = halves + piece
        let high = encoding == .utf16BigEndian ? 0 : 1
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
        }
        // The second half of a pair may be in the next piece.
        if !piece.isEmpty, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        halves = Array(bytes.dropFirst(2 * units.count))
        buffer.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    }
}
