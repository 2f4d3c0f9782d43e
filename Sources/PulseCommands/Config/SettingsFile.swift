import Foundation
import PulseCore

/// The settings file's JSON5 text (https://spec.json5.org) and the positions of its members, so that one member can be
/// changed while comments, order and style of the rest stay, and an error can name its line.
/// It finds only where members begin and end, and duplicates. `JSONDecoder` decodes the values.
struct SettingsFile {
    private(set) var text: String
    private var members: [Member] = []
    /// The place of the closing brace.
    private var end: String.Index

    private struct Member {
        let name: String
        let isQuoted: Bool
        let start: String.Index
        let value: Range<String.Index>
        /// The position after the comma that follows it; nil: no comma.
        let comma: String.Index?
    }

    /// An error in the text, with its line and column.
    struct Fault: Error {
        let message: Message
    }

    /// - Throws: If the text is not a JSON5 object.
    init(_ text: String) throws(Fault) {
        var scanner = Scanner(text: text, place: text.startIndex)
        self.text = text
        end = text.startIndex
        try scanner.skipBlanks()
        guard scanner.next == "{" else { throw scanner.fault("a “{” is missing") }
        members = try scanner.object()
        end = text.index(before: scanner.place)
        try scanner.skipBlanks()
        if scanner.next != nil { throw scanner.fault("something follows the last “}”") }
    }

    /// The same from the bytes of a file.
    init(_ data: Data) throws(Fault) {
        // Invalid UTF-8 decodes to U+FFFD, which the text before it seldom contains.
        let text = String(decoding: data, as: UTF8.self)
        if String(validating: data, as: UTF8.self) == nil {
            let place = text.firstIndex(of: "\u{fffd}") ?? text.startIndex
            throw Scanner(text: text, place: place).fault("this is not text in UTF-8")
        }
        if text.allSatisfy(\.isWhitespace) { throw Fault(message: "line 1: the file is empty.") }
        try self.init(text)
    }

    /// The line of a member, from 1, by its path: `profiles`, `ana`, `to`; nil if there is none.
    func line(of path: [String]) -> Int? {
        guard let first = path.first, let member = members.first(where: { $0.name == first }) else { return nil }
        guard path.count > 1 else { return Self.line(of: member.start, in: text) }
        guard let inner = try? SettingsFile(String(text[member.value])) else { return nil }
        return inner.line(of: Array(path.dropFirst())).map { $0 - 1 + Self.line(of: member.value.lowerBound, in: text) }
    }

    private static func line(of place: String.Index, in text: String) -> Int {
        text[..<place].count { $0.isNewline } + 1
    }

    // MARK: - Reading

    /// The values of an object's members, as text.
    ///
    /// - Parameter other: The name of a member that is not a setting.
    func values(in path: [String] = [], besides other: String? = nil) throws(Fault) -> [String: [String]] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        var values: [String: [String]] = [:]
        for name in try names(in: path) where name != other {
            let path = path + [name]
            guard let value = value(path), let found = try? decoder.decode(Scalars.self, from: Data(value.utf8)) else {
                let name = path.joined(separator: ".")
                throw Fault(message: "\(linePrefix(path))“\(name)” is not text, a number, true or false.")
            }
            values[name] = found.values
        }
        return values
    }

    /// The member names of an object; empty if there is no such object.
    func names(in path: [String]) throws(Fault) -> [String] {
        guard let value = value(path) else { return [] }
        do {
            return try SettingsFile(String(value)).members.map(\.name)
        } catch {
            let name = path.joined(separator: ".")
            throw Fault(
                message:
                    "\(linePrefix(path))“\(name)” is not like { ana: { to: \"ana@example.org\", language: \"pt\" } }.")
        }
    }

    /// A value as it is written; nil where there is none.
    func value(_ path: [String]) -> Substring? {
        guard let first = path.first else { return text[...] }
        guard let value = members.first(where: { $0.name == first }).map({ text[$0.value] }) else { return nil }
        return path.count == 1 ? value : (try? SettingsFile(String(value)))?.value(Array(path.dropFirst()))
    }

    private func linePrefix(_ path: [String]) -> Message { line(of: path).map { "line \($0): " } ?? "" }

    // MARK: - Changing

    /// Sets a value in place, or appends the setting after the others. A missing enclosing object is added.
    mutating func set(_ path: [String], to value: String) throws(Fault) {
        guard let name = path.first else { return }
        let member = members.first { $0.name == name }
        var value = value
        if path.count > 1 {
            var inner = try SettingsFile(member.map { String(text[$0.value]) } ?? "{}")
            try inner.set(Array(path.dropFirst()), to: value)
            value = inner.text
        }
        if let member {
            text.replaceSubrange(member.value, with: value)
        } else {
            append(name, value)
        }
        self = try SettingsFile(text)
    }

    /// Removes a setting and the comma after it; for the last one, the comma before it. An emptied line is removed,
    /// too; an emptied object stays.
    mutating func remove(_ path: [String]) throws(Fault) {
        guard let name = path.first, let index = members.firstIndex(where: { $0.name == name }) else { return }
        let member = members[index]
        if path.count > 1 {
            var inner = try SettingsFile(String(text[member.value]))
            try inner.remove(Array(path.dropFirst()))
            return try set([name], to: inner.text)
        }
        var gap = member.start..<(member.comma ?? member.value.upperBound)
        let lineStart =
            text[..<gap.lowerBound].lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
        let rest = text[gap.upperBound...]
        let lineEnd = rest.firstIndex(where: \.isNewline) ?? text.endIndex
        let isAlone =
            text[lineStart..<gap.lowerBound].allSatisfy(\.isWhitespace)
            && rest[..<lineEnd].allSatisfy(\.isWhitespace)
        if isAlone, lineEnd < text.endIndex {
            gap = lineStart..<text.index(after: lineEnd)
        } else {
            // The spaces after it go, too; those before it stay.
            while gap.upperBound < text.endIndex, text[gap.upperBound] == " " {
                gap = gap.lowerBound..<text.index(after: gap.upperBound)
            }
        }
        text.removeSubrange(gap)
        // Indices before the gap are still valid.
        if member.comma == nil, index > 0, let comma = members[index - 1].comma {
            text.remove(at: text.index(before: comma))
        }
        self = try SettingsFile(text)
    }

    private mutating func append(_ name: String, _ value: String) {
        let isBare =
            name.allSatisfy { $0.isLetter || $0.isNumber || "_$".contains($0) } && name.first?.isNumber == false
        let isQuoted = members.last?.isQuoted ?? true || !isBare
        let entry = (isQuoted ? "\"\(name)\"" : name) + ": " + value
        guard let last = members.last else {
            let inside = text[text.index(after: text.firstIndex(of: "{") ?? text.startIndex)..<end]
            text.insert(contentsOf: inside.contains(where: \.isNewline) ? "  \(entry)\n" : " \(entry) ", at: end)
            return
        }
        let place = last.comma ?? last.value.upperBound
        let line = text[place..<end].prefix { !$0.isNewline }
        let isLineDone = line.allSatisfy(\.isWhitespace) || line.drop(while: \.isWhitespace).hasPrefix("//")
        if isLineDone, line.endIndex < end {
            let lineStart = text[..<last.start].lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
            let margin = text[lineStart..<last.start].prefix(while: \.isWhitespace)
            text.insert(contentsOf: "\n\(margin)\(entry)" + (last.comma == nil ? "" : ","), at: line.endIndex)
            if last.comma == nil { text.insert(",", at: last.value.upperBound) }
        } else {
            text.insert(contentsOf: (last.comma == nil ? ", " : " ") + entry, at: place)
        }
    }

    // MARK: - Scanning

    private struct Scanner {
        let text: String
        var place: String.Index
        /// Of nested objects and lists.
        var depth = 0

        /// Settings have three levels. Without a limit, the recursion could overflow the stack.
        private static let deepest = 16

        private mutating func descend() throws(Fault) {
            depth += 1
            if depth > Self.deepest { throw fault("settings are not nested as deep as this") }
        }

        var next: Character? { place < text.endIndex ? text[place] : nil }

        /// - Parameter start: Its position; nil: `place`.
        func fault(_ message: Message, at start: String.Index? = nil) -> Fault {
            let before = text[..<(start ?? place)]
            let column = before.count - (before.lastIndex(where: \.isNewline).map { before[...$0].count } ?? 0) + 1
            return Fault(
                message: "line \(SettingsFile.line(of: before.endIndex, in: text)), column \(column): \(message).")
        }

        mutating func advance() { place = text.index(after: place) }

        mutating func take(_ character: Character) -> Bool {
            guard next == character else { return false }
            advance()
            return true
        }

        mutating func skipBlanks() throws(Fault) {
            while let character = next {
                if character.isWhitespace || character == "\u{feff}" {
                    advance()
                } else if text[place...].hasPrefix("//") {
                    while let character = next, !character.isNewline { advance() }
                } else if text[place...].hasPrefix("/*") {
                    let start = place
                    guard let close = text[place...].dropFirst(2).firstRange(of: "*/") else {
                        throw fault("this comment does not end", at: start)
                    }
                    place = close.upperBound
                } else if character == "#" {
                    throw fault("a comment begins with “//” and not with “#”")
                } else {
                    return
                }
            }
        }

        mutating func object() throws(Fault) -> [Member] {
            var members: [Member] = []
            try descend()
            defer { depth -= 1 }
            advance()
            while true {
                try skipBlanks()
                if take("}") { return members }
                let start = place
                let isQuoted = next == "\"" || next == "'"
                let name = try name()
                if members.contains(where: { $0.name == name }) {
                    throw fault("“\(name)” appears here a second time", at: start)
                }
                try skipBlanks()
                guard take(":") else { throw fault("a “:” is missing after “\(name)”") }
                try skipBlanks()
                let from = place
                try skipValue()
                let value = from..<place
                try skipBlanks()
                let hasComma = take(",")
                members.append(
                    Member(name: name, isQuoted: isQuoted, start: start, value: value, comma: hasComma ? place : nil))
                if !hasComma, next != "}" {
                    // Reported where the comma belongs, which is often the line before.
                    throw fault("a “,” or “}” is missing after the value of “\(name)”", at: value.upperBound)
                }
            }
        }

        /// A quoted name, or an identifier.
        mutating func name() throws(Fault) -> String {
            let start = place
            if next == "\"" || next == "'" {
                try skipString()
                return String(text[start..<place].dropFirst().dropLast())
            }
            while let character = next, character.isLetter || character.isNumber || "_$".contains(character) {
                advance()
            }
            guard start < place else {
                throw fault(next == nil ? "a “}” is missing" : "the name of a setting is missing")
            }
            return String(text[start..<place])
        }

        mutating func skipString() throws(Fault) {
            let start = place
            guard let quote = next else { return }
            advance()
            while let character = next, character != quote {
                if character.isNewline { break }
                advance()
                if character == "\\", next != nil { advance() }
            }
            guard take(quote) else { throw fault("this quotation mark is not closed", at: start) }
        }

        mutating func skipValue() throws(Fault) {
            switch next {
            case nil: throw fault("a value is missing")
            case "\"", "'": try skipString()
            case "[": try skipList()
            case "{": _ = try object()
            default:
                let start = place
                while let character = next, character.isLetter || character.isNumber || "+-._".contains(character) {
                    advance()
                }
                let word = text[start..<place]
                guard !word.isEmpty else { throw fault("a value is missing") }
                guard word.first?.isLetter != true || ["true", "false", "null", "Infinity", "NaN"].contains(word) else {
                    throw fault("the text “\(word)” needs quotation marks", at: start)
                }
            }
        }

        private mutating func skipList() throws(Fault) {
            let start = place
            try descend()
            defer { depth -= 1 }
            advance()
            while true {
                try skipBlanks()
                if take("]") { return }
                try skipValue()
                try skipBlanks()
                if !take(","), next != "]" {
                    guard next != nil else { throw fault("this “[” is not closed", at: start) }
                    throw fault("a “,” or “]” is missing")
                }
            }
        }
    }
}

/// A setting's value: a string, a number or a Boolean, or a list of them.
private struct Scalars: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var values: [String] = []
            while !list.isAtEnd { values += try list.decode(Scalars.self).values }
            self.values = values
            return
        }
        let single = try decoder.singleValueContainer()
        if let truth = try? single.decode(Bool.self) {
            values = [String(truth)]
        } else if let whole = try? single.decode(Int.self) {
            values = [String(whole)]
        } else if let number = try? single.decode(Double.self) {
            values = [String(number)]
        } else {
            values = [try single.decode(String.self)]
        }
    }
}
