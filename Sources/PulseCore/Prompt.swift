/// What is asked of a model: the rules, and the material. Which stretches are the text of an article stays known all
/// the way to the engine, which needs it to keep to the source.
public struct Prompt: Sendable, Hashable {
    public struct Part: Sendable, Hashable {
        public let text: String
        /// The number of the article this is the text of, counted from 0; nil for everything around it.
        public let article: Int?

        public init(_ text: String, article: Int? = nil) {
            self.text = text
            self.article = article
        }
    }

    public let system: String
    public let user: [Part]

    public init(system: String, user: [Part]) {
        self.system = system
        self.user = user
    }

    /// The user's message as it reads.
    public var userText: String { user.map(\.text).joined() }
}
