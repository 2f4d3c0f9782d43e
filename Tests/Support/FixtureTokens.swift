/// The vocabulary of the fixture model: the 256 bytes, some longer tokens, and the markers of the chat template it is
/// given.
struct FixtureTokens {
    var texts: [String]
    var types: [Int32]
    /// For GPT-2's kind: the pairs that merge, in order.
    var merges: [String] = []
    /// For SentencePiece's kind: the higher a token's score, the sooner it is made.
    var scores: [Float]?
    /// The token that ends the model's turn, if it has one.
    var end: Int32?
    /// The tokens of the script, in order.
    let script: Range<Int>

    /// `enum llama_token_type` in llama.h.
    private static let normal: Int32 = 1
    private static let unknown: Int32 = 2
    private static let control: Int32 = 3
    private static let byte: Int32 = 6

    /// Merges that make some tokens longer than a byte: with and without their leading space ("Ġ").
    private static let pairs = [
        ("t", "h"), ("Ġ", "t"), ("Ġt", "he"), ("i", "n"), ("e", "r"), ("a", "n"), ("Ġ", "a"), ("h", "e"), ("Ġ", "s"),
        ("o", "n"), ("o", "u"), (".", "Ċ"), ("Ċ", "Ċ"),
    ]

    init(template: FixtureModel.Template, hasEnd: Bool, isSentencePiece: Bool, script: String = "") {
        if isSentencePiece {
            texts = ["<unk>"] + (0...255).map { "<0x" + Self.hexadecimal(UInt8($0)) + ">" }
            types = [Self.unknown] + Array(repeating: Self.byte, count: 256)
            let letters = (33...126).map { String(Unicode.Scalar(UInt8($0))) }
            texts += ["▁"] + letters + ["▁t", "th", "▁th", "▁the", "in", "er"]
        } else {
            texts = (0...255).map { Self.spelling(of: UInt8($0)) }
            for (left, right) in Self.pairs where texts.contains(left) && texts.contains(right) {
                merges.append("\(left) \(right)")
                texts.append(left + right)
            }
            types = []
        }
        let pieces = Self.pieces(of: script)
        self.script = texts.count..<texts.count + pieces.count
        texts += pieces
        types += Array(repeating: Self.normal, count: texts.count - types.count)
        for marker in template.markers where hasEnd || marker != template.endMarker {
            texts.append(marker)
            types.append(Self.control)
        }
        if isSentencePiece { scores = texts.map { Float($0.count) } }
        end = hasEnd ? texts.firstIndex(of: template.endMarker).map(Int32.init) : nil
    }

    /// The words of a script, each with the space before it, and with those that follow where it came before: every
    /// token of a vocabulary is another.
    private static func pieces(of script: String) -> [String] {
        var (pieces, piece): ([String], String) = ([], "")
        for (index, word) in script.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            piece += (index > 0 ? " " : "") + word
            let text = piece.utf8.map(spelling).joined()
            // What is shorter may be a token already.
            guard piece.utf8.count > 4, !pieces.contains(text) else { continue }
            pieces.append(text)
            piece = ""
        }
        let rest = piece.utf8.map(spelling).joined()
        return pieces.dropLast() + pieces.suffix(1).map { $0 + rest }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }

    /// GPT-2's way to write any byte as a visible character: printable Latin-1 stands for itself, the rest are moved
    /// up from U+0100 (openai/gpt-2, `bytes_to_unicode`).
    static func spelling(of byte: UInt8) -> String {
        let visible: (UInt8) -> Bool = { (33...126).contains($0) || (161...172).contains($0) || $0 >= 174 }
        if visible(byte) { return String(Unicode.Scalar(byte)) }
        let rank = (0..<byte).reduce(0) { $0 + (visible($1) ? 0 : 1) }
        return String(Unicode.Scalar(UInt32(256 + rank)).map(Character.init) ?? "?")
    }
}
