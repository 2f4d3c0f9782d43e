/// One article, told in a few sentences.
public struct Summary: Sendable, Hashable {
    public let article: Article
    public let sentences: [Sentence]
    /// The reader's.
    public let language: Language
    /// Nil where no model wrote.
    public let model: ModelIdentity?
    /// How many of the model's sentences the article does not bear out; they are not shown.
    public let refused: Int
    /// True where the model saw the front of the article only.
    public let isShortened: Bool
    public let timing: Timing

    public init(
        article: Article, sentences: [Sentence], language: Language, model: ModelIdentity? = nil, refused: Int = 0,
        isShortened: Bool = false, timing: Timing = Timing()
    ) {
        self.article = article
        self.sentences = sentences
        self.language = language
        self.model = model
        self.refused = refused
        self.isShortened = isShortened
        self.timing = timing
    }

    public var text: String { sentences.joinedText }
}
