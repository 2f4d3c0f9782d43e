/// What the program itself puts between two sentences it copied. The model never writes it.
enum SentenceSeam {
    /// A space; nothing in scripts that write none; and a full stop first where the sentence before had no mark at
    /// its end, as a headline has none.
    static func between(_ before: String, _ after: Unicode.Scalar?) -> String {
        let closing = closing(of: before)
        let isSpaceless = closing.map(isSpaceless) == true || after.map(isSpaceless) == true
        if closing.map(marks.contains) == true { return isSpaceless ? "" : " " }
        return isSpaceless ? "。" : ". "
    }

    /// Whether a text ends as a sentence does. An ellipsis may as well be where it was cut.
    static func isClosed(_ text: String) -> Bool {
        !text.hasSuffix("...") && closing(of: text).map { marks.contains($0) && $0 != "…" } == true
    }

    /// The last character but for the quotes and brackets that close with it.
    private static func closing(of text: String) -> Unicode.Scalar? {
        text.unicodeScalars.last { !closers.contains($0) }
    }

    private static let marks = Set("!?.…؟‽。！？｡।॥۔።။".unicodeScalars)
    private static let closers = Set("\"'”’»)]›」』）".unicodeScalars)

    /// Ideographs, kana and their punctuation.
    private static func isSpaceless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0xff01...0xff65, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
