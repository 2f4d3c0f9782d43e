/// The words of a text, as far as comparing texts needs them.
public enum Words {
    /// Every run of letters, digits and marks, in lower case. A point, comma or colon between two digits belongs to
    /// the number: `1,200.5` and `10:30` are one word each. An apostrophe inside a word ends it, so that `city's`
    /// and `city` share one.
    public static func all(in text: String) -> [String] { scan(text).map { $0.lowercased() } }

    /// The words a false sentence would be false in: numbers, and names, which are the words that start in upper case
    /// anywhere but at the start of the sentence. In lower case.
    public static func facts(in sentence: String) -> Set<String> {
        Set(
            scan(sentence).enumerated().compactMap { index, word in
                let isNumber = word.contains(where: \.isNumeric)
                let isName = index > 0 && word.first?.isCapital == true && word != "I"
                return isNumber || isName ? word.lowercased() : nil
            })
    }

    private static func scan(_ text: String) -> [Substring] {
        var words: [Substring] = []
        var start: String.Index?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            var joinsDigits: Bool {
                start != nil && ".,:".contains(character) && next < text.endIndex && text[next].isNumber
                    && text[text.index(before: index)].isNumber
            }
            if character.isAlphabetic || character.isNumeric || joinsDigits {
                if start == nil { start = index }
            } else if let from = start {
                words.append(text[from..<index])
                start = nil
            }
            index = next
        }
        if let from = start { words.append(text[from...]) }
        return words
    }
}
