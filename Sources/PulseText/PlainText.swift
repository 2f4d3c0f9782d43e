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
struct LineBreaks {
    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    private let bytes: UnsafeBufferPointer<UInt8>
    private var output: [UInt8] = []
    /// The words of the text that have hyphens inside, in lower case.
    private lazy var compounds = LineBreaks.compounds(in: bytes)

    /// - Parameter text: tidy: no white space but single spaces, line feeds, and no more than two of these in a row.
    /// - Returns: the text with a space for each line feed that wraps a line, and two line feeds between paragraphs.
    static func resolved(in text: String) -> String {
        let output: [UInt8] = text.withBytes { bytes in
            var breaks = LineBreaks(bytes)
            breaks.resolve()
            return breaks.output
        }
        return String(decoding: output, as: UTF8.self)
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func resolve() {
        output.reserveCapacity(bytes.count + bytes.count / 16)
        var block: [Line] = []
        var index = 0
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: Self.lineFeed) ?? bytes.count
            block.append(bytes[index..<end])
            index = end + 1
            guard index >= bytes.count || bytes[index] == Self.lineFeed else { continue }
            if !output.isEmpty { output.append(contentsOf: [Self.lineFeed, Self.lineFeed]) }
            append(block)
            block.removeAll(keepingCapacity: true)
            index += 1
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let hyphen = UInt8(ascii: "-")

    /// Appends lines that have no blank line between them.
    private mutating func append(_ block: [Line]) {
        guard block.count > 1 else { return output.append(contentsOf: block.joined()) }
        let shape = Shape(of: block)
        var isInItem = Self.isItem(block[0])
        for (line, next) in zip(block, block.dropFirst()) {
            output.append(contentsOf: line)
            let wraps = shape.wraps(line, before: next, isInItem: isInItem)
            if let word = Self.divided(line, next), wraps || shape.mayWrap && word.isLowercase {
                if word.isLowercase, !compounds.contains(word.compound) { output.removeLast() }
            } else if wraps {
                output.append(Self.space)
            } else {
                output.append(contentsOf: [Self.lineFeed, Self.lineFeed])
                isInItem = Self.isItem(next)
            }
        }
        output.append(contentsOf: block[block.count - 1])
    }

    // MARK: - Hyphens

    /// The word that a hyphen divides at the end of a line, with the hyphen and in lower case; nil if there is none.
    /// `isLowercase`: it was written in lower case around the hyphen, which may then only mark the line's end.
    private static func divided(_ line: Line, _ next: Line) -> (compound: String, isLowercase: Bool)? {
        guard line.last == hyphen else { return nil }
        let text = String(decoding: line.suffix(40), as: UTF8.self).dropLast()
        let rest = String(decoding: next.prefix(40), as: UTF8.self).prefix { $0.isAlphabetic }
        // “Haupt- und Nebenstraßen” has a space after the hyphen.
        guard let last = text.last, last.isAlphabetic || last.isNumeric, let first = rest.first,
            !["and", "or", "to", "und", "oder", "bis", "y", "e", "o", "ou", "et"].contains(rest)
        else { return nil }
        let front = text.split { !isCompounded($0) }.last ?? ""
        return ((front + "-" + rest).lowercased(), last.isLowercase && first.isLowercase)
    }

    private static func compounds(in bytes: UnsafeBufferPointer<UInt8>) -> Set<String> {
        var compounds: Set<String> = []
        for word in bytes.split(whereSeparator: { $0 == space || $0 == lineFeed }) where word.contains(hyphen) {
            let parts = String(decoding: word, as: UTF8.self).lowercased().split { !isCompounded($0) }
            compounds.formUnion(parts.map { String($0) })
        }
        return compounds
    }

    private static func isCompounded(_ character: Character) -> Bool {
        character == "-" || character.isAlphabetic || character.isNumeric
    }

    // MARK: - Wrapped lines

    /// The width at which the lines of a block may be wrapped, and whether they are prose.
    private struct Shape {
        /// Columns at which mail and text files are usually wrapped.
        private static let widths = 40...120
        /// Columns of lines that may be wrapped, if they read as prose: those of newspapers are short.
        private static let proseWidths = 24...120

        /// The longest line, in columns and in bytes: some programs wrap by bytes.
        private let columns: Int
        private let bytes: Int
        /// Whether sentences run over the ends of full lines, unlike in a list, poem or address.
        private var isProse = false

        var mayWrap: Bool { Self.proseWidths.contains(columns) }

        init(of block: [Line]) {
            // A line of one word may be a long URL, which no width would wrap.
            let lines = block.filter { $0.contains(space) }
            columns = lines.map(LineBreaks.columns).max() ?? 0
            bytes = lines.map(\.count).max() ?? 0
            guard mayWrap, let last = block.last, Self.isClosed(last) else { return }
            let open = zip(block, block.dropFirst()).filter { !Self.isClosed($0.0) }
            let full = max(
                open.count(where: { $0.0.last == hyphen || isFull($0.0, before: $0.1) }),
                open.count(where: { $0.0.last == hyphen || isFullOfBytes($0.0, before: $0.1) }))
            let running = open.count(where: { Self.goesOn($0.1) || Self.endsInSmallWord($0.0) })
            // Verses end where phrases do.
            let phrases = open.count(where: { ",;:".utf8.contains($0.0.last ?? space) })
            isProse =
                !open.isEmpty && full * 3 >= open.count * 2 && running * 2 >= open.count && phrases * 2 <= open.count
        }

        /// Whether a line break only wraps: the next line's first word had no room on this line, and does not begin a
        /// list item.
        func wraps(_ line: Line, before next: Line, isInItem: Bool) -> Bool {
            let end = String(decoding: line.suffix(40), as: UTF8.self)
            if Sentences.endsInTitle(end) { return true }
            guard isProse || Self.widths.contains(columns), !isItem(next, after: line, isInItem: isInItem),
                isFull(line, before: next) || isProse && (isFullOfBytes(line, before: next) || Self.goesOn(next))
            else { return false }
            // A full stop at the end of a line ends the paragraph, unless it belongs to an abbreviation.
            guard let last = end.last, last.isPunctuation else { return true }
            let text = end + " " + String(decoding: next.prefix(40), as: UTF8.self)
            return !Sentences.ranges(in: text).contains { text[..<$0.upperBound].utf8.count == end.utf8.count }
        }

        private func isFull(_ line: Line, before next: Line) -> Bool {
            LineBreaks.columns(line) + 1 + LineBreaks.columns(next.prefix { $0 != space }) > columns
        }

        private func isFullOfBytes(_ line: Line, before next: Line) -> Bool {
            line.count + 1 + next.prefix { $0 != space }.count > bytes
        }

        private static func goesOn(_ line: Line) -> Bool {
            String(decoding: line.prefix(4), as: UTF8.self).first?.isLowercase == true
        }

        private static func endsInSmallWord(_ line: Line) -> Bool {
            let end = String(decoding: line.suffix(20), as: UTF8.self)
            return end.split(separator: " ").last.map { smallWords.contains(String($0)) } == true
        }

        private static let smallWords = EmbeddedLists.words(PackageResources.small_words_txt).values
            .reduce(into: Set<String>()) { $0.formUnion($1) }

        private static func isClosed(_ line: Line) -> Bool {
            Sentences.isClosed(String(decoding: line.suffix(40), as: UTF8.self))
        }

        /// Within a sentence of prose, and in “from 10 - 12”, a number or a dash only happens to begin a line.
        private func isItem(_ next: Line, after line: Line, isInItem: Bool) -> Bool {
            guard LineBreaks.isItem(next) else { return false }
            let isRange = next.starts(with: "- ".utf8) && next.dropFirst(2).first?.isASCIIDigit == true
            if isRange, line.last?.isASCIIDigit == true { return false }
            return !isProse || isInItem || line.last == UInt8(ascii: ":") || Self.isClosed(line)
        }
    }

    /// Whether a line begins with a list item's marker: “-”, “•”, “2.”, “3)”.
    private static func isItem(_ line: Line) -> Bool {
        let word = line.prefix { $0 != space }
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
