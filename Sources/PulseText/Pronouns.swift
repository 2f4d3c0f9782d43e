/// The words that stand for somebody or something named before, in the languages that digests are written in.
public enum Pronouns {
    /// Whether a sentence begins with one, so that who it is about stands in the sentence before: “He was sentenced…”.
    /// Demonstratives are none of them: “This week” and “esta semana” lean on nothing.
    public static func open(_ sentence: some StringProtocol) -> Bool {
        let word = sentence.drop { !$0.isLetter }.prefix { $0.isLetter }
        return words.contains(word.lowercased())
    }

    private static let words: Set<String> = [
        "he", "she", "it", "they", "his", "her", "its", "their",
        "ele", "ela", "eles", "elas", "seu", "sua", "seus", "suas",
        "él", "ella", "ellos", "ellas", "su", "sus",
    ]
}
