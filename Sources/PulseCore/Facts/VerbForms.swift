/// Which words may be the verb of a sentence, from the way they are written.
enum VerbForms {
    /// Whether a word may say what somebody did or does. Many nouns may too; “rubbish” and “prices” may not, or hardly
    /// ever do behind the first word of a sentence.
    static func canBeVerb(_ token: FactToken, _ language: FactLanguage) -> Bool {
        let word = token.text.lowercased()
        if auxiliaries.contains(token.folded) { return true }
        if language == .english { return word.hasSuffix("ed") || IrregularVerbs.bases[word] != nil }
        return endings.contains(where: word.hasSuffix)
    }

    private static let auxiliaries: Set<String> = [
        "is", "are", "was", "were", "be", "has", "have", "had", "will", "would", "can", "could", "may", "might", "must",
        "shall", "should", "does", "do", "did", "says", "put", "cut", "hit", "set", "let", "shut", "hurt", "quit",
        "spread",
        "cost", "beat", "read", "who", "which", "that", "beats", "wins",
        "plans", "wants", "expects", "hopes", "faces", "opens", "closes", "takes", "makes", "gets", "goes", "becomes",
        "remains", "and", "or",
        "foi", "e", "era", "sao", "esta", "estao", "tem", "ha", "vai", "vao", "deve", "pode", "quer", "diz", "disse",
        "fez", "deu", "teve", "pos", "veio", "fica", "faz", "poe", "es", "fue", "son", "estan", "tiene", "van",
        "debe", "puede", "quiere", "dice", "dijo", "hizo", "dio", "tuvo", "puso", "vino", "hace", "y", "o",
        "se", "nao", "no",
    ]

    /// Of the three past tenses and the future of Portuguese and Spanish.
    private static let endings = [
        "ou", "eu", "iu", "ava", "ia", "ará", "erá", "irá", "aram", "eram", "iram", "avam", "iam", "arão", "erão",
        "irão",
        "ó", "ía", "aba", "aron", "ieron", "aban", "ían", "arán", "erán", "irán", "uso", "uvo", "ujo", "ijo", "izo",
    ]
}
