import PulseCore
import PulseText

/// A report, cut into words once for all the sentences that are checked against it.
struct Report: Sendable {
    let id: String
    let lexicon: CheckWords
    /// The words of each sentence and their keys, with the sentence as `bare` leaves it.
    private let sentences: [(bare: String, words: [Word], keys: [String])]
    /// The words of its title.
    private let title: Set<String>
    /// Whether it says “I” or “we” without quotation marks.
    private let hasNarrator: Bool

    /// In words; anything longer is a list or an attack.
    private static let longestSentence = 300
    /// How many quoted words may lose their quotation marks: a name, a phrase.
    private static let quotedPhrase = 3

    init(_ article: Article) {
        id = article.id
        lexicon = article.language(or: .english).check
        title = Set(Line(article.title, lexicon).words.map(\.key))
        var sentences: [(String, [Word], [String])] = []
        let own = lexicon.firstPerson
        var hasNarrator = false
        for paragraph in article.body.split(whereSeparator: \.isNewline) {
            // A quotation that is never closed ends with its paragraph.
            var isQuoteOpen = false
            for sentence in Sentences.split(String(paragraph)) {
                let line = Line(sentence, lexicon, isQuoteOpen: isQuoteOpen)
                isQuoteOpen = line.isQuoteOpen
                let words = Array(line.words.prefix(Report.longestSentence))
                hasNarrator =
                    words.indices.contains {
                        own.contains(words[$0].key) && !words[$0].isQuoted && !Report.isNumeral($0, of: words)
                    } || hasNarrator
                sentences.append((Report.bare(sentence), words, words.map(\.key)))
            }
        }
        self.sentences = sentences
        self.hasNarrator = hasNarrator
    }

    /// Without white space and quotation marks.
    private static func bare(_ text: String) -> String {
        text.filter { !$0.isWhitespace && !"\"“”„«»'‘’".contains($0) }
    }

    // MARK: - What it says

    /// The words of the sentence that the text copies, ignoring white space and quotation marks; nil if it copies none.
    func sentence(copiedBy text: String) -> [Word]? {
        let bare = Report.bare(text)
        return bare.isEmpty ? nil : sentences.first { $0.bare == bare }?.words
    }

    /// Whether a sentence of the report has these words in a row, or begins with the text.
    func holds(_ words: [Word], _ text: String) -> Bool {
        let (keys, bare) = (words.map(\.key), Report.bare(text))
        return sentences.contains { $0.keys.firstRange(of: keys) != nil || $0.bare.hasPrefix(bare) }
    }

    /// Whether the claim has no word that the title lacks.
    func isOfTitle(_ claim: [Word]) -> Bool { claim.allSatisfy { title.contains($0.key) } }

    /// Whether a sentence of the report says what the claim says.
    ///
    /// Apart from articles and the like, the claim's words are a part of that sentence: none is new, none has moved,
    /// and none is missing between the first and the last. Looser rules were tried on what a small model really wrote:
    /// some new words, some words left out of the middle, inflections, two sentences in one, numbers and days in
    /// another form. Each let more false sentences through than it saved true ones, or saved too few to be worth it.
    func says(_ claim: [Word]) -> Bool {
        guard claim.count >= 3 else { return false }
        let keys = claim.map(\.key)
        return sentences.contains { said in
            guard let range = said.keys.firstRange(of: keys) else { return false }
            return keepsQuotes(of: said.words[range], in: claim) && isEnough(range, of: said.words)
        }
    }

    /// Whether a sentence stays true without its front and its end.
    private func isEnough(_ range: Range<Int>, of said: [Word]) -> Bool {
        let (front, end) = (said[..<range.lowerBound], said[range.upperBound...])
        // Less than half of it is only a phrase, such as “On Thursday evening.”
        guard 2 * range.count >= said.count else { return false }
        // Who said so, and under which condition, must not be lost.
        let isBound = (front + end).contains {
            lexicon.speaking.contains($0.key) || lexicon.conditions.contains($0.key)
        }
        if isBound { return false }
        // “LONDON (Reuters) -” may go. Anything else in front is the subject, or a time.
        if let place = front.first {
            guard place.isAcronym, front.allSatisfy(\.isCapitalized), said[range.lowerBound].opensClause else {
                return false
            }
        }
        // The end may go from a comma on, unless the comma belongs to a list. Without a comma it may restrict what is
        // said.
        guard let next = end.first else { return true }
        return next.opensClause && !end.contains { lexicon.listJoiners.contains($0.key) }
    }

    // MARK: - What is never shown

    /// Whether the words that the report's sentence has in quotation marks are quoted in the claim too, up to a few.
    func keepsQuotes(of said: ArraySlice<Word>, in claim: [Word]) -> Bool {
        zip(said, claim).count { $0.isQuoted && !$1.isQuoted && !$0.isCapitalized } <= Report.quotedPhrase
    }

    /// Whether the claim says “I” without a quotation and its speaker. Where nobody speaks of himself, “Francis I” is a
    /// king.
    func isFirstPerson(_ claim: [Word]) -> Bool {
        let speaks = claim.indices.contains {
            lexicon.firstPerson.contains(claim[$0].key) && (hasNarrator || !Report.isNumeral($0, of: claim))
        }
        return speaks
            && !(claim.contains(where: \.isQuoted)
                && claim.contains { !$0.isQuoted && lexicon.speaking.contains($0.key) })
    }

    /// The “I” of “World War I” and of “the I-95”.
    private static func isNumeral(_ place: Int, of words: [Word]) -> Bool {
        guard words[place].key == "i" else { return false }
        let next = words.dropFirst(place + 1).first
        return next?.key.first?.isNumber == true
            || place > 0 && words[place - 1].isCapitalized && !words[place].opensClause
    }

    /// Whether the claim speaks of a story, a text or an article, and the report does not.
    func isAboutText(_ claim: [Word]) -> Bool {
        claim.map(\.key).filter(lexicon.aboutText.contains).contains { key in
            !title.contains(key) && !sentences.contains { $0.keys.contains(key) }
        }
    }
}
