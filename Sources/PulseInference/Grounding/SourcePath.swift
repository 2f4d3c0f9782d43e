/// A sentence of the source in tokens, and where its words end in them: one path through the automaton.
import CLlama

struct SourcePath {
    /// Where a sentence stands in what is written: its tokens differ by the space in front.
    enum Place: Hashable, CaseIterable {
        /// It opens the text.
        case opening
        /// It follows another sentence.
        case following
    }

    /// The number of the article, as the caller gave it.
    let article: Int
    let place: Place
    /// The number of the sentence among all of the source's, shared by its paths.
    let sentence: Int
    let tokens: [llama_token]
    /// The words in order. A word is what stands between white space, its punctuation with it; in scripts without
    /// spaces, what stands between commas: cutting there could make new words out of halves.
    let words: [String]
    /// For each token, and for the end: how many words are complete before it; nil inside a word.
    let completeWords: [Int?]
    /// For each number of complete words: the quotes and brackets that are open behind them.
    let nesting: [Nesting]

    /// Nil where the tokenizer cannot spell the sentence: what is written must be the source's text to the letter.
    init?(_ text: String, place: Place, article: Int, sentence: Int, tokenizer: some Tokenizer) {
        self.article = article
        self.place = place
        self.sentence = sentence
        let spelled = place == .opening ? text : " " + text
        tokens = tokenizer.tokens(following: spelled, as: .data)
        let pieces = tokens.map(tokenizer.piece)
        guard !tokens.isEmpty, pieces.joined().elementsEqual(spelled.utf8) else { return nil }

        var words: [String] = []
        var completeWords: [Int?] = []
        var word: [UInt8] = []
        for piece in pieces {
            let isBoundary = Self.isBoundary(after: word, before: piece)
            if isBoundary {
                words.append(Self.text(word))
                word = []
            }
            completeWords.append(word.isEmpty ? words.count : nil)
            word += piece
        }
        words.append(Self.text(word))
        self.words = words
        self.completeWords = completeWords + [words.count]
        nesting = words.reduce(into: [Nesting()]) { nesting, word in
            var next = nesting[nesting.count - 1]
            next.add(word)
            nesting.append(next)
        }
    }

    /// Whether a word ends between what has come of it and the next piece.
    private static func isBoundary(after word: [UInt8], before piece: [UInt8]) -> Bool {
        guard word.contains(where: { $0 != space }), let first = piece.first else { return false }
        return first == space || word.last == space || commas.contains { word.suffix(3).elementsEqual($0.utf8) }
    }

    private static let space = UInt8(ascii: " ")

    /// Commas, semicolons and colons of scripts that write no space after them; three bytes each in UTF-8.
    private static let commas = ["，", "、", "；", "："]

    private static func text(_ word: [UInt8]) -> String {
        String(decoding: word.drop { $0 == space }, as: UTF8.self)
    }
}
