import PulseCore
import PulseText

/// An article, split into words once for all sentences that are checked against it.
struct SourceText: Sendable {
    let id: String
    let lexicon: QuotationLexicon
    private let verbs: LeadLexicon
    /// Each sentence: its text as `bare` returns it, its words, and their keys.
    private let sentences: [(bare: String, words: [Word], keys: [String])]
    /// The words of its title.
    private let title: Set<String>
    /// Whether it has “I” or “we” outside quotation marks.
    private let hasNarrator: Bool

    /// In words. A longer sentence is a list, or an attack.
    private static let longestSentence = 300
    /// How many quoted words may lose their quotation marks: they may be a name.
    private static let quotedPhrase = 3

    init(_ article: Article) {
        id = article.id
        let language = article.language(or: .english)
        (lexicon, verbs) = (language.quotationLexicon, language.leadLexicon)
        title = Set(SentenceWords(article.title, lexicon).words.map(\.key))
        var sentences: [(String, [Word], [String])] = []
        let own = lexicon.firstPerson
        var hasNarrator = false
        for paragraph in article.body.split(whereSeparator: \.isNewline) {
            // A quotation that is never closed ends with its paragraph.
            var isQuoteOpen = false
            for sentence in Sentences.split(String(paragraph)) {
                let line = SentenceWords(sentence, lexicon, isQuoteOpen: isQuoteOpen)
                isQuoteOpen = line.isQuoteOpen
                let words = Array(line.words.prefix(SourceText.longestSentence))
                hasNarrator =
                    words.indices.contains {
                        own.contains(words[$0].key) && !words[$0].isQuoted && !SourceText.isNumeral($0, of: words)
                    } || hasNarrator
                sentences.append((SourceText.bare(sentence), words, words.map(\.key)))
            }
        }
        self.sentences = sentences
        self.hasNarrator = hasNarrator
    }

    /// The text without white space and quotation marks.
    private static func bare(_ text: String) -> String {
        text.filter { !$0.isWhitespace && !"\"“”„«»'‘’".contains($0) }
    }

    // MARK: - Comparing

    /// The words of the sentence that equals the text but for white space and quotation marks; nil: none does.
    func sentence(copiedBy text: String) -> [Word]? {
        let bare = SourceText.bare(text)
        return bare.isEmpty ? nil : sentences.first { $0.bare == bare }?.words
    }

    /// Whether a sentence of the article has these consecutive words, or begins with the text.
    func holds(_ words: [Word], _ text: String) -> Bool {
        let (keys, bare) = (words.map(\.key), SourceText.bare(text))
        return sentences.contains { $0.keys.firstRange(of: keys) != nil || $0.bare.hasPrefix(bare) }
    }

    func isOfTitle(_ claim: [Word]) -> Bool { claim.allSatisfy { title.contains($0.key) } }

    /// The article's sentences, as `bare` returns them, that the claim repeats, whole or without words at their ends.
    ///
    /// The claim's words must be consecutive words of one sentence, not counting `QuotationLexicon.free`. Looser rules
    /// were measured with a small model's sentences: some new words, words left out in the middle, inflections, two
    /// sentences in one, other forms of numbers and days. Each passed more false sentences than true ones, or too few
    /// true ones to be worth it.
    func sentences(saying claim: [Word]) -> [String] {
        guard claim.count >= 3 else { return [] }
        let keys = claim.map(\.key)
        return sentences.filter { said in
            guard let range = said.keys.firstRange(of: keys) else { return false }
            return keepsQuotes(of: said.words[range], in: claim) && isEnough(range, of: said.words)
        }.map(\.bare)
    }

    func hasSentence(endingIn text: String) -> Bool {
        let letters = SourceText.letters(text)
        return sentences.contains { SourceText.letters($0.bare).hasSuffix(letters) }
    }

    /// A text's letters and digits. A copy may have other marks and capitals.
    static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Whether a sentence stays true when only the words in the range are left.
    private func isEnough(_ range: Range<Int>, of said: [Word]) -> Bool {
        let (front, end) = (said[..<range.lowerBound], said[range.upperBound...])
        // Less than half of a sentence is a phrase, such as “On Thursday evening.”
        guard 2 * range.count >= said.count else { return false }
        // The speaker and the conditions must not be lost.
        let isBound = (front + end).contains {
            lexicon.speaking.contains($0.key) || lexicon.conditions.contains($0.key)
        }
        if isBound { return false }
        // A dateline such as “LONDON (Reuters) -” may be left out. Other words at the front are the subject, or a time.
        if let place = front.first {
            guard place.isAcronym, front.allSatisfy(\.isCapitalized), said[range.lowerBound].opensClause else {
                return false
            }
        }
        // The end may be left out from a comma on, unless the comma belongs to a list. An end without a comma may be a
        // restriction.
        guard let next = end.first else { return true }
        // A verb there belongs to the front: “after talks with the union, Unite, collapsed”. “, based in Lima” may go.
        // Keys lack accents: “a” may be “à”.
        let isParticiple = next.key.hasSuffix("ed") && end.count > 2
        guard isParticiple || next.key.count < 3 || !verbs.isVerb(next.key) else { return false }
        return next.opensClause && !end.contains { lexicon.listJoiners.contains($0.key) }
    }

    // MARK: - Reasons to refuse

    /// Whether the claim has the quotation marks of the article's sentence, except around a few words.
    func keepsQuotes(of said: ArraySlice<Word>, in claim: [Word]) -> Bool {
        zip(said, claim).count { $0.isQuoted && !$1.isQuoted && !$0.isCapitalized } <= SourceText.quotedPhrase
    }

    /// Whether the claim has “I” or “we” outside a quotation with its speaker. In “Francis I” it is a numeral, unless
    /// the article has a narrator.
    func isFirstPerson(_ claim: [Word]) -> Bool {
        let speaks = claim.indices.contains {
            lexicon.firstPerson.contains(claim[$0].key) && (hasNarrator || !SourceText.isNumeral($0, of: claim))
        }
        return speaks
            && !(claim.contains(where: \.isQuoted)
                && claim.contains { !$0.isQuoted && lexicon.speaking.contains($0.key) })
    }

    /// Whether a word is the “I” of “World War I” or “the I-95”.
    private static func isNumeral(_ place: Int, of words: [Word]) -> Bool {
        guard words[place].key == "i" else { return false }
        let next = words.dropFirst(place + 1).first
        return next?.key.first?.isNumber == true
            || place > 0 && words[place - 1].isCapitalized && !words[place].opensClause
    }

    /// Whether the claim mentions a story, a text or the like, and the article does not.
    func isAboutText(_ claim: [Word]) -> Bool {
        claim.map(\.key).filter(lexicon.aboutText.contains).contains { key in
            !title.contains(key) && !sentences.contains { $0.keys.contains(key) }
        }
    }
}

/// A word or a number in a sentence.
struct Word: Sendable {
    /// For comparing: the word as `Words.folded` returns it, without a possessive `'s`. An acronym keeps its capitals,
    /// so that `US` is not `us`.
    let key: String
    let isAcronym: Bool
    let isCapitalized: Bool
    let isQuoted: Bool
    /// Whether it is the first word, or follows a comma or the like.
    let opensClause: Bool
}

struct SentenceWords: Sendable {
    /// Without `QuotationLexicon.free`.
    private(set) var words: [Word] = []
    /// Whether a quotation is open at the end of the sentence.
    private(set) var isQuoteOpen: Bool
    private var opensClause = true
    private let hasSmallLetters: Bool

    /// - Parameter isQuoteOpen: Whether an earlier sentence opened a quotation that is still open.
    init(_ sentence: String, _ lexicon: QuotationLexicon, isQuoteOpen: Bool = false) {
        self.isQuoteOpen = isQuoteOpen
        hasSmallLetters = sentence.contains(where: \.isLowercase)
        let text = Array(sentence)
        var index = 0
        while index < text.count {
            let end = SentenceWords.endOfWord(in: text, from: index)
            if end == index {
                read(text[index], before: index + 1 < text.count ? text[index + 1] : " ")
            } else if let word = word(text[index..<end], behind: text[..<index].last), !lexicon.free.contains(word.key)
            {
                words.append(word)
                opensClause = false
            }
            index = max(end, index + 1)
        }
    }

    // MARK: - Splitting

    /// The end of the word that begins at an index; the same index if none does.
    ///
    /// A word consists of letters and digits, the points between them (“U.S.”, “3.4”), and the commas and colons
    /// between digits (“1,200”, “10:30”). A currency or percent sign is a word, too. An apostrophe ends a word: “I'm”
    /// is two.
    private static func endOfWord(in text: [Character], from start: Int) -> Int {
        func isDigit(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isNumber }
        func isPart(_ index: Int) -> Bool { isDigit(index) || text.indices.contains(index) && text[index].isLetter }
        func joins(_ index: Int) -> Bool {
            guard index > start, index < text.count else { return false }
            return text[index] == "." && isPart(index + 1)
                || ",:".contains(text[index]) && isDigit(index - 1) && isDigit(index + 1)
        }
        if "%$€£¥".contains(text[start]) { return start + 1 }
        // The minus of “-5”, but not the hyphen of “10-15”.
        let isMinus =
            "-\u{2212}".contains(text[start]) && isDigit(start + 1) && (start == 0 || text[start - 1].isWhitespace)
        var end = isMinus ? start + 1 : start
        while isPart(end) || joins(end) { end += 1 }
        return end
    }

    private mutating func read(_ sign: Character, before next: Character) {
        switch sign {
        case "\"": isQuoteOpen.toggle()
        case "“", "„", "«": isQuoteOpen = true
        case "”", "»": isQuoteOpen = false
        default: break
        }
        // A full stop inside a sentence ends an abbreviation, so it is not listed. A hyphen before a space is a dash.
        if ",;:()[]–—\"“”„«»!?…".contains(sign) || sign == "-" && next.isWhitespace { opensClause = true }
    }

    /// Nil for the `s` of “Julia's”.
    private func word(_ text: ArraySlice<Character>, behind last: Character?) -> Word? {
        let isNumber = text.contains(where: \.isNumber)
        let text = String(isNumber ? text.map { $0 == "\u{2212}" ? "-" : $0 } : text.filter { $0 != "." })
        if text == "s", let last, "'’".contains(last) { return nil }
        let isCapitalized = text.first?.isUppercase == true
        let isAcronym =
            hasSmallLetters && isCapitalized && text.count > 1 && text.allSatisfy { $0.isUppercase || $0.isNumber }
        return Word(
            key: isAcronym ? text : Words.folded(text), isAcronym: isAcronym, isCapitalized: isCapitalized,
            isQuoted: isQuoteOpen, opensClause: opensClause)
    }
}
