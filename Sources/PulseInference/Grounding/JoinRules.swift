/// Where a grounded sentence may leave the source sentence it follows and go on in another place of the same article.
/// A join needs the last words before it to stand in both places.
///
/// Chosen by reading every joined sentence of some 250 answers (200 summaries and 50 digests of Wikinews articles,
/// greedy, one join a sentence at most but for the first row), first of a half-trained model of 5.8M, which joins
/// wherever it can, then of the same model fully trained:
///
/// | model        | within | across | sentences | joined | nonsense or false |
/// |--------------|--------|--------|-----------|--------|-------------------|
/// | half-trained | 2      | 3      | 398       | 34     | about 20          |
/// | half-trained | 3      | 4      | 399       | 7      | 1                 |
/// | half-trained | 4      | 5      | 395       | 0      | 0                 |
/// | trained      | 3      | 4      | about 500 | 15     | 9                 |
///
/// A good join saves a few words, a bad one costs the reader's trust: hence the strictest of these.
import PulseText

struct JoinRules: Hashable {
    /// Words that must agree for a join further on in the same sentence, which leaves something out.
    var contextWithin = 4
    /// Words that must agree for a join into another sentence, which says two things in one: one more, because fewer
    /// are often a name, and what the one sentence says of it would be said in the other's terms.
    var contextAcross = 5
    /// Joins in one sentence. With more, what is left of either source is too little to be true.
    var limit = 1

    /// No join at all: sentences are copied whole.
    static let none = JoinRules(limit: 0)

    /// Whether words are enough to join by. Not the words everyone uses ("one of the"), and not where the last is a
    /// number: what it counts stands behind it.
    static func canJoin(by words: ArraySlice<String>) -> Bool {
        guard let last = words.last, !last.contains(where: \.isNumber) else { return false }
        return words.contains { word in Words.all(in: word).contains(where: Words.isContent) }
    }
}
