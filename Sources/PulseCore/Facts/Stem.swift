import PulseText

/// A word without its ending, so that “opens”, “opened” and “opening” are one: endings of English that inflect come
/// off, then six letters are left, which is what is common to the forms of most words of the three languages.
enum Stem {
    static func of(_ folded: String) -> String {
        guard folded.count > 2 else { return folded }
        var word = IrregularVerbs.bases[folded] ?? folded
        guard word.count > 3 else { return word }
        for ending in ["ing", "ied", "ies", "ed", "es", "ly", "s"] where word.hasSuffix(ending) {
            guard word.count - ending.count >= 3 else { continue }
            word = String(word.dropLast(ending.count)) + (ending == "ied" || ending == "ies" ? "y" : "")
            break
        }
        word = String(word.prefix(6))
        // “stopped” and “stop”, “closed” and “close”, “carry” and “carrier”.
        if let last = word.last, word.count > 3, word.dropLast().last == last, !last.isNumber { word.removeLast() }
        if word.count > 3, word.last == "e" { word.removeLast() }
        // “herido” and “herida”, “novo” and “nova”
        if word.count > 4, word.last == "o" || word.last == "a" { word.removeLast() }
        if word.last == "y" { word = word.dropLast() + "i" }
        return word
    }
}
