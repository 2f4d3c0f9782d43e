import PulseCore

/// Newsboat's `urls` file: one feed a line, its address, then tags, in double quotes where they hold spaces
/// (newsboat(1), "Tagging").
enum NewsboatURLs {
    /// The category of each feed that has a tag to tell it: the first tag that is one of Pulse's categories, else the
    /// first of all.
    static func categories(path: String) throws(SourceError) -> [String: Category] {
        var reader = try LineReader(path: path)
        var categories: [String: Category] = [:]
        while let line = try reader.next() {
            let words = words(String(decoding: line.bytes, as: UTF8.self))
            guard let feed = words.first, !feed.hasPrefix("#") else { continue }
            // "~Title" renames a feed and "!" hides it.
            let tags = words.dropFirst().filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }.map { Category($0) }
            categories[feed] = tags.first { Category.known.contains($0) } ?? tags.first
        }
        return categories
    }

    /// Split at white space outside of double quotes; a backslash keeps the character after it.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
