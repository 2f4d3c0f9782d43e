/// The string literals of a Swift source, as catalogues would know them: concatenated ones are one, and
/// interpolations are numbered places.
struct SourceLiteral {
    let pattern: String
    /// The code between the literal before it and this one.
    let before: String

    static func all(in source: String) -> [SourceLiteral] {
        var scanner = Scanner(bytes: Array(source.utf8)[...])
        return literals(scanner.tokens())
    }

    private static func literals(_ tokens: [Token]) -> [SourceLiteral] {
        var found: [SourceLiteral] = []
        var index = 0
        var isSecondForm = false
        while index < tokens.count {
            guard case .literal(var words, var codes) = tokens[index] else {
                index += 1
                continue
            }
            var before = ""
            if index > 0, case .code(let code) = tokens[index - 1] { before = code }
            while index + 2 < tokens.count, case .code(let code) = tokens[index + 1], code.filter({ $0 != " " }) == "+",
                case .literal(let more, let others) = tokens[index + 2]
            {
                words += more
                codes += others
                index += 2
            }
            // `Counted.text(number, "article", "articles")` stands for a number and a noun.
            let isFirstForm = before.firstMatch(of: /Counted\.text\([^"]*, $/) != nil
            let isCounted = isFirstForm || isSecondForm && before.filter { $0 != " " } == ","
            isSecondForm = isFirstForm
            var number = 0
            let pattern = words.reduce(into: isCounted ? "%1$@ " : "") { pattern, word in
                if word == nil { number += 1 }
                pattern += word ?? "%\(number)$@"
            }
            found.append(SourceLiteral(pattern: pattern, before: before))
            for code in codes {
                var inner = Scanner(bytes: code)
                found += literals(inner.tokens())
            }
            index += 1
        }
        return found
    }

    private enum Token {
        /// Without comments, and with one space for any white space.
        case code(String)
        /// Nil stands for an interpolation; beside it the code of each.
        case literal([String?], [ArraySlice<UInt8>])
    }

    private struct Scanner {
        var bytes: ArraySlice<UInt8>

        mutating func tokens() -> [Token] {
            var tokens: [Token] = []
            var code = ""
            while let byte = bytes.first {
                if starts("//") {
                    bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
                } else if starts("#/") {
                    skip(past: "/#")
                } else if starts("\"") || starts("#\"") {
                    tokens.append(.code(code))
                    code = ""
                    tokens.append(literal())
                } else {
                    let isBlank = byte == 0x20 || byte == 0x0a
                    if !isBlank || code.last != " " { code.unicodeScalars.append(isBlank ? " " : Unicode.Scalar(byte)) }
                    bytes = bytes.dropFirst()
                }
            }
            return tokens + [.code(code)]
        }

        private func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

        private mutating func skip(past end: String) {
            bytes = bytes.dropFirst(2)
            while !bytes.isEmpty, !starts(end) { bytes = bytes.dropFirst() }
            bytes = bytes.dropFirst(end.utf8.count)
        }

        private mutating func literal() -> Token {
            let isRaw = starts("#")
            if isRaw { bytes = bytes.dropFirst() }
            let isLong = starts("\"\"\"")
            let end = (isLong ? "\"\"\"" : "\"") + (isRaw ? "#" : "")
            bytes = bytes.dropFirst(isLong ? 3 : 1)
            var words: [String?] = []
            var codes: [ArraySlice<UInt8>] = []
            var text: [UInt8] = []
            func word() -> String { String(decoding: text, as: UTF8.self) }
            while let byte = bytes.first, !starts(end) {
                bytes = bytes.dropFirst()
                guard byte == UInt8(ascii: "\\"), !isRaw, let escaped = bytes.first else {
                    text.append(byte)
                    continue
                }
                bytes = bytes.dropFirst()
                switch escaped {
                case UInt8(ascii: "("):
                    words += [word(), nil]
                    text = []
                    codes.append(interpolation())
                case UInt8(ascii: "n"): text.append(0x0a)
                case UInt8(ascii: "u"):
                    let digits = bytes.dropFirst().prefix { $0 != UInt8(ascii: "}") }
                    let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
                    text += Array((scalar.map(String.init) ?? "").utf8)
                    bytes = bytes[digits.endIndex...].dropFirst()
                // The line goes on.
                case 0x0a: text.append(0)
                default: text.append(escaped)
                }
            }
            bytes = bytes.dropFirst(end.utf8.count)
            words.append(word())
            return .literal(isLong ? SourceLiteral.unindented(words) : words, codes)
        }

        private mutating func interpolation() -> ArraySlice<UInt8> {
            let start = bytes
            var depth = 1
            while let byte = bytes.first {
                if byte == UInt8(ascii: "\"") {
                    _ = literal()
                    continue
                }
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                bytes = bytes.dropFirst()
                if depth == 0 { break }
            }
            return start[..<bytes.startIndex].dropLast()
        }
    }

    /// What a literal of several lines says, whose last line is as far indented as the text is.
    private static func unindented(_ words: [String?]) -> [String?] {
        let margin = (words.last ?? nil)?.reversed().prefix { $0 == " " }.count ?? 0
        var whole = words.map { $0 ?? "\u{1}" }.joined()
        whole = String(whole.dropFirst().dropLast(margin + 1))
        let lines = whole.replacing("\0", with: "\0\n").split(separator: "\n", omittingEmptySubsequences: false)
        whole = lines.map { $0.hasPrefix(String(repeating: " ", count: margin)) ? $0.dropFirst(margin) : $0 }
            .joined(separator: "\n").replacing("\0\n", with: "")
        let parts = whole.split(separator: "\u{1}", omittingEmptySubsequences: false).map(String.init)
        return Array(parts.map { [$0] as [String?] }.joined(separator: [nil]))
    }
}
