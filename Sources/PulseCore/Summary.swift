/// One article, told in a few sentences.
public struct Summary: Sendable, Hashable {
    public let article: Article
    public let text: String
    public let sentences: [Sentence]
    /// True where the model saw the front of the article only.
    public let isShortened: Bool
    /// The reader's.
    public let language: Language
    /// The language the article is told in where it is not the reader's: `pt`, `und-Cyrl`.
    public let foreignLanguage: String?
    public let model: ModelIdentity
    public let timing: Timing

    public init(
        article: Article, text: String, sentences: [Sentence], isShortened: Bool, language: Language,
        foreignLanguage: String? = nil, model: ModelIdentity, timing: Timing
    ) {
        self.article = article
        self.text = text
        self.sentences = sentences
        self.isShortened = isShortened
        self.language = language
        self.foreignLanguage = foreignLanguage
        self.model = model
        self.timing = timing
    }
}
