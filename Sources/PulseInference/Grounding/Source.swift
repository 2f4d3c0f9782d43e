/// What a grounded answer may be made of: the sentences of the prompt's source parts, in the model's own tokens.
///
/// Each sentence is tokenised by itself, as data, and as the model would write it: at the front of the text and behind
/// a space. So no token reaches over the edge of a field, whatever stands behind it in the prompt. White space inside a
/// sentence becomes one space.
///
/// Where a field has sentences that end with a mark, those that do not are left out: captions, headings, "Read more",
/// and what an excerpt cut off. So are those that a quotation was cut in two by, where there are others.
import CLlama
import PulseText

struct Source {
    private(set) var paths: [SourcePath] = []
    /// How each sentence begins, for telling that two begin alike: the first words in lower case.
    private(set) var beginnings: [String] = []
    /// Of each sentence, the one it may only follow, because it begins with a pronoun: none where nothing of its article
    /// stands before it.
    private(set) var antecedents: [Antecedent] = []

    enum Antecedent: Hashable {
        /// The sentence stands by itself.
        case needless
        /// It is about what the sentence of this number names.
        case sentence(Int)
        /// It is about something that was named before the source begins.
        case missing
    }

    /// Two sentences that share so many words at the front tell the same; the second would be a repetition.
    static let wordsOfBeginning = 4

    var isEmpty: Bool { paths.isEmpty }

    init(_ messages: [ChatMessage], tokenizer: some Tokenizer) {
        for part in messages.flatMap(\.parts) {
            guard let article = part.source else { continue }
            var previous = Antecedent.missing
            for text in Self.whole(Sentences.split(part.text)) {
                let words = text.split(whereSeparator: \.isWhitespace)
                add(words.joined(separator: " "), article: article, tokenizer: tokenizer)
                antecedents.append(Pronouns.open(text) ? previous : .needless)
                previous = .sentence(beginnings.count)
                beginnings.append(words.prefix(Self.wordsOfBeginning).joined(separator: " ").lowercased())
            }
        }
    }

    private static func whole(_ texts: [String]) -> [String] {
        let closed = texts.filter(SentenceSeam.isClosed)
        let balanced = closed.filter { Nesting(of: $0).isBalanced }
        return [balanced, closed].first { !$0.isEmpty } ?? texts
    }

    private mutating func add(_ text: String, article: Int, tokenizer: some Tokenizer) {
        for place in SourcePath.Place.allCases {
            let path = SourcePath(
                text, place: place, article: article, sentence: beginnings.count, tokenizer: tokenizer)
            if let path { paths.append(path) }
        }
    }
}

/// Text to tokens and back, as far as a source needs it.
protocol Tokenizer {
    /// Tokens of a text that follows another.
    func tokens(following text: String, as reading: Vocabulary.Reading) -> [llama_token]
    /// The bytes a token stands for.
    func piece(_ token: llama_token) -> [UInt8]
}

extension Vocabulary: Tokenizer {}
