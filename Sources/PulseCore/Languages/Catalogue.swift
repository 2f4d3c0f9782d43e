import Foundation
import Synchronization

/// The program's messages in one language: a gettext catalogue such as `es.po`, read on first use. A message is English
/// where the file is missing or damaged, or lacks it.
public final class Catalogue: Sendable, Hashable {
    public static let english = Catalogue(paths: [], locale: "en")

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
    ///   - folder: The folder that holds `es.po`; nil where there is none.
    public static func of(_ language: Language, in folder: String?) -> Catalogue {
        guard language != .english, language != .french, let folder else { return .english }
        // As in gettext, pt-PT falls back on pt.
        let names = language.rawValue == language.code ? [language.code] : [language.code, language.rawValue]
        return Catalogue(paths: names.map { "\(folder)/\($0).po" }, locale: language.locale)
    }

    public static func == (left: Catalogue, right: Catalogue) -> Bool { left.paths == right.paths }
    public func hash(into hasher: inout Hasher) { hasher.combine(paths) }

    /// The translation of an English pattern; nil where there is none.
    subscript(pattern: String) -> String? {
        guard !paths.isEmpty else { return nil }
        return entries.withLock { entries in
            if let entries { return entries[pattern] }
            let read = paths.reduce(into: [:]) { read, path in
                read.merge(Catalogue.entries(FileManager.default.contents(atPath: path).map(Array.init) ?? [])) { $1 }
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

    /// The text between a line's first and last quotation mark, unescaped; nil where there are not two.
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
