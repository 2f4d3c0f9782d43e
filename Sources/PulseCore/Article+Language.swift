import PulseText

extension Article {
    /// The language the article is written in, as a tag without region or variant (`pt`, `zh`, `und-Cyrl`); nil where
    /// neither its source nor its text tells.
    ///
    /// The text is believed before the source: whole feeds carry the `en-US` their software came with. Where the text
    /// does not tell, the source's word is taken, unless the text's script speaks against it.
    public var writtenLanguage: String? {
        let told = language.flatMap(Article.primaryTag)
        let front = String([title, summary, String(content.prefix(Article.looked))].joined(separator: "\n"))
        guard let found = LanguageDetector.language(of: front) else { return told }
        // A script that several languages share is less than what the source says.
        if found.hasPrefix("und-"), let told, !LanguageDetector.isInLatinLetters(told) { return told }
        return found
    }

    /// The language to tell the article in: its own where the program has it, else the reader's. What a small model says
    /// in another shares no words with its source, so that nothing of it could be checked.
    public func language(or reader: Language) -> Language { writtenLanguage.flatMap(Language.init) ?? reader }

    private static let looked = 2000

    /// `pt` of `pt-BR`, `PT_br` or `pt`; nil for what is no tag of BCP 47, and for `und`.
    private static func primaryTag(_ tag: String) -> String? {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard (2...3).contains(primary.utf8.count), primary.utf8.allSatisfy({ (97...122).contains($0) }),
            primary != "und", primary != "mul", primary != "zxx"
        else { return nil }
        return primary
    }
}
