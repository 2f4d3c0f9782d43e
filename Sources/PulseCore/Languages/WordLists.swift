import PulseText

/// The words by which a digest finds the sentence that tells an article, and shortens it. All in lower case.
///
/// The English lists are those that rule V2 was measured with (docs/digest.md); the others mirror them.
package struct LeadWords: Sendable {
    /// Pairs of quotation marks, each opening and closing, that a whole sentence has as many of on either side.
    package var quotes: [String]
    /// Whether a space belongs before a semicolon.
    package var setsSemicolonsApart: Bool
    /// What stands before an apostrophe without being a part of the word: `l` of “l'article”.
    package var elisions: Set<String>
    /// Words that carry no meaning by themselves. Articles are compared without asking for their language, so a word
    /// that means something in another of the program's languages must not be in here.
    package var stopWords: Set<String>
    /// Words that are verbs, and endings that words of five letters or more have only as verbs. A sentence that has one
    /// is no heading and no caption.
    package var verbs: Set<String>
    package var verbEndings: [String]
    /// Words that stand where there is a verb, known or not: “not”, “who”.
    package var besideVerbs: Set<String>
    /// A sentence that begins with one of these refers to what stood before it.
    package var pronouns: Set<String>
    /// So does one that begins with one of these.
    package var connectives: Set<String>
    /// Weaker: a sentence that begins with one of these does not take the place of the article's first.
    package var definite: Set<String>
    /// Pronouns and connectives that have the same effect anywhere among a sentence's first words.
    package var early: Set<String>
    /// Beginnings that look like a pronoun and refer to nothing: “this week”, “it was”.
    package var harmless: [String]
    /// Words that begin a caption.
    package var captions: Set<String>
    /// Words for a day that are wrong on any other; where one begins with another, the longer comes first.
    package var days: [String]
    /// Words behind one of those that change its meaning: “yesterday evening”.
    package var daysGoOn: Set<String>
    /// Words before one of those that cannot stand without it: “on today”.
    package var prepositions: Set<String>
    /// Words that begin, behind a comma, a last clause that a long sentence can do without.
    package var clauses: [String]
}

/// The words by which a model's sentence is checked against the reports. All as `Words.folded` leaves them.
package struct CheckWords: Sendable {
    /// Words that may be added or left out anywhere: articles and the like. All others count.
    package var free: Set<String>
    /// What makes a sentence depend on something else, or takes part of it back: “if”, “but”, “except”.
    package var conditions: Set<String>
    /// What joins the members of a list.
    package var listJoiners: Set<String>
    package var firstPerson: Set<String>
    /// What says that somebody says something.
    package var speaking: Set<String>
    /// What a model calls the text that it was given, or its own.
    package var aboutText: Set<String>
    /// What stands before a colon in a prompt.
    package var labels: Set<String>
}

/// The words of a text that white space divides.
func list(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

func words(_ text: String) -> Set<String> { Set(list(text)) }

func folded(_ text: String) -> Set<String> { Set(list(text).map(Words.folded)) }
