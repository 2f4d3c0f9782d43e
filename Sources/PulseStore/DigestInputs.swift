public import PulseCore

/// All that decides what a digest says, but for the moment it is made at: as long as this is the same, so is the digest.
public struct DigestInputs: Sendable, Hashable, Codable {
    /// An article as the digest saw it.
    public struct Input: Sendable, Hashable, Codable {
        public let id: String
        /// `ContentHash` of the article and of when it was read.
        public let hash: String
    }

    public struct Section: Sendable, Hashable, Codable {
        public let category: String
        /// The articles of each story.
        public let stories: [[Input]]
        public let omitted: Int
    }

    /// `ContentHash` of the prompt file's text.
    public let prompt: String
    public let language: String
    /// What tells this model from every other, and from the same file with another content.
    public let model: String
    /// Whatever else decides what is written: the window asked for, how it is sampled, how long it may be.
    public private(set) var settings: [String: String]
    public let sections: [Section]

    public init(selection: Selection, prompt: String, language: Language, model: String, settings: [String: String]) {
        self.prompt = prompt
        self.language = language.rawValue
        self.model = model
        self.settings = settings
        self.sections = selection.sections.map { section in
            Section(
                category: section.category.name,
                stories: section.stories.map { story in
                    story.readings.map { Input(id: $0.article.id, hash: ContentHash.of($0)) }
                },
                omitted: section.omitted)
        }
    }

    /// The same, and one thing more that decided: what is made from it is another digest.
    public func with(_ setting: String, _ value: String) -> DigestInputs {
        var inputs = self
        inputs.settings[setting] = value
        return inputs
    }

    /// As it is kept.
    var text: String { Payload.text(self) ?? "" }

    /// What the digest is found by: 64 hexadecimal digits.
    public var key: String { ContentHash.of(["digest", text]) }
}
