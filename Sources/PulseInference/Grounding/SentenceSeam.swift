/// What the program itself puts between two sentences it copied. The model never writes it.
enum SentenceSeam {
    /// A space; nothing in scripts that write none; and a full stop first where the sentence before had no mark at
    /// its end, as a headline has none.
    static func between(_ before: String, _ after: Unicode.Scalar?) -> String {
        let closing = before.unicodeScalars.last { !closers.contains($0) }
        if let closing, isSpaceless(closing) || after.map(isSpaceless) == true {
            return marks.contains(closing) ? "" : "。"
        }
        return closing.map(marks.contains) == true ? " " : ". "
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
