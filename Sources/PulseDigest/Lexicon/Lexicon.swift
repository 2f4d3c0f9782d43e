/// What the rules of a digest know of one language. A further language is one more file beside this one, and its line in
/// `all`; without one, an article is told by its first sentence.
///
/// The English lists are those that rule V2 was measured with (docs/digest.md); the others say the same.
struct Lexicon: Sendable {
    /// Words that carry no meaning by themselves.
    let stopWords: Set<String>
    /// Words that are verbs, and endings that words of five letters or more have only as verbs: what has none of them
    /// is a heading or a caption.
    let verbs: Set<String>
    let verbEndings: [String]
    /// Words in front of a sentence that point at what stood before it.
    let pronouns: Set<String>
    /// The same, of words that join a sentence to the one before.
    let connectives: Set<String>
    /// The same, weaker: no other sentence takes the lead's place with one of them in front.
    let definite: Set<String>
    /// Words that are a pronoun or a connective wherever they stand early in a sentence.
    let early: Set<String>
    /// Beginnings that look like a pronoun and point at nothing: “this week”, “it was”.
    let harmless: [String]
    /// Words that begin a caption.
    let captions: Set<String>
    /// Words for a day that are wrong on any other; of several words, the longer first.
    let days: [String]
    /// Words behind one of those that make another time of it: “yesterday evening”.
    let daysGoOn: Set<String>
    /// Words before one of those that would be left hanging: “on today”.
    let prepositions: Set<String>
    /// What begins a last clause that a long sentence can do without, behind a comma.
    let clauses: [String]

    /// By ISO 639 code.
    static let all = ["en": english, "pt": portuguese, "es": spanish]

    /// The stop words of all languages: two articles are compared without asking which they are in.
    static let stopWords = all.values.reduce(into: Set<String>()) { $0.formUnion($1.stopWords) }

    static func words(_ text: String) -> Set<String> { Set(list(text)) }

    static func list(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
