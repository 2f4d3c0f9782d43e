import Foundation
import Synchronization

/// What the program says, in one language: a file in gettext's format, `es.po`, that is read when something is to be
/// said. Where it is missing, damaged or without a message, that is said in English.
public final class Catalogue: Sendable, Hashable {
    public static let english = Catalogue(path: nil, locale: "en")

    private let path: String?
    /// By which numbers are written, as Unicode's CLDR names it.
    let locale: String
    private let entries = Mutex<[String: String]?>(nil)

    private init(path: String?, locale: String) {
        self.path = path
        self.locale = locale
    }

    /// - Parameters:
    ///   - language: One that nobody has translated the program into is said in English.
    ///   - folder: Holds `es.po`; nil: there is none.
    public static func of(_ language: Language, in folder: String?) -> Catalogue {
        guard language != .english, language != .french, let folder else { return .english }
        return Catalogue(path: "\(folder)/\(language.rawValue).po", locale: language.locale)
    }

    public static func == (left: Catalogue, right: Catalogue) -> Bool { left.path == right.path }
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// The translation of an English pattern; nil where there is none.
    subscript(pattern: String) -> String? {
        guard let path else { return nil }
        return entries.withLock { entries in
            if let entries { return entries[pattern] }
            let read = Catalogue.entries(
                String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self))
            entries = read
            return read[pattern]
        }
    }

    /// The translated messages of a file, by their English patterns. Those that their translator was not sure of are
    /// marked as fuzzy, and left out.
    package static func entries(_ file: String) -> [String: String] {
        var entries: [String: String] = [:]
        var (pattern, words, isFuzzy, isInWords) = ("", "", false, false)
        func finish() {
            if !pattern.isEmpty, !words.isEmpty, !isFuzzy { entries[pattern] = words }
            (pattern, words, isFuzzy, isInWords) = ("", "", false, false)
        }
        for line in file.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#") {
                if isInWords { finish() }
                if line.hasPrefix("#,"), line.contains("fuzzy") { isFuzzy = true }
                continue
            }
            if line.hasPrefix("msgid") {
                if isInWords { finish() }
            } else if line.hasPrefix("msgstr") {
                isInWords = true
            } else if !line.hasPrefix("\"") {
                continue
            }
            guard let text = quoted(line) else { continue }
            if isInWords { words += text } else { pattern += text }
        }
        finish()
        return entries
    }

    /// What stands between a line's first and last quotation mark; nil where it has not two.
    private static func quoted(_ line: Substring) -> String? {
        guard let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""), start < end else { return nil }
        var text = ""
        var isEscaped = false
        for character in line[line.index(after: start)..<end] {
            if isEscaped {
                text.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
