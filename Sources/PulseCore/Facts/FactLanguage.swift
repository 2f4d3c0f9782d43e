/// The language a text is in, as far as reading its numbers needs it: the commonest small words decide.
enum FactLanguage: Sendable, Hashable {
    case english, portuguese, spanish

    /// Nil where the text does not tell.
    init?(of text: String) {
        var counts = [0, 0, 0]
        for word in FactToken.all(in: String(text.prefix(2000))) {
            if FactLanguage.englishWords.contains(word.folded) { counts[0] += 1 }
            if FactLanguage.portugueseWords.contains(word.folded) { counts[1] += 1 }
            if FactLanguage.spanishWords.contains(word.folded) { counts[2] += 1 }
        }
        let best = counts.max() ?? 0
        guard counts.filter({ $0 == best }).count == 1 else { return nil }
        self = best == counts[0] ? .english : best == counts[1] ? .portuguese : .spanish
    }

    // Words that only one of the three has.
    private static let englishWords: Set<String> = [
        "the", "and", "of", "to", "in", "is", "was", "were", "for", "on", "with", "at", "by", "from", "that", "has",
        "have",
        "will", "an", "said", "it", "its", "are", "be", "as", "had", "after", "this", "which",
    ]
    private static let portugueseWords: Set<String> = [
        "os", "do", "da", "dos", "das", "em", "um", "uma", "nao", "ao", "aos", "pelo", "pela", "na", "no", "nas", "nos",
        "foi",
        "mais", "com", "e", "sao", "esta", "tem", "vai", "quilometros", "ate", "seu", "sua",
    ]
    private static let spanishWords: Set<String> = [
        "el", "los", "las", "del", "en", "un", "una", "y", "al", "con", "fue", "mas", "la", "lo", "es", "su", "sus",
        "ya",
        "ano", "anos", "hasta", "fueron", "segun", "tambien", "pero", "despues", "otros", "otras", "dijo", "unos",
        "unas", "esta", "millones", "desde", "este", "esta", "han", "ha", "muy",
    ]
}
