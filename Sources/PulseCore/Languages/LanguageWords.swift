import PulseText

/// The words by which an article's lead sentence is chosen and shortened. All in lower case.
///
/// The English lists are those that rule V2 was measured with (docs/digest.md); the others correspond to them.
package struct LeadWords: Sendable {
    /// Pairs of quotation marks, opening and closing. A whole sentence has as many of each.
    package var quotes: [String]
    /// Whether a space belongs before a semicolon.
    package var setsSemicolonsApart: Bool
    /// What an apostrophe separates from the next word: `l` of “l'article”.
    package var elisions: Set<String>
    /// Words without a meaning of their own. Articles in any language are compared with one list, so a word that means
    /// something in another of the program's languages must not be in it.
    package var stopWords: Set<String>
    /// Verbs, and endings that only verbs of five letters or more have. A sentence with a verb is no heading and no
    /// caption.
    package var verbs: Set<String>
    package var verbEndings: [String]
    /// Words that only occur beside a verb, known or not: “not”, “who”.
    package var besideVerbs: Set<String>
    /// A sentence that begins with one of these refers to an earlier sentence.
    package var pronouns: Set<String>
    /// So does one that begins with one of these.
    package var connectives: Set<String>
    /// A sentence that begins with one of these may be a lead, but does not replace the article's first sentence.
    package var definite: Set<String>
    /// Pronouns and connectives that refer back anywhere among a sentence's first words.
    package var early: Set<String>
    /// Beginnings that look like a pronoun but refer to nothing: “this week”, “it was”.
    package var harmless: [String]
    /// Words that begin a caption.
    package var captions: Set<String>
    /// Words for a day, which are wrong on any other day. A longer one comes before its own beginning.
    package var days: [String]
    /// Words after one of `days` that change its meaning: “yesterday evening”.
    package var daysGoOn: Set<String>
    /// Words before one of `days` that cannot stay without it: “on today”.
    package var prepositions: Set<String>
    /// Words that, after a comma, begin a last clause that a long sentence can lose.
    package var clauses: [String]
}

/// The words by which a model's sentence is checked against the reports. All in the form of `Words.folded`.
package struct CheckWords: Sendable {
    /// Articles and the like, which may be added or left out anywhere. All others count.
    package var free: Set<String>
    /// Words that make a statement conditional or limit it: “if”, “but”, “except”.
    package var conditions: Set<String>
    /// Conjunctions in lists.
    package var listJoiners: Set<String>
    package var firstPerson: Set<String>
    /// Verbs of speaking, and the like.
    package var speaking: Set<String>
    /// Words for the given text or the model's own answer.
    package var aboutText: Set<String>
    /// Words before a colon in a prompt.
    package var labels: Set<String>
}

/// The words of a text, in order.
func list(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

func words(_ text: String) -> Set<String> { Set(list(text)) }

func folded(_ text: String) -> Set<String> { Set(list(text).map(Words.folded)) }
