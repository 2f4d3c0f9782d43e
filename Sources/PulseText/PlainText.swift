/// Text that is safe to store, to put into a prompt and to print: no terminal escapes, no invisible characters, none
/// that change the writing direction, and no line breaks in what should be one line. All input from outside and all
/// output of models is cleaned here.
public enum PlainText {
    /// One line: escape sequences are removed, control characters and line breaks become spaces, runs of white space
    /// become one, the ends are trimmed.
    public static func line(_ text: String) -> String { Tidying.run(text, keepsLines: false).text }

    /// One line of at most `limit` characters and `bytes` bytes, with an ellipsis where it was cut: for names and
    /// titles, and for text from outside in a message.
    public static func line(_ text: String, limit: Int, bytes: Int = .max) -> String {
        cut(line(text), limit: limit, bytes: bytes)
    }

    /// Shortens what `line` returned.
    public static func cut(_ line: String, limit: Int, bytes: Int = .max) -> String {
        if line.utf8.count <= min(limit, bytes) { return line }
        let end = line.index(line.startIndex, offsetBy: limit, limitedBy: line.endIndex)
        if line.utf8.count <= bytes, end ?? line.endIndex == line.endIndex { return line }
        var front = line.prefix(max(0, limit - 1))
        while front.utf8.count > max(0, bytes - "…".utf8.count) { front.removeLast() }
        if front.last == " " { front.removeLast() }
        return front + "…"
    }

    /// Paragraphs: each is tidied as a line, empty ones are dropped, and a blank line separates them. A single line
    /// break also begins a new paragraph, unless it only wraps a line: see `LineBreaks`.
    public static func paragraphs(_ text: String) -> String {
        let tidy = Tidying.run(text, keepsLines: true)
        return tidy.hasLines ? LineBreaks.resolved(in: tidy.text) : tidy.text
    }

    /// Whether a scalar must never reach a terminal, a mail client or a reader: C0 and C1 controls except the line feed
    /// (ECMA-48), bidirectional overrides and isolates, tags, zero-width characters, noncharacters.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && (scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || isDropped(scalar))
    }

    /// The text without its unsafe characters; line feeds stay.
    public static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20...0x7e ~= $0 || $0 == 0x0a }) { return text }
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isUnsafe($0) }))
    }

    /// The text with `&`, `<`, `>` and quotation marks as entities, for HTML and XML content and quoted attribute
    /// values.
    public static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Combining marks per letter; no orthography uses more.
    static let mostMarks = 6

    /// Marks, variation selectors and joiners: scalars that combine with the character before them, or join two.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The letters of most texts are in these ranges, which hold no marks, so no table lookup is needed.
        case ..<0x300, 0x370..<0x483, 0x3400..<0xa000, 0xac00..<0xd7a4: return false
        case 0x200c, 0x200d: return true
        default: break
        }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    /// Invisible characters without text of their own: soft hyphens, fillers, overrides, tags, and the variation
    /// selectors that only hidden text uses. The zero-width joiner and non-joiner stay, because emoji and several
    /// scripts need them.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180f, 0x200b, 0x3164, 0xffa0, 0x200e,
            0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfeff, 0xfe00...0xfe0e, 0xfff9...0xfffb, 0xfdd0...0xfdef,
            0xe0000...0xe01ef:
            true
        default: scalar.value & 0xfffe == 0xfffe
        }
    }
}

/// Distinguishes line breaks between paragraphs from those that only wrap a long line.
enum LineBreaks {
    /// Columns at which mail and text files are usually wrapped.
    private static let widths = 40...120

    /// - Parameter text: tidy: no white space but single spaces, line feeds, and no more than two of these in a row.
    /// - Returns: the text with a space for each line feed that wraps a line, and two line feeds between paragraphs.
    static func resolved(in text: String) -> String {
        let output: [UInt8] = text.withBytes { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count + bytes.count / 16)
            var block: [Range<Int>] = []
            var index = 0
            while index < bytes.count {
                let end = bytes[index...].firstIndex(of: lineFeed) ?? bytes.count
                block.append(index..<end)
                index = end + 1
                guard index >= bytes.count || bytes[index] == lineFeed else { continue }
                if !output.isEmpty { output.append(contentsOf: [lineFeed, lineFeed]) }
                append(block, of: bytes, to: &output)
                block.removeAll(keepingCapacity: true)
                index += 1
            }
            return output
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    /// Appends lines that have no blank line between them.
    private static func append(_ block: [Range<Int>], of bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        // A line of one word may be a long URL, which no width would wrap.
        let widest = block.lazy.filter { bytes[$0].contains(space) }.map { columns(bytes[$0]) }.max() ?? 0
        for (number, line) in block.enumerated() {
            output.append(contentsOf: bytes[line])
            guard number + 1 < block.count else { return }
            let next = bytes[block[number + 1]]
            if widths.contains(widest), wraps(bytes[line], before: next, at: widest) {
                output.append(space)
            } else {
                output.append(contentsOf: [lineFeed, lineFeed])
            }
        }
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Whether a line break only wraps: the next line's first word had no room on this line, and does not begin a list
    /// item.
    private static func wraps(_ line: Line, before next: Line, at width: Int) -> Bool {
        let word = next.prefix { $0 != space }
        guard columns(line) + 1 + columns(word) > width, !isItem(word) else { return false }
        // A full stop at the end of a line ends the paragraph, unless it belongs to an abbreviation.
        let end = String(decoding: line.suffix(40), as: UTF8.self)
        guard let last = end.last, last.isPunctuation else { return true }
        return Sentences.ranges(in: end + " " + String(decoding: next.prefix(40), as: UTF8.self)).count
            == Sentences.ranges(in: end).count
    }

    /// A list item's marker: “-”, “•”, “2.”, “3)”.
    private static func isItem(_ word: Line) -> Bool {
        if ["-", "*", "•", "·", "▪", "‣", "◦"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
        guard let last = word.last, last == UInt8(ascii: ".") || last == UInt8(ascii: ")") else { return false }
        return 2...3 ~= word.count && word.dropLast().allSatisfy(\.isASCIIDigit)
    }

    /// The width of a line in terminal columns: East Asian letters take two. Combining marks are counted too, as they
    /// are few.
    private static func columns(_ line: Line) -> Int {
        line.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : $1 >= 0xe3 ? 2 : 1) }
    }
}

/// A word as a POSIX shell reads it: XCU, 2.2.
public enum ShellWord {
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_./:=@,+".utf8.contains($0) }
        if isPlain, !word.isEmpty { return word }
        // By scalars: an apostrophe with a combining mark on it still ends the shell's quotation.
        var quoted = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }
}
