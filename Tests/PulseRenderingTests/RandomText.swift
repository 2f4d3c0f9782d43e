import PulseTestSupport

/// Texts of all that is hard: the same for the same seed.
enum RandomText {
    private static let pieces: [String] = [
        "a", "Z", "0", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", ".", ",", "=", "?", "=?", "?=", "_", "-", "--", "<",
        ">", "&", "\"", "'", "`", "[", "]", "(", ")", "|", "*", "#", "~", "!", "\\", "/", ":", "@", "+", "1. ", "From ",
        "é", "ã", "ß", "東", "京", "ع", "م", "א", "🎉", "👩🏽‍🚀", "🇧🇷", "e\u{301}", "\u{0}", "\u{7}", "\u{1b}[31m", "\u{85}",
        "\u{2028}", "\u{202e}", "\u{feff}", "</p>", "<script>alert(1)</script>", "&amp;", "]]>", "-->", "javascript:x",
        "http://example.org/", "Bcc: x@example.org", "word", "another word",
    ]

    static func make(seed: Int, length: Int) -> String {
        var generator = SplitMix(seed: UInt64(seed))
        let count = Int.random(in: 0...length, using: &generator)
        return (0..<count).map { _ in
            // Now and then any scalar at all.
            if Int.random(in: 0..<8, using: &generator) == 0,
                let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator))
            {
                return String(scalar)
            }
            return pieces.randomElement(using: &generator) ?? ""
        }.joined()
    }
}
