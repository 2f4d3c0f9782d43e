import PulseCore
import PulseText

/// Why a rule refuses a claim.
package enum ParaphraseRule: String, Sendable, CaseIterable {
    /// A number that no article has.
    case number
    /// The claim is negated and the evidence is not, or the other way round.
    case negation
    /// The opposite of a word of the evidence: “rose” for “fell”.
    case opposite
    /// The evidence has a hedge such as “alleged”, and the claim has none.
    case droppedHedge
    /// The claim has a hedge such as “may”, and the evidence has none.
    case addedHedge
    /// The claim names another speaker than the evidence.
    case speaker
    /// The claim has a subject with a description, and no main verb.
    case fragment
}

/// The English words that the rules of `SentenceCheck` look for; `Lists/claim-words.txt` says what each list is for.
enum ParaphraseWords {
    private static let lists = EmbeddedLists.words(PackageResources.claim_words_txt)

    static let functionWords = lists["functionWords", default: []]
    static let negations = lists["negations", default: []]
    private static let plainNegations = lists["plainNegations", default: []]
    private static let fillers = lists["fillers", default: []]
    static let limits = lists["limits", default: []]
    static let doubts = lists["doubts", default: []]
    static let open = doubts.union(lists["open", default: []])
    static let saying = lists["saying", default: []]
    private static let relatives = lists["relatives", default: []]

    static let opposites: [(Set<String>, Set<String>)] = {
        let list = EmbeddedLists.read(PackageResources.claim_words_txt).first { $0.name == "opposites" }
        return (list?.lines ?? []).map { row in
            let sides = row.split(separator: "|").map { Set(EmbeddedLists.words(in: $0)) }
            return (sides[0], sides[1])
        }
    }()

    private static let numbers = Language.english.countLexicon.numbers

    /// The keys of the negated words: of “sell” in “does not yet sell cars”.
    static func denied(in text: String) -> Set<String> {
        let words = TokenizedSentence.words(text.replacing("’", with: "'").replacing("n't", with: " not")).map {
            $0.lowercased()
        }
        var (keys, next): (Set<String>, String?) = ([], nil)
        for word in words.reversed() {
            if let next, plainNegations.contains(word) { keys.insert(TokenizedSentence.key(next)) }
            if !functionWords.contains(word), !negations.contains(word), !fillers.contains(word) { next = word }
        }
        return keys
    }

    /// Whether a text's only verbs are in a description after a comma: “The life of Ana, who was born in Lima.” False
    /// if it has no such description, because its verb may be missing from the lists.
    static func isFragment(_ text: String) -> Bool {
        let lexicon = Language.english.leadLexicon
        let clauses = text.lowercased().split { ",;:–—()".contains($0) }.map { TokenizedSentence.words(String($0)) }
        var described = false
        for (place, words) in clauses.enumerated() {
            var own = words[...]
            if relatives.contains(words.first.map(String.init) ?? "") {
                own = []
            } else if place == 1, let first = words.firstIndex(where: { !$0.hasSuffix("ly") }),
                words[first].hasSuffix("ed") || words[first].hasSuffix("ing")
            {
                // “…, previously feared extinct.”
                own = words[(first + 1)...]
            }
            described = described || own.count < words.count
            if own.contains(where: { lexicon.isVerb(String($0)) }) { return false }
        }
        return described && !text.contains { "'’".contains($0) }
    }

    /// Whether the text quotes somebody.
    static func isSpeech(_ text: String) -> Bool {
        let words = all(in: text)
        return !words.isDisjoint(with: saying) || words.contains("according") || text.contains { "\"“”".contains($0) }
    }

    /// The keys of the speakers' names: “Minister Anna Kouri said”, “according to Reuters”.
    static func speakers(in text: String) -> Set<String> {
        let words = TokenizedSentence.words(text)
        var speakers: Set<String> = []
        for (place, word) in words.enumerated() {
            var name: Substring?
            if saying.contains(word.lowercased()) {
                // There are at most three words between the name and the verb.
                name = words[..<place].suffix(4).last { $0.first?.isUppercase == true }
            } else if word.lowercased() == "according", place + 2 < words.count, words[place + 1] == "to" {
                name = words[(place + 2)...].prefix { $0.first?.isUppercase == true }.last
            }
            if let name, !functionWords.contains(name.lowercased()), name != "Some" {
                speakers.insert(TokenizedSentence.key(name))
            }
        }
        return speakers
    }

    /// A text's words as these lists spell them. “isn't” also gives “n't”. “May” is left out: it is a month.
    static func all(in text: String) -> Set<String> {
        var all = Set(TokenizedSentence.words(text).filter { $0 != "May" }.map { $0.lowercased() })
        if text.replacing("’", with: "'").lowercased().contains("n't") { all.insert("n't") }
        return all
    }

    /// The digits of a number that is written in digits or as a word; nil for other words.
    static func number(_ word: some StringProtocol) -> String? {
        guard word.first?.isNumber == true else { return numbers[word.lowercased()] }
        return String(word.filter { $0 != "," })
    }
}
