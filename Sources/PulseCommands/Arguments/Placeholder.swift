import PulseCore

/// The words that stand for a value in usage lines and options, such as `PATH`: they can be translated.
enum Placeholder {
    private static let words: Set<String> = [
        "ADDRESS", "CMD", "COLUMN", "COMMAND", "DAY", "FIELD", "FILE", "FOLDER", "FORMAT", "HOST", "HOW", "KEY",
        "LANGUAGE", "LENGTH", "LINK", "MODEL", "NAME", "NUMBER", "OPTION", "PATH", "PORT", "QUESTION", "SECONDS",
        "SITE", "STATE", "TITLE", "TOPIC", "VALUE", "WHAT", "WHEN", "WORD", "WORDS",
    ]

    /// - Parameter text: A command's operands, or the value of an option: `[MODEL|PATH]`.
    static func message(_ text: String) -> Message {
        var parts: [Message] = []
        var rest = text[...]
        while let first = rest.first {
            let run = rest.prefix { $0.isLetter == first.isLetter }
            let word = String(run)
            parts.append(words.contains(word) ? Message(stringLiteral: word) : Message(verbatim: word))
            rest = rest[run.endIndex...]
        }
        return parts.joined()
    }
}
