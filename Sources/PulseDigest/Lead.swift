import PulseCore
import PulseText

/// Which sentence of an article tells its news: the first that is no caption, and another only where that one hardly
/// speaks of what the title announces. Rule “lead unless” of docs/digest.md, with its figures.
struct Lead {
    /// So many pieces of a text are looked through, for so many sentences that are no captions.
    private static let mostPieces = 9
    static let reach = 4
    /// The lead gives way where it holds less than this share of its title, to one that holds so much more.
    private static let little = 0.3
    private static let muchMore = 0.3
    /// A sentence that takes the lead's place has so many words at most.
    private static let longest = 40
    /// A text is read as far as this; nine sentences hardly ever go on so long.
    private static let front = 6000

    let article: Article
    let lexicon: Lexicon?
    /// What the text begins with.
    let pieces: [String]
    /// The first sentences that are no captions; without a lexicon, the first sentences.
    let candidates: [String]

    init(_ article: Article) {
        self.article = article
        let lexicon = article.writtenLanguage.flatMap { Lexicon.all[$0] }
        self.lexicon = lexicon
        pieces = Sentences.split(String(article.body.unicodeScalars.prefix(Lead.front)), most: Lead.mostPieces)
        var (sentences, telling): ([String], [String]) = ([], [])
        for piece in pieces where telling.count < Lead.reach {
            guard Sentence.isWhole(piece), lexicon?.isCaption(piece) != true else { continue }
            sentences.append(piece)
            if lexicon?.hasVerb(piece) != false { telling.append(piece) }
        }
        // Where no sentence has a word that is known for a verb, the list of verbs is at fault.
        candidates = telling.isEmpty ? Array(sentences.prefix(Lead.reach)) : telling
    }

    /// The sentence that tells the article; nil where it has none.
    func sentence(_ weights: Weights) -> String? {
        guard let first = candidates.first, let lexicon else { return candidates.first }
        let held = weights.overlap(first, article.title)
        guard held < Lead.little else { return first }
        var (chosen, needed) = (first, held + Lead.muchMore)
        for other in candidates.dropFirst() where lexicon.standsAlone(other) {
            guard other.wordCount <= Lead.longest, other.hasNameOrNumber else { continue }
            let held = weights.overlap(other, article.title)
            if held >= needed { (chosen, needed) = (other, held.nextUp) }
        }
        return chosen
    }
}

extension Lexicon {
    private static let fewestWords = 6

    /// Whether a piece of a text is a caption, a heading, an address or a fragment, and no sentence of the report.
    func isCaption(_ text: String) -> Bool {
        guard text.wordCount >= Lexicon.fewestWords, text.first?.isLowercase != true, !text.hasSuffix("…"),
            !Lexicon.hasAny(["(left)", "(right)", "(center)"], beginning: "(", text),
            !Lexicon.hasAny(["://"], beginning: ":", text), Lexicon.isBalanced(text)
        else { return true }
        guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
        let front = text.prefix { $0 != ":" && !$0.isPunctuation }
        return text.dropFirst(front.count).first == ":" && Terms.words(of: front).contains(where: captions.contains)
    }

    /// Most sentences have not even the sign that it would begin with.
    private static func hasAny(_ marks: [String], beginning sign: Unicode.Scalar, _ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: sign)) && marks.contains(where: text.contains)
    }

    /// A sentence that a quotation was cut in two by is a piece of something longer.
    private static func isBalanced(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count { $0 == "\"" }.isMultiple(of: 2)
            && scalars.count { $0 == "“" } == scalars.count { $0 == "”" }
    }

    /// Whether a sentence has a verb: what has none is a heading or a caption.
    func hasVerb(_ text: String) -> Bool { Terms.words(of: text).contains(where: isVerb) }

    /// Whether a word is a verb, or may well be one.
    func isVerb(_ word: String) -> Bool {
        verbs.contains(word) || word.count > 4 && verbEndings.contains { word.hasSuffix($0) }
    }

    /// Whether a sentence needs nothing of what stood before it: a stricter question than whether it may stand alone,
    /// because it is asked of one that takes the lead's place.
    func standsAlone(_ sentence: String) -> Bool {
        let words = Terms.words(of: sentence)
        guard let first = words.first, !isHarmless(sentence) else { return !words.isEmpty }
        return !pointsBack(sentence) && !definite.contains(first) && !words.prefix(8).contains(where: early.contains)
            && sentence.first.map("\"“'‘«".contains) == false
    }

    /// Whether a sentence begins with a pronoun or a connective, so that it says nothing without its title.
    func pointsBack(_ sentence: String) -> Bool {
        guard let first = Terms.words(of: sentence).first, !isHarmless(sentence) else { return false }
        let word = first.prefix { $0 != "'" }
        return pronouns.contains(String(word)) || connectives.contains(first)
    }

    private func isHarmless(_ sentence: String) -> Bool {
        let front = sentence.prefix(40).lowercased()
        return harmless.contains { front.hasPrefix($0 + " ") }
    }
}

extension Sentence {
    private static let fewestWords = 5

    /// Bytes. What goes on for longer is a list or a flood: sentences of news have two or three hundred.
    private static let longest = 1500

    /// Whether a text ends as a sentence does, has some words, and not too many.
    static func isWhole(_ text: String) -> Bool {
        isClosed(text) && text.utf8.count <= longest
            && (text.wordCount >= fewestWords || text.contains { "。！？｡".contains($0) })
    }

    /// Whether a text ends as a sentence does.
    static func isClosed(_ text: String) -> Bool {
        text.last { !"\"'”’»)]」』".contains($0) }.map(".!?…。！？｡؟।".contains) == true
    }
}

extension String {
    var wordCount: Int { split(whereSeparator: \.isSpace).count }

    /// Whether a name or a number stands behind the first word.
    var hasNameOrNumber: Bool {
        split(whereSeparator: \.isSpace).dropFirst().contains { word in
            word.contains(where: \.isNumeric)
                || word.first { $0.isAlphabetic }?.isCapital == true
                    && word.contains { $0.isLowercase || word.count > 1 }
        }
    }
}
