/// The quotes and brackets that are open at a place in a text. A sentence that leaves one open, or closes one it did
/// not open, is a piece of something longer.
struct Nesting: Hashable {
    private var isQuoted = false
    /// Open minus closed, for each kind that has two shapes.
    private var curly = 0
    private var angled = 0
    private var cornered = 0
    private var round = 0

    var isBalanced: Bool { self == Nesting() }

    init(of text: String = "") {
        add(text)
    }

    /// Goes on behind `text`. Single quotes are left alone: they are apostrophes too often.
    mutating func add(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": isQuoted.toggle()
            case "“", "„": curly += 1
            case "”": curly -= 1
            case "«": angled += 1
            case "»": angled -= 1
            case "「", "『": cornered += 1
            case "」", "』": cornered -= 1
            case "(", "（", "[": round += 1
            case ")", "）", "]": round -= 1
            default: break
            }
        }
    }
}
