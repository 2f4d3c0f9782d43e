/// Where a grounded sentence may leave the source sentence it follows and go on in another place of the same article.
/// A join needs the last words before it to stand in both places.
///
/// Chosen by reading every joined sentence of 250 answers (200 summaries and 50 digests of Wikinews articles, greedy,
/// a half-trained model of 5.8M, which joins wherever it can):
///
/// | within | across | limit | sentences | joined | nonsense or false |
/// |--------|--------|-------|-----------|--------|-------------------|
/// | 2      | 3      | 2     | 398       | 34     | about 20          |
/// | 3      | 4      | 1     | 399       | 7      | 1                 |
/// | 4      | 5      | 1     | 395       | 0      | 0                 |
import PulseText

struct JoinRules: Hashable {
    /// Words that must agree for a join further on in the same sentence, which leaves something out.
    var contextWithin = 3
    /// Words that must agree for a join into another sentence, which says two things in one: one more, because fewer
    /// are often a name, and what the one sentence says of it would be said in the other's terms.
    var contextAcross = 4
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
