import PulseText

/// Why a chat template cannot be used, in a few words.
struct TemplateFault: Error, Hashable {
    var words: String

    /// - Parameter words: may quote the template, and is shortened.
    init(_ words: String) { self.words = String(words.unicodeScalars.prefix(300)) }
}

enum TemplateToken: Hashable {
    case text(String)
    case outputBegin, outputEnd
    case tagBegin, tagEnd
    case name(String)
    case string(String)
    case integer(Int)
    case real(Double)
    case symbol(String)
}

/// Tokenises a template as Jinja does with Hugging Face's options: `trim_blocks` (removes a line feed after a tag) and
/// `lstrip_blocks` (removes white space before a tag at the beginning of a line).
struct TemplateLexer {
    private let source: [UInt8]
    private var position = 0
    private var tokens: [TemplateToken] = []
    /// Whether the last character ended a line.
    private var isAtLineStart = true

    /// In bytes. The largest template of llama.cpp's collection has 17 kB.
    private static let largestSource = 256 << 10
    /// In bytes. A name is looked up in one step.
    private static let longestName = 100

    static func tokens(of source: String) throws -> [TemplateToken] {
        guard source.utf8.count <= largestSource else { throw TemplateFault("it is longer than 256 KiB") }
        var lexer = TemplateLexer(source)
        try lexer.readAll()
        return lexer.tokens
    }

    private init(_ text: String) {
        var bytes: [UInt8] = []
        var last: UInt8 = 0
        for byte in text.utf8 {
            // All line endings count as line feeds.
            if !(byte == 0x0a && last == 0x0d) { bytes.append(byte == 0x0d ? 0x0a : byte) }
            last = byte
        }
        if bytes.last == 0x0a { bytes.removeLast() }
        source = bytes
    }

    private mutating func readAll() throws {
        var start = 0
        while position < source.count {
            guard source[position] == UInt8(ascii: "{"), position + 1 < source.count,
                let kind = Delimiter(rawValue: source[position + 1])
            else {
                position += 1
                continue
            }
            var end = position
            position += 2
            switch peek {
            case UInt8(ascii: "-"):
                while end > start, source[end - 1].isASCIISpace { end -= 1 }
                position += 1
            case UInt8(ascii: "+"): position += 1
            default: if kind != .output { end = endWithoutIndent(from: start, to: end) }
            }
            add(text: start..<end)
            switch kind {
            case .comment: try skipComment()
            case .output: try readInside(.outputBegin, end: .outputEnd, mark: UInt8(ascii: "}"))
            case .tag: try readInside(.tagBegin, end: .tagEnd, mark: UInt8(ascii: "%"))
            }
            start = position
            isAtLineStart = position > 0 && source[position - 1] == 0x0a
        }
        add(text: start..<source.count)
    }

    private enum Delimiter: UInt8 {
        case output = 0x7b  // {
        case tag = 0x25  // %
        case comment = 0x23  // #
    }

    private func endWithoutIndent(from start: Int, to end: Int) -> Int {
        var line = end
        while line > start, source[line - 1] != 0x0a {
            guard source[line - 1].isASCIISpace else { return end }
            line -= 1
        }
        return line > start || isAtLineStart ? line : end
    }

    private mutating func add(text range: Range<Int>) {
        if !range.isEmpty { tokens.append(.text(String(decoding: source[range], as: UTF8.self))) }
    }

    private mutating func skipComment() throws {
        while position + 1 < source.count {
            if source[position] == UInt8(ascii: "#"), source[position + 1] == UInt8(ascii: "}") {
                let mark = source[position - 1]
                position += 2
                skipAfterTag(mark)
                return
            }
            position += 1
        }
        throw TemplateFault("a comment does not end")
    }

    /// Removes white space after a tag that ends with this sign.
    private mutating func skipAfterTag(_ sign: UInt8, isOutput: Bool = false) {
        if sign == UInt8(ascii: "-") {
            while position < source.count, source[position].isASCIISpace { position += 1 }
        } else if sign != UInt8(ascii: "+"), !isOutput, peek == 0x0a {
            position += 1
        }
    }

    // MARK: - Inside a tag

    private mutating func readInside(_ begin: TemplateToken, end: TemplateToken, mark: UInt8) throws {
        tokens.append(begin)
        var brackets = 0
        while let byte = peek {
            if brackets == 0 {
                let sign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") ? byte : 0
                let at = position + (sign == 0 ? 0 : 1)
                if at + 1 < source.count, source[at] == mark, source[at + 1] == UInt8(ascii: "}") {
                    position = at + 2
                    tokens.append(end)
                    skipAfterTag(sign, isOutput: end == .outputEnd)
                    return
                }
            }
            if byte.isASCIISpace {
                position += 1
            } else if Self.isNameStart(byte) {
                let start = position
                while let next = peek, Self.isNameStart(next) || next.isASCIIDigit { position += 1 }
                guard position - start <= Self.longestName else { throw TemplateFault("a name is too long") }
                tokens.append(.name(String(decoding: source[start..<position], as: UTF8.self)))
            } else if byte.isASCIIDigit {
                try readNumber()
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                try readString(byte)
            } else {
                let symbol = try readSymbol()
                if ["(", "[", "{"].contains(symbol) { brackets += 1 }
                if [")", "]", "}"].contains(symbol) { brackets -= 1 }
                tokens.append(.symbol(symbol))
            }
        }
        throw TemplateFault("a tag does not end")
    }

    private static let symbols = [
        "==", "!=", "<=", ">=", "//", "**", "+", "-", "*", "/", "%", "~", "<", ">", "=", "(", ")", "[", "]", "{", "}",
        ".", ",", ":", "|",
    ]

    private mutating func readSymbol() throws -> String {
        for symbol in Self.symbols where source[position...].starts(with: symbol.utf8) {
            position += symbol.utf8.count
            return symbol
        }
        throw TemplateFault("“\(Character(Unicode.Scalar(source[position])))” stands in a tag")
    }

    private mutating func readNumber() throws {
        let start = position
        func digits(_ lexer: inout Self) {
            while let next = lexer.peek, next.isASCIIDigit || next == UInt8(ascii: "_") { lexer.position += 1 }
        }
        digits(&self)
        var isReal = false
        if peek == UInt8(ascii: "."), position + 1 < source.count, source[position + 1].isASCIIDigit {
            isReal = true
            position += 1
            digits(&self)
        }
        let text = String(decoding: source[start..<position].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        if isReal, let number = Double(text) {
            tokens.append(.real(number))
        } else if let number = Int(text) {
            tokens.append(.integer(number))
        } else {
            throw TemplateFault("the number \(text) is too large")
        }
    }

    /// A string literal, with Python's escapes.
    private mutating func readString(_ quote: UInt8) throws {
        var bytes: [UInt8] = []
        position += 1
        while let byte = peek {
            position += 1
            if byte == quote {
                tokens.append(.string(String(decoding: bytes, as: UTF8.self)))
                return
            }
            guard byte == UInt8(ascii: "\\"), let escaped = peek else {
                bytes.append(byte)
                continue
            }
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): bytes.append(0x0a)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "r"): bytes.append(0x0d)
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): bytes.append(escaped)
            case 0x0a: break
            case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
                let length = escaped == UInt8(ascii: "x") ? 2 : escaped == UInt8(ascii: "u") ? 4 : 8
                let digits = String(decoding: source[position...].prefix(length), as: UTF8.self)
                guard digits.utf8.count == length, let number = UInt32(digits, radix: 16),
                    let scalar = Unicode.Scalar(number)
                else { throw TemplateFault("a string has a broken escape") }
                bytes += Array(String(scalar).utf8)
                position += length
            default: bytes += [byte, escaped]
            }
        }
        throw TemplateFault("a string does not end")
    }

    private var peek: UInt8? { position < source.count ? source[position] : nil }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte.isASCIILetter || byte >= 0x80
    }
}
