/// One article, told in a few sentences.
public struct Summary: Sendable, Hashable {
    public let article: Article
    public let text: String
    public let sentences: [Sentence]
    /// True where the model saw the front of the article only.
    public let isShortened: Bool
    /// What became of sentences that the article did not support.
    public let corrections: Corrections
    /// The reader's.
    public let language: Language
    /// The language the article is told in where it is not the reader's: `pt`, `und-Cyrl`.
    public let foreignLanguage: String?
    public let model: ModelIdentity
    public let timing: Timing

    public init(
        article: Article, text: String, sentences: [Sentence], isShortened: Bool,
        corrections: Corrections = Corrections(), language: Language, foreignLanguage: String? = nil,
        model: ModelIdentity, timing: Timing
    ) {
        self.article = article
        self.text = text
        self.sentences = sentences
        self.isShortened = isShortened
        self.corrections = corrections
        self.language = language
        self.foreignLanguage = foreignLanguage
        self.model = model
        self.timing = timing
    }
}
