import Foundation
import PulseText

/// What two articles are compared by. A class, because most are told apart by their titles, and the rest is found out
/// when it is asked for.
final class StoryFingerprint {
    /// The content words of the title.
    let title: Set<String>
    /// The numbers of the title.
    private let titleNumbers: Set<String>
    /// The names and numbers at the front of the text.
    private lazy var facts: Set<String> = Sentences.split(
        String((article.content.isEmpty ? article.summary : article.content).prefix(StoryFingerprint.front))
    ).reduce(into: []) { $0.formUnion(Words.facts(in: $1)) }
    private let article: Article

    /// How much of a text is its front: where news says who, what, when and where.
    private static let front = 1200

    init(_ article: Article) {
        let words = Set(Words.all(in: article.title))
        title = words.filter(Words.isContent)
        titleNumbers = words.filter { $0.contains(where: \.isNumber) }
        self.article = article
    }

    /// Whether two articles tell the same event: their titles are alike, nothing in the titles speaks against it, and
    /// the names and numbers of their texts agree.
    ///
    /// Titles alone do not decide it. “Magnitude 5.8 earthquake shakes northern Orvanto” and “Magnitude 5.3 earthquake
    /// shakes southern Orvanto” are two events: numbers differ. “Rovers beat United” is a new event each year: days
    /// and facts differ.
    func matches(_ other: StoryFingerprint) -> Bool {
        if let mine = article.publishedAt, let theirs = other.article.publishedAt,
            abs(mine.timeIntervalSince(theirs)) > StoryFingerprint.longestGap
        {
            return false
        }
        let shared = title.intersection(other.title).count
        guard shared > 0 else { return false }
        // Jaccard's index; and of a title that says less than the other, how much of it the other holds, which is worth
        // somewhat less.
        let likeness = max(
            Double(shared) / Double(title.union(other.title).count),
            0.7 * Double(shared) / Double(min(title.count, other.title.count)))
        guard likeness >= 0.3 else { return false }
        // Where each title has a number that the other lacks, they speak of two events.
        guard titleNumbers.isSubset(of: other.titleNumbers) || other.titleNumbers.isSubset(of: titleNumbers) else {
            return false
        }
        guard !facts.isEmpty, !other.facts.isEmpty else {
            // Without texts only titles that one could have been made of the other will do.
            return likeness >= 0.6 && (title.isSubset(of: other.title) || other.title.isSubset(of: title))
        }
        let common = facts.intersection(other.facts).count
        let agreement = Double(common) / Double(min(facts.count, other.facts.count))
        // The less alike the titles, the more the texts must agree; a report and a feature share few facts.
        if likeness >= 0.7, common >= 3, agreement >= 0.15 { return true }
        if likeness >= 0.5 { return common >= 2 && agreement >= 0.35 }
        return common >= 3 && agreement >= 0.5
    }

    /// Seconds between the publications of two articles about one event: three days.
    private static let longestGap = 259_200.0
}
