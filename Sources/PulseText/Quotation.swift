extension Sentences {
    /// A quotation within a line, from its opening mark on, or what stands in brackets.
    struct Quotation {
        /// The index after the closing mark; nil: the text ends before it.
        var end: String.Index?
        /// Whether the sentence goes on after it: “A. B,” said Lima.
        var isFramed = false
        /// Whether more text may change this.
        var isOpen = true

        /// In characters. In a longer one each sentence stands alone; a forgotten mark costs no more than this.
        private static let longest = 500

        /// - Returns: nil where no quotation begins at the index, or it does not end.
        init?(in text: String, at open: String.Index) {
            let mark = text[open]
            guard let closing = Self.closing(mark) else { return nil }
            let first = text.index(after: open)
            guard first < text.endIndex else { return nil }
            let isSingle = ["’", "'"].contains(closing)
            let before = open > text.startIndex ? text[text.index(before: open)] : " "
            // A letter before it makes it an apostrophe or a closing mark; but Chinese has no spaces.
            guard !before.isNumber, !before.isLetter || !before.isCased && !before.isASCII else { return nil }
            let isSpaced = mark == "«" && text[first].isWhitespace && !text[first].isNewline
            // “ ends what „ begins, » what « begins: before white space or a comma it is no opening mark.
            guard isSpaced || !text[first].isWhitespace && !",.;:!?…)".contains(text[first]) else { return nil }
            if isSingle, !text[first].isLetter || mark == "'" && !text[first].isUppercase { return nil }
            var (last, index, count) = (mark, first, 0)
            // ‘The guards’ pay …’: after an s before a space, it may be an apostrophe.
            var isUnsure = false
            while index < text.endIndex {
                let character = text[index]
                let next = text.index(after: index)
                count += 1
                guard count <= Self.longest, !character.isNewline else { return nil }
                if character.utf8.first?.isASCIIAlphanumeric == true {
                    // Most are, and the tests below take longer.
                } else if closing.contains(character) {
                    let follower = next < text.endIndex ? text[next] : " "
                    let isMarked = last.isPunctuation
                    let isApostrophe =
                        isSingle
                        && (follower.isLetter || follower.isNumber || !isMarked && last == "s" && follower.isWhitespace)
                    // „A "B" C“; but „A B." ends.
                    let isInner = mark == "„" && character == "\"" && !isMarked
                    if !isApostrophe, !isInner {
                        if isUnsure, !isMarked { return nil }
                        end = next
                        (isFramed, isOpen) = Self.goesOn(text, after: next, said: last)
                        isFramed = isFramed || "「『".contains(mark)
                        return
                    }
                    isUnsure = isUnsure || follower.isWhitespace
                } else if character == mark {
                    // The first opening mark was never closed.
                    return nil
                }
                if !character.isWhitespace { last = character }
                index = next
            }
        }

        static func closing(_ mark: Character) -> String? {
            // A quick test, as in `Mark`.
            guard let first = mark.utf8.first, first >= 0xc2 || "\"'(".utf8.contains(first) else { return nil }
            return switch mark {
            case "“": "”"
            case "„": "“”\""
            case "«": "»"
            case "»": "«"
            case "\"": "\""
            case "‘": "’"
            case "'": "'"
            case "(": ")"
            case "「": "」"
            case "『": "』"
            default: nil
            }
        }

        /// Whether the sentence goes on after a closing mark, and whether the text ends before that can be told.
        private static func goesOn(
            _ text: String, after end: String.Index, said last: Character
        ) -> (isFramed: Bool, isOpen: Bool) {
            let rest = text[end...]
            guard let follower = rest.first(where: { !$0.isWhitespace || $0.isNewline }) else {
                return (last == ",", true)
            }
            guard !follower.isNewline else { return (false, false) }
            if ",，".contains(last) || ",，".contains(follower) { return (true, false) }
            if Mark(follower) != nil { return (false, false) }
            // 「…」と述べた
            if rest.first?.isLetter == true { return (true, false) }
            return (Mark(last) == nil || follower.isLowercase, false)
        }
    }
}
