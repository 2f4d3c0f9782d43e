/// Text that is safe to keep, to prompt with and to print: no terminal escape, no invisible or direction-changing
/// character, no line break where a line is meant. Everything that comes from outside passes here once on its way in,
/// and what a model writes passes here on its way out.
public enum PlainText {
    /// One line: escape sequences go, control characters and line breaks become spaces, runs of white space become one,
    /// the ends are trimmed.
    public static func line(_ text: String) -> String { Tidying.run(text, keepsLines: false).text }

    /// The line's front with an ellipsis where it has more characters or bytes than this: for names and titles, and for
    /// words from outside in a message.
    public static func line(_ text: String, limit: Int, bytes: Int = .max) -> String {
        let line = line(text)
        if line.utf8.count <= min(limit, bytes) { return line }
        let end = line.index(line.startIndex, offsetBy: limit, limitedBy: line.endIndex)
        if line.utf8.count <= bytes, end ?? line.endIndex == line.endIndex { return line }
        var front = line.prefix(max(0, limit - 1))
        while front.utf8.count > max(0, bytes - "…".utf8.count) { front.removeLast() }
        if front.last == " " { front.removeLast() }
        return front + "…"
    }

    /// Paragraphs: each tidied as a line, empty ones dropped, one blank line between them. A single line break parts two
    /// of them as well, unless it only wraps a line: see `LineBreaks`.
    public static func paragraphs(_ text: String) -> String {
        let tidy = Tidying.run(text, keepsLines: true)
        return tidy.hasLines ? LineBreaks.settled(in: tidy.text) : tidy.text
    }

    /// True for what a terminal, a mail client or a reader's eye must never be handed: C0 and C1 controls but the
    /// line feed (ECMA-48), bidirectional overrides and isolates, tags, zero-width characters, noncharacters.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && (isControl(scalar) || isDropped(scalar))
    }

    /// The text without its unsafe characters; line feeds stay.
    public static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20...0x7e ~= $0 || $0 == 0x0a }) { return text }
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isUnsafe($0) }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }

    /// More than any orthography puts on a letter.
    static let mostMarks = 6

    /// What combines with the character before it, or joins two: marks, variation selectors and joiners.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Letters that most texts are written in, and no marks among them, need no table.
        case ..<0x300, 0x370..<0x483, 0x3400..<0xa000, 0xac00..<0xd7a4: return false
        case 0x200c, 0x200d: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Invisible characters that carry no text of their own: soft hyphens, fillers, overrides, tags and the variation
    /// selectors that only hidden text has a use for. The zero-width joiner and non-joiner stay: emoji and
    /// several scripts are spelled with them.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180f, 0x200b, 0x3164, 0xffa0, 0x200e,
            0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfeff,
            0xfe00...0xfe0e, 0xfff9...0xfffb, 0xfdd0...0xfdef, 0xe0000...0xe01ef:
            true
        default:
            scalar.value & 0xfffe == 0xfffe
        }
    }
}
