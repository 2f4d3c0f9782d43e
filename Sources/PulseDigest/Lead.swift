import PulseCore
import PulseText

/// Finds the sentence that tells an article's news: the first that is no caption, or a later one where the first has
/// hardly anything to do with the title. This is the rule “lead unless” of docs/digest.md, with its figures.
struct Lead {
    /// How many pieces of a text are read, to find how many sentences.
    private static let mostPieces = 9
    static let reach = 4
    /// The first sentence is replaced where it has less than `little` of its title, by one that has `muchMore` on top.
    private static let little = 0.3
    private static let muchMore = 0.3
    /// In words, of a sentence that replaces the first.
    private static let longest = 40
    /// In scalars; nine sentences are hardly ever longer.
    private static let front = 6000

    let article: Article
    let lexicon: LeadWords?
    /// The first pieces of the text.
    let pieces: [String]
    /// The first sentences that are no captions; without a lexicon, the first sentences.
    let candidates: [String]

    init(_ article: Article) {
        self.article = article
        let lexicon = article.writtenLanguage.flatMap(Language.init)?.lead
        self.lexicon = lexicon
        pieces = Sentences.split(String(article.body.unicodeScalars.prefix(Lead.front)), most: Lead.mostPieces)
        var (sentences, telling): ([String], [String]) = ([], [])
        for (index, piece) in pieces.enumerated() where telling.count < Lead.reach {
            guard Sentence.isWhole(piece), lexicon?.isCaption(piece) != true else { continue }
            sentences.append(piece)
            let next = index + 1 < pieces.count ? pieces[index + 1] : ""
            if lexicon?.isLabel(piece, before: next) != true { telling.append(piece) }
        }
        // What looks like captions to the last may be all that there is.
        candidates = telling.isEmpty ? Array(sentences.prefix(Lead.reach)) : telling
    }

    /// The sentence that tells the article; nil where it has none.
    ///
    /// - Parameter isWanted: Which sentences may.
    func sentence(_ weights: Weights, where isWanted: (String) -> Bool = { _ in true }) -> String? {
        let candidates = candidates.filter(isWanted)
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

extension LeadWords {
    private static let fewestWords = 6

    /// Whether a piece of a text is a caption, a heading, an address or a fragment, rather than a sentence.
    func isCaption(_ text: String) -> Bool {
        guard text.wordCount >= LeadWords.fewestWords, text.first?.isLowercase != true, !text.hasSuffix("…"),
            !LeadWords.hasAny(["(left)", "(right)", "(center)"], beginning: "(", text),
            !LeadWords.hasAny(["://"], beginning: ":", text), isBalanced(text)
        else { return true }
        return isCredit(text)
    }

    /// Whether a text begins as in “Photo: …”.
    private func isCredit(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
        let front = text.prefix { $0 != ":" && !$0.isPunctuation }
        return text.dropFirst(front.count).first == ":" && Terms.words(of: front).contains(where: captions.contains)
    }

    /// Whether what ends as a sentence does is a heading or a caption all the same: a credit follows it, or it has
    /// hardly more than names, numbers and what joins them. No list of verbs is whole, so that a sentence has none of
    /// them says nothing by itself; that it has one, speaks for it.
    func isLabel(_ text: String, before next: String) -> Bool {
        guard !hasVerb(text), !isBesideVerb(text) else { return false }
        return isCredit(next) || commonWords(in: text) < LeadWords.fewestCommonWords
    }

    private static let fewestCommonWords = 4

    /// How many words begin small and carry a meaning.
    private func commonWords(in text: String) -> Int {
        text.split(whereSeparator: \.isSpace).count { word in
            var parts = word.drop { !$0.isAlphabetic }.prefix { $0.isAlphabetic || "-'’".contains($0) }
                .split { "'’".contains($0) }[...]
            if let first = parts.first, elisions.contains(String(first)) { parts = parts.dropFirst() }
            guard let first = parts.first, first.first?.isLowercase == true else { return false }
            return !stopWords.contains(String(first))
        }
    }

    /// Looks for one byte first, which most sentences do not have.
    private static func hasAny(_ marks: [String], beginning sign: Unicode.Scalar, _ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: sign)) && marks.contains(where: text.contains)
    }

    /// Whether the sentence has as many opening as closing quotation marks. Otherwise it is part of a longer quotation.
    private func isBalanced(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count { $0 == "\"" }.isMultiple(of: 2)
            && quotes.map(\.unicodeScalars).allSatisfy { pair in
                scalars.count { $0 == pair.first } == scalars.count { $0 == pair.last }
            }
    }

    /// Whether a sentence has a word that is a verb as far as is known.
    func hasVerb(_ text: String) -> Bool { Terms.words(of: text).contains(where: isVerb) }

    /// Whether a word of the sentence, such as “not”, says that there is a verb.
    private func isBesideVerb(_ text: String) -> Bool {
        Terms.words(of: text).contains { word in
            word.split(separator: "'").contains { besideVerbs.contains(String($0)) }
        }
    }

    /// Whether a word is probably a verb.
    func isVerb(_ word: String) -> Bool {
        verbs.contains(word) || word.count > 4 && verbEndings.contains { word.hasSuffix($0) }
    }

    /// Whether a sentence can be understood without what stood before it. Stricter than `pointsBack`, because it
    /// decides whether the sentence may replace the first.
    func standsAlone(_ sentence: String) -> Bool {
        let words = Terms.words(of: sentence)
        guard let first = words.first, !isHarmless(sentence) else { return !words.isEmpty }
        return !pointsBack(sentence) && !isDefinite(first) && !words.prefix(8).contains(where: early.contains)
            && sentence.first.map("\"“'‘«".contains) == false
    }

    /// Whether a word is an article or the like; of “l'armée”, the `l` is.
    func isDefinite(_ word: String) -> Bool {
        definite.contains(word) || elision(of: word).map(definite.contains) == true
    }

    /// The `l` of “l'armée”.
    private func elision(of word: String) -> String? {
        let front = word.prefix { $0 != "'" }
        return front.count < word.count && elisions.contains(String(front)) ? String(front) : nil
    }

    /// Whether a sentence begins with a pronoun or a connective, so that it needs its title in front of it.
    func pointsBack(_ sentence: String) -> Bool {
        guard let first = Terms.words(of: sentence).first, !isHarmless(sentence) else { return false }
        let word = first.prefix { $0 != "'" }
        return pronouns.contains(String(word)) || connectives.contains(first)
    }

    /// Whether a sentence speaks of a thing by “the” and names nothing, and its title has a name that says which:
    /// “The bridge reopened on Monday” below “Lisbon bridge reopens”.
    func leans(_ sentence: String, on title: String) -> Bool {
        guard let first = Terms.words(of: sentence).first, isDefinite(first), sentence.names.isEmpty else {
            return false
        }
        let told = Terms.set(of: sentence)
        return title.split(whereSeparator: \.isSpace).contains { word in
            word.first { $0.isAlphabetic }?.isCapital == true
                && !Terms.set(of: String(word)).isSubset(of: told)
        }
    }

    private func isHarmless(_ sentence: String) -> Bool {
        let front = sentence.prefix(40).lowercased()
        return harmless.contains { front.hasPrefix($0 + " ") }
    }
}

extension String {
    var wordCount: Int { split(whereSeparator: \.isSpace).count }

    /// Whether a name or a number stands behind the first word.
    var hasNameOrNumber: Bool {
        split(whereSeparator: \.isSpace).dropFirst().contains { word in
            word.contains(where: \.isNumeric) || word.isName
        }
    }

    /// The names behind the first word, days and months apart.
    var names: [Substring] {
        split(whereSeparator: \.isSpace).dropFirst().filter { word in
            word.isName && !String.calendar.contains(word.filter(\.isLetter).lowercased())
        }
    }

    /// English writes these as it does names; the program's other languages write them small.
    private static let calendar: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "may", "june", "july", "august", "september", "october", "november", "december",
    ]
}

extension Substring {
    fileprivate var isName: Bool {
        first { $0.isAlphabetic }?.isCapital == true && contains { $0.isLowercase || count > 1 }
    }
}
