/// Where a grounded sentence may leave the source sentence it follows and go on in another place of the same article.
/// A join needs the last words before it to stand in both places.
import PulseText

struct JoinRules: Hashable {
    /// Words that must agree for a join further on in the same sentence, which leaves something out.
    var contextWithin = 2
    /// Words that must agree for a join into another sentence, which says two things in one. Two words are often a
    /// name, and what the one sentence says of it would then be said in the other's terms.
    ///
    /// At most one more than `contextWithin`: behind a join, that many words are known to be the place's own.
    var contextAcross = 3
    /// Joins in one sentence. With more, what is left of either source is too little to be true.
    var limit = 2

    /// No join at all: sentences are copied whole.
    static let none = JoinRules(limit: 0)

    /// Whether words are enough to join by. Not the words everyone uses ("of the"), and not where the last is a
    /// number: what it counts stands behind it.
    static func canJoin(by words: ArraySlice<String>) -> Bool {
        guard let last = words.last, !last.contains(where: \.isNumber) else { return false }
        return words.contains { word in Words.all(in: word).contains(where: Words.isContent) }
    }
}
