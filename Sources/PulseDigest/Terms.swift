import PulseText

/// The words of a text that carry meaning, in small letters and cut to their stems: what two texts are compared by.
enum Terms {
    /// A word of a text is hardly ever longer, in bytes: what has no spaces is read no further than that either.
    private static let longestWord = 48

    /// - Parameter words: How many words of the text are looked at, of those that white space divides.
    static func list(of text: String, words: Int = .max) -> [String] {
        var terms: [String] = []
        scan(text, words: words) { word, _ in
            if let term = term(word) { terms.append(term) }
        }
        return terms
    }

    /// Every word in small letters, with what is joined to it by a hyphen or an apostrophe.
    ///
    /// - Parameter take: Is handed each, and how many words were looked at up to there.
    static func scan(_ text: String, words: Int = .max, _ take: (_ word: String, _ looked: Int) -> Void) {
        var word: [UInt8] = []
        var (seen, index) = (0, 0)
        var looked: Int { max(seen, (index + longestWord - 1) / longestWord) }
        func close() {
            defer { word.removeAll(keepingCapacity: true) }
            let edges = [UInt8(ascii: "'"), UInt8(ascii: "-")]
            while let last = word.last, edges.contains(last) { word.removeLast() }
            guard let first = word.firstIndex(where: { !edges.contains($0) }) else { return }
            take(String(decoding: word[first...], as: UTF8.self), looked)
        }
        var wasSpace = true
        var text = text
        text.withUTF8 { bytes in
            while index < bytes.count, index / longestWord < words {
                let byte = bytes[index]
                if byte < 0x80 {
                    index += 1
                    let isSpace = byte == 0x20 || (0x09...0x0d).contains(byte)
                    if !isSpace, wasSpace {
                        seen += 1
                        if seen > words { return }
                    }
                    wasSpace = isSpace
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "'"), UInt8(ascii: "-"):
                        word.append(byte)
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
                    default: close()
                    }
                    continue
                }
                let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
                let end = min(index + length, bytes.count)
                let scalar = String(decoding: bytes[index..<end], as: UTF8.self).unicodeScalars.first ?? " "
                index = end
                if wasSpace {
                    seen += 1
                    if seen > words { return }
                }
                wasSpace = scalar.properties.isWhitespace
                switch scalar {
                case "’": word.append(UInt8(ascii: "'"))
                // Scripts without spaces: a character is a word.
                case "\u{2e80}"..."\u{9fff}", "\u{f900}"..."\u{faff}", "\u{20000}"..."\u{3ffff}":
                    close()
                    take(String(scalar), looked)
                case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
                    word.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
                default: close()
                }
            }
        }
        close()
    }

    static func set(of text: String) -> Set<String> { Set(list(of: text)) }

    /// Every word in small letters, with what is joined to it by a hyphen or an apostrophe.
    static func words(of text: some StringProtocol) -> [String] {
        var text = text.lowercased()
        if text.unicodeScalars.contains("’") { text = text.replacing("’", with: "'") }
        return text.split { !$0.isAlphabetic && !$0.isNumeric && $0 != "'" && $0 != "-" }.map(String.init)
    }

    /// A word's stem; nil for what says nothing.
    static func term(_ word: String) -> String? {
        let text = word.utf8.count > 2 && word.hasSuffix("'s") ? String(word.dropLast(2)) : word
        return text.utf8.count > 1 && !Lexicon.stopWords.contains(text) ? stem(text) : nil
    }

    /// Without one common ending, where four letters or more stay. The endings are English; of Portuguese and Spanish
    /// they take the plural, which is what titles and texts differ in most.
    private static func stem(_ word: String) -> String {
        let bytes = word.utf8
        for ending in endings {
            let rest = bytes.count - ending.count
            if rest >= 4, bytes.suffix(ending.count).elementsEqual(ending) {
                return String(decoding: bytes.prefix(rest), as: UTF8.self)
            }
        }
        return word
    }

    private static let endings: [[UInt8]] = ["ingly", "edly", "ing", "ies", "ied", "es", "ed", "s", "ly"]
        .map { (ending: String) in Array(ending.utf8) }
}
