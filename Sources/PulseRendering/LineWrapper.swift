/// Breaks a stream of text into lines as it comes: only the word that is not yet complete is held back.
struct LineWrapper {
    private let width: Int?
    private var column = 0
    private var word = ""
    private var owesSpace = false

    /// - Parameter width: Columns; nil passes everything through but runs of spaces.
    init(width: Int?) { self.width = width }

    /// What can be printed now that this has come.
    mutating func add(_ text: String) -> String {
        var printed = ""
        for character in text {
            if character.isWhitespace {
                printed += flush()
                owesSpace = column > 0
            } else {
                word.append(character)
            }
        }
        // Without a width nothing depends on the word's end, so it need not wait.
        if width == nil { printed += flush() }
        return printed
    }

    /// What was held back, with the line's end where anything was printed at all.
    mutating func finish() -> String {
        let rest = flush()
        defer { self = LineWrapper(width: width) }
        return column > 0 ? rest + "\n" : rest
    }

    private mutating func flush() -> String {
        guard !word.isEmpty else { return "" }
        let columns = DisplayWidth.of(word)
        var printed = ""
        if owesSpace {
            if let width, column + 1 + columns > width {
                printed = "\n"
                column = 0
            } else {
                printed = " "
                column += 1
            }
        }
        printed += word
        column += columns
        word = ""
        owesSpace = false
        return printed
    }
}
