import Foundation
import Synchronization

/// A message of the program: an English pattern with arguments. The pattern is looked up in `Translations` when the
/// message is printed, so it must be made of literals.
///
/// An interpolated `Message` is translated separately. Any other value is inserted as it is.
public struct Message: Sendable, ExpressibleByStringInterpolation {
    /// The key in catalogues: the English text with `%1$@`, `%2$@` … for the arguments.
    let pattern: String
    private let arguments: [Argument]

    fileprivate enum Argument: Sendable {
        case text(String)
        case number(Int)
        case decimal(Double)
        case message(Message)
    }

    private init(_ pattern: String, _ arguments: [Argument]) {
        self.pattern = pattern
        self.arguments = arguments
    }

    /// Text that is not translated: the same in every language, or another program's.
    public init(verbatim text: String) { self.init("%1$@", [.text(text)]) }

    public init(stringLiteral words: String) { self.init(words, []) }

    public init(stringInterpolation words: StringInterpolation) { self.init(words.pattern, words.arguments) }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pattern = ""
        fileprivate var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) { pattern.reserveCapacity(literalCapacity) }

        public mutating func appendLiteral(_ words: String) { pattern += words }

        public mutating func appendInterpolation(_ message: Message) { add(.message(message)) }

        public mutating func appendInterpolation(_ error: PulseError) { add(.message(error.text)) }

        /// Disfavoured, so that an interpolated literal becomes a `Message`.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) { add(.text("\(value)")) }

        private mutating func add(_ argument: Argument) {
            arguments.append(argument)
            pattern += "%\(arguments.count)$@"
        }
    }

    /// A number with the language's thousands separators.
    ///
    /// - Parameter noun: Follows the number.
    static func number(_ count: Int, noun: String = "") -> Message { Message("%1$@" + noun, [.number(count)]) }

    /// A number with one digit after the language's decimal mark.
    public static func decimal(_ value: Double) -> Message { Message("%1$@", [.decimal(value)]) }

    /// Joins two literals to one pattern. Everything else must be interpolated, so that catalogues have the whole
    /// sentence.
    public static func + (left: Message, right: Message) -> Message {
        var words = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        words.pattern = left.pattern
        words.arguments = left.arguments
        right.pattern.forEachPart(text: { words.pattern += $0 }) { number in
            guard right.arguments.indices.contains(number - 1) else { return }
            words.arguments.append(right.arguments[number - 1])
            words.pattern += "%\(words.arguments.count)$@"
        }
        return Message(stringInterpolation: words)
    }

    /// The translation; the English text if the catalogue has none.
    public func text(in catalogue: Translations) -> String {
        var text = ""
        (catalogue[pattern] ?? pattern).forEachPart(text: { text += $0 }) { number in
            guard arguments.indices.contains(number - 1) else { return }
            switch arguments[number - 1] {
            case .text(let value): text += value
            case .number(let count): text += Phrases.grouped(count, catalogue.locale)
            case .decimal(let value):
                text += value.formatted(
                    .number.precision(.fractionLength(1)).locale(Locale(identifier: catalogue.locale)))
            case .message(let message): text += message.text(in: catalogue)
            }
        }
        return text
    }
}

/// Compared, searched and encoded as the English text.
extension Message: Hashable, Encodable, CustomStringConvertible {
    public var description: String { text(in: .english) }
    public static func == (left: Message, right: Message) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var isEmpty: Bool { description.isEmpty }
    public func contains(_ words: String) -> Bool { description.contains(words) }
    public func hasPrefix(_ words: String) -> Bool { description.hasPrefix(words) }
    public func hasSuffix(_ words: String) -> Bool { description.hasSuffix(words) }
}

extension Sequence where Element == Message {
    /// Joins messages; each is translated separately, and so is the separator.
    public func joined(separator: Message = "") -> Message {
        var words = Message.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, message) in enumerated() {
            if index > 0 { words.appendInterpolation(separator) }
            words.appendInterpolation(message)
        }
        return Message(stringInterpolation: words)
    }
}

extension String {
    /// Visits the parts of a pattern in order: literal text, and numbers of arguments.
    fileprivate func forEachPart(text: (Substring) -> Void, argument: (Int) -> Void) {
        var rest = self[...]
        while let percent = rest.firstIndex(of: "%") {
            let digits = rest[rest.index(after: percent)...].prefix(while: \.isNumber)
            guard let number = Int(digits), rest[digits.endIndex...].hasPrefix("$@") else {
                text(rest[...percent])
                rest = rest[rest.index(after: percent)...]
                continue
            }
            text(rest[..<percent])
            argument(number)
            rest = rest[digits.endIndex...].dropFirst(2)
        }
        text(rest)
    }
}

/// The program's messages in one language: a gettext catalogue such as `es.po`, read on first use. A message is English
/// if the file is missing or damaged, or lacks it.
public final class Translations: Sendable, Hashable {
    public static let english = Translations(paths: [], locale: "en")

    /// A later file overrides an earlier one.
    private let paths: [String]
    /// The CLDR locale for formatting numbers.
    let locale: String
    private let entries = Mutex<[String: String]?>(nil)

    private init(paths: [String], locale: String) {
        self.paths = paths
        self.locale = locale
    }

    /// - Parameters:
    ///   - language: English is used for a language without a catalogue.
    ///   - folder: The folder that holds `es.po`; nil if there is none.
    public static func of(_ language: Language, in folder: String?) -> Translations {
        guard language != .english, language != .french, let folder else { return .english }
        // As in gettext, pt-PT falls back on pt.
        let names = language.rawValue == language.code ? [language.code] : [language.code, language.rawValue]
        return Translations(paths: names.map { "\(folder)/\($0).po" }, locale: language.locale)
    }

    public static func == (left: Translations, right: Translations) -> Bool { left.paths == right.paths }
    public func hash(into hasher: inout Hasher) { hasher.combine(paths) }

    /// The translation of an English pattern; nil if there is none.
    subscript(pattern: String) -> String? {
        guard !paths.isEmpty else { return nil }
        return entries.withLock { entries in
            if let entries { return entries[pattern] }
            let read = paths.reduce(into: [:]) { read, path in
                read.merge(Self.entries(FileManager.default.contents(atPath: path).map(Array.init) ?? [])) { $1 }
            }
            entries = read
            return read[pattern]
        }
    }

    /// The translated messages of a `.po` file by their English patterns (`msgid`). Fuzzy entries are left out.
    package static func entries(_ file: [UInt8]) -> [String: String] {
        var entries: [String: String] = [:]
        var (pattern, words, isFuzzy, isInWords) = ("", "", false, false)
        func finish() {
            if !pattern.isEmpty, !words.isEmpty, !isFuzzy { entries[pattern] = words }
            (pattern, words, isFuzzy, isInWords) = ("", "", false, false)
        }
        for line in file.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "#".utf8) || line.starts(with: "msgid".utf8) {
                if isInWords { finish() }
                if line.starts(with: "#,".utf8) { isFuzzy = String(decoding: line, as: UTF8.self).contains("fuzzy") }
            } else if line.starts(with: "msgstr".utf8) {
                isInWords = true
            }
            guard line.first != UInt8(ascii: "#"), let text = quoted(line) else { continue }
            if isInWords { words += text } else { pattern += text }
        }
        finish()
        return entries
    }

    /// The text between a line's first and last quotation mark, unescaped; nil if there are not two.
    private static func quoted(_ line: ArraySlice<UInt8>) -> String? {
        let mark = UInt8(ascii: "\"")
        guard let start = line.firstIndex(of: mark), let end = line.lastIndex(of: mark), start < end else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in line[line.index(after: start)..<end] {
            if isEscaped {
                text.append(byte == UInt8(ascii: "n") ? 0x0a : byte == UInt8(ascii: "t") ? 0x09 : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
