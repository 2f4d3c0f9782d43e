import PulseCore
import PulseText

/// Finds an article's lead sentence: the first that is no caption, or a later one where the first has hardly any word
/// of the title: step 3 of the rule in docs/digest.md.
struct Lead {
    /// How many pieces of a text are read, and how many sentences become candidates.
    private static let mostPieces = 9
    static let reach = 4
    /// If the first sentence has less than `little` of its title's weight, it is replaced by one that has at least
    /// `muchMore` more of it.
    private static let (little, muchMore) = (0.3, 0.3)
    /// The most words of a sentence that replaces the first.
    private static let longest = 40
    /// In scalars; nine sentences are hardly ever longer.
    private static let front = 6000
    /// Fewest items of a fact sheet; most characters and words before an item's mark.
    private static let (fewestItems, longestHead, mostHeadWords) = (3, 24, 3)

    let article: Article
    let lexicon: LeadLexicon?
    let pieces: [String]
    /// The first sentences that are no captions or labels; without a lexicon, the first sentences.
    let candidates: [String]
    /// The pieces before those of a fact sheet.
    private let text: ArraySlice<String>
    /// `text` without captions and fragments.
    var sentences: [String] { text.filter { Lead.isSentence($0, lexicon) } }

    init(_ article: Article) {
        self.article = article
        let lexicon = article.supportedLanguage?.leadLexicon
        self.lexicon = lexicon
        let pieces = Sentences.split(String(article.body.unicodeScalars.prefix(Lead.front)), most: Lead.mostPieces)
            .filter { !AssistantOrders.isOrder($0) }
        self.pieces = pieces
        let items = pieces.indices.filter { Lead.isItem(pieces[$0]) }
        // The items of a fact sheet are no sentences; what stands before them may be.
        text = items.count >= Lead.fewestItems ? pieces[..<items[0]] : pieces[...]
        var (first, news): ([String], [String]) = ([], [])
        for (index, piece) in text.enumerated() where news.count < Lead.reach {
            guard Lead.isSentence(piece, lexicon) else { continue }
            first.append(piece)
            let next = index + 1 < pieces.count ? pieces[index + 1] : ""
            if lexicon?.isLabel(piece, before: next) != true { news.append(piece) }
        }
        // Where all sentences look like labels, they may be all there is.
        candidates = news.isEmpty ? Array(first.prefix(Lead.reach)) : news
    }

    private static func isSentence(_ piece: String, _ lexicon: LeadLexicon?) -> Bool {
        Sentence.isWhole(piece) && lexicon?.isCaption(piece) != true && !isCounted(piece)
    }

    /// Whether a piece of text is a picture's caption with its number: “2 of 9 | The dam …”, “[1/3]The dam …”.
    private static func isCounted(_ piece: String) -> Bool {
        guard let first = piece.first, first == "[" || first.isNumber else { return false }
        return piece.prefixMatch(of: #/\[?\d{1,3}(?:\/| (?:of|de|sur|von|di) )\d{1,3}(?:\]\S| \|)/#) != nil
    }

    /// Whether a piece of text begins like “Where: the harbour”, “- How: by rope”, “61 - minutes to go”, “1. The day”.
    private static func isItem(_ piece: String) -> Bool {
        let text = piece.drop { !$0.isLetter && !$0.isNumber }.prefix(longestHead + 3)
        let head = text.prefix { $0 != ":" && !"-–—".contains($0) }
        let rest = text.dropFirst(head.count)
        let place = text.prefix(while: \.isNumber)
        let sign = text.dropFirst(place.count).prefix(2)
        if (1...2).contains(place.count), sign == ". " || sign == ") " { return true }
        guard head.count <= longestHead, String(head).wordCount <= mostHeadWords, let mark = rest.first,
            rest.dropFirst().first == " "
        else { return false }
        return mark == ":" || head.first?.isNumber == true && rest.dropFirst(2).first?.isLowercase == true
    }

    /// The lead sentence; nil if there is none.
    ///
    /// - Parameter isWanted: Which sentences may be chosen.
    func sentence(_ weights: Weights, where isWanted: (String) -> Bool = { _ in true }) -> String? {
        let wanted = candidates.filter(isWanted)
        let telling = wanted.filter { !repeatsTitle($0) }
        let candidates = telling.isEmpty ? wanted : telling
        guard let first = candidates.first, let lexicon else { return candidates.first }
        let overlap = weights.overlap(first, article.title)
        guard overlap < Lead.little else { return first }
        var (chosen, needed) = (first, overlap + Lead.muchMore)
        for other in candidates.dropFirst() where lexicon.standsAlone(other) {
            guard other.wordCount <= Lead.longest, other.hasNameOrNumber else { continue }
            let overlap = weights.overlap(other, article.title)
            if overlap >= needed { (chosen, needed) = (other, overlap.nextUp) }
        }
        return chosen
    }

    /// Whether a sentence is a question or a quotation that the title has, too.
    private func repeatsTitle(_ sentence: String) -> Bool {
        guard sentence.last == "?" || sentence.isSpeech else { return false }
        let terms = Terms.set(of: sentence)
        return 2 * terms.intersection(Terms.set(of: article.title)).count >= terms.count
    }
}

extension LeadLexicon {
    private static let fewestWords = 6

    /// Whether a piece of text is a caption, heading, address or fragment, and no sentence.
    func isCaption(_ text: String) -> Bool {
        guard text.wordCount >= LeadLexicon.fewestWords, text.first?.isLowercase != true,
            !text.hasSuffix("…"), !text.hasSuffix("..."),
            !LeadLexicon.hasAny(["(left)", "(right)", "(center)"], beginning: "(", text),
            !LeadLexicon.hasAny(["://"], beginning: ":", text), isBalanced(text)
        else { return true }
        return isCredit(text)
    }

    /// Whether a text begins like “Photo: …”.
    private func isCredit(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
        let front = text.prefix { $0 != ":" && !$0.isPunctuation }
        return text.dropFirst(front.count).first == ":" && Terms.words(of: front).contains(where: captions.contains)
    }

    /// Whether a text that ends like a sentence is a heading or caption all the same: a credit follows it, or it is
    /// little more than names, numbers and function words. No list of verbs is complete: a verb proves a sentence, but
    /// the lack of one proves nothing.
    func isLabel(_ text: String, before next: String) -> Bool {
        guard !hasVerb(text), !isBesideVerb(text) else { return false }
        return isCredit(next) || commonWords(in: text) < LeadLexicon.fewestCommonWords
    }

    private static let fewestCommonWords = 4

    /// How many words begin in lower case and are no stop words.
    private func commonWords(in text: String) -> Int {
        text.split(whereSeparator: \.isSpace).count { word in
            var parts = word.drop { !$0.isAlphabetic }.prefix { $0.isAlphabetic || "-'’".contains($0) }
                .split { "'’".contains($0) }[...]
            if let first = parts.first, elisions.contains(String(first)) { parts = parts.dropFirst() }
            guard let first = parts.first, first.first?.isLowercase == true else { return false }
            return !stopWords.contains(String(first))
        }
    }

    /// Looks for the first character of the marks first, because that is fast and most texts lack it.
    private static func hasAny(_ marks: [String], beginning sign: Unicode.Scalar, _ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: sign)) && marks.contains(where: text.contains)
    }

    /// Whether a sentence has as many opening as closing quotation marks. Otherwise it is part of a longer quotation.
    private func isBalanced(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count { $0 == "\"" }.isMultiple(of: 2)
            && quotes.map(\.unicodeScalars).allSatisfy { pair in
                scalars.count { $0 == pair.first } == scalars.count { $0 == pair.last }
            }
    }

    func hasVerb(_ text: String) -> Bool { Terms.words(of: text).contains(where: isVerb) }

    /// Whether a word such as “not” shows that the sentence has a verb.
    private func isBesideVerb(_ text: String) -> Bool {
        Terms.words(of: text).contains { word in
            word.split(separator: "'").contains { besideVerbs.contains(String($0)) }
        }
    }

    func isVerb(_ word: String) -> Bool {
        verbs.contains(word) || word.count > 4 && verbEndings.contains { word.hasSuffix($0) }
    }

    /// Whether a sentence is clear without the sentences before it. Stricter than `pointsBack`, because it decides
    /// whether the sentence may replace the first.
    func standsAlone(_ sentence: String) -> Bool {
        let words = Terms.words(of: sentence)
        guard let first = words.first, !isHarmless(sentence) else { return !words.isEmpty }
        return !pointsBack(sentence) && !isDefinite(first) && !words.prefix(8).contains(where: early.contains)
            && sentence.first.map("\"“'‘«".contains) == false
    }

    /// Whether a word is a definite article or the like, as is the `l` of “l'armée”.
    func isDefinite(_ word: String) -> Bool {
        definite.contains(word) || elision(of: word).map(definite.contains) == true
    }

    /// The `l` of “l'armée”.
    private func elision(of word: String) -> String? {
        let front = word.prefix { $0 != "'" }
        return front.count < word.count && elisions.contains(String(front)) ? String(front) : nil
    }

    /// Whether a sentence begins with a pronoun or connective, or like “Q: …”, so that it needs its title before it.
    func pointsBack(_ sentence: String) -> Bool {
        guard let first = Terms.words(of: sentence).first, !isHarmless(sentence) else { return false }
        let word = first.prefix { $0 != "'" }
        return pronouns.contains(String(word)) || connectives.contains(first) || sentence.dropFirst().first == ":"
    }

    /// Whether a sentence begins with “the” and has no name, and the title has one: “The bridge reopened on Monday”
    /// below “Lisbon bridge reopens”.
    func relies(_ sentence: String, on title: String) -> Bool {
        guard let first = Terms.words(of: sentence).first, isDefinite(first), sentence.names.isEmpty else {
            return false
        }
        let terms = Terms.set(of: sentence)
        return title.split(whereSeparator: \.isSpace).contains { word in
            word.first { $0.isAlphabetic }?.isCapital == true
                && !Terms.set(of: String(word)).isSubset(of: terms)
        }
    }

    private func isHarmless(_ sentence: String) -> Bool {
        let front = sentence.prefix(40).lowercased()
        return harmless.contains { front.hasPrefix($0 + " ") }
    }
}

extension String {
    /// A quotation whose end is left out.
    var cutShort: String {
        var rest = self[...]
        while let last = rest.last, last.isWhitespace || ".,;:!?…".contains(last) { rest.removeLast() }
        return rest + " …"
    }

    var wordCount: Int { split(whereSeparator: \.isSpace).count }

    /// Whether there is a name or a number after the first word.
    var hasNameOrNumber: Bool {
        split(whereSeparator: \.isSpace).dropFirst().contains { word in
            word.contains(where: \.isNumeric) || word.isName
        }
    }

    /// The fewest terms of a sentence that is clear without a name.
    private static let fewestTerms = 5

    /// Whether a sentence has no name and no number, or no name and hardly a word: “Last week, 231 of you did.”
    var saysLittle: Bool { !hasNameOrNumber || names.isEmpty && Terms.set(of: self).count < Self.fewestTerms }

    /// Whether it is a quotation without its speaker.
    var isSpeech: Bool {
        // Spanish sets the full stop behind it.
        let text = last == "." ? dropLast() : self[...]
        guard let first = text.first, let last = text.last, "\"“‘'«„»".contains(first), "\"”’'»“«".contains(last)
        else { return false }
        let inner = text.dropFirst().dropLast()
        return !inner.contains { "\"“”«»".contains($0) } && !inner.contains(#/,['’]/#)
    }

    /// The names after the first word, without days and months.
    var names: [Substring] {
        split(whereSeparator: \.isSpace).dropFirst().filter { word in
            word.isName && !String.calendar.contains(word.filter(\.isLetter).lowercased())
        }
    }

    /// English capitalises these like names; the program's other languages do not.
    static let calendar: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "may", "june", "july", "august", "september", "october", "november", "december",
    ]
}

extension Substring {
    /// Whether a part of the word begins with a capital, such as the “Orlen” of “d'Orlen”.
    fileprivate var isName: Bool {
        split { "'’".contains($0) }.contains { $0.first { $0.isAlphabetic }?.isCapital == true && $0.count > 1 }
    }
}
