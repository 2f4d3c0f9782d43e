import Foundation
import PulseCore
import PulseText

/// Contradictory counts in a story's reports. Only plain ones: a number next to the word for what it counts.
struct ReportDifferences {
    /// The most words between a number and what it counts.
    private static let reach = 3
    /// The greatest ratio of counts of one thing, casualties first: beyond it, they count two things.
    private static let (mostTimes, mostTimesOfThings) = (2.5, 1.5)
    /// A smaller number is only compared if it counts casualties: “two bridges” may be two of many.
    private static let fewestThings = 10
    /// How far numbers that are not exact may be apart, as a share of the greater.
    private static let roughly = 0.15

    /// Two of the reports' statements that contradict each other, that of the later report last; empty if there are
    /// none. A toll that rose from one day to another is no contradiction.
    ///
    /// - Parameter day: Days begin at the same time as this one; nil: at midnight GMT.
    static func between(_ articles: [Article], of day: DateInterval? = nil) -> [Sentence] {
        guard articles.count > 1 else { return [] }
        // A report's greatest number of one thing is the whole.
        let told = articles.map { article in
            Dictionary(counts(in: article).map { ($0.thing, $0) }) { $0.number < $1.number ? $1 : $0 }
        }
        var greatest: (share: Double, sides: [(article: Article, count: Count)])?
        for (place, own) in told.enumerated() {
            for (number, other) in told[..<place].enumerated()
            where articles[number].source != articles[place].source {
                for (thing, count) in own.sorted(by: { $0.key < $1.key }) {
                    guard let before = other[thing], before.contradicts(count) else { continue }
                    let days = [articles[number], articles[place]].map { $0.dayPublished(from: day) }
                    if thing.isCasualty, let first = days[0], let second = days[1], first != second,
                        (first < second) == (before.number < count.number)
                    {
                        continue
                    }
                    let share = abs(log(Double(before.number) / Double(count.number)))
                    if share > greatest?.share ?? 0 {
                        greatest = (share, [(articles[number], before), (articles[place], count)])
                    }
                }
            }
        }
        let sides = (greatest?.sides ?? []).sorted {
            ($0.article.publishedAt ?? .distantPast, $0.article.id)
                < ($1.article.publishedAt ?? .distantPast, $1.article.id)
        }
        return sides.map { Sentence(text: $0.count.text, sources: [$0.article.id], origin: .copied) }
    }

    /// What is counted: casualties, in any language, or a thing, by its word in one language.
    private struct Thing: Hashable, Comparable {
        let name: String
        let isCasualty: Bool

        static func < (left: Thing, right: Thing) -> Bool {
            left.isCasualty == right.isCasualty ? left.name < right.name : left.isCasualty
        }
    }

    private enum Precision { case exact, atLeast, about }

    private struct Count {
        let thing: Thing
        let number: Int
        let precision: Precision
        /// As the report has it.
        let text: String

        func contradicts(_ other: Count) -> Bool {
            let (less, more) = number < other.number ? (self, other) : (other, self)
            guard less.number != more.number, less.number > 0 else { return false }
            let most = thing.isCasualty ? ReportDifferences.mostTimes : ReportDifferences.mostTimesOfThings
            guard Double(more.number) <= most * Double(less.number) else { return false }
            guard less.precision != .about, more.precision != .about else {
                return Double(more.number - less.number) > ReportDifferences.roughly * Double(more.number)
            }
            // “At least 12” does not contradict 15.
            return less.precision != .atLeast || more.precision == .atLeast
        }
    }

    private static func counts(in article: Article) -> [Count] {
        guard let language = article.supportedLanguage else { return [] }
        return Sentences.split(ReportFacts.front(of: article)).flatMap { Reader($0, language).counts() }
    }

    private struct Reader {
        private let sentence: String
        private let words: [Substring]
        private let lower: [String]
        private let lexicon: CountLexicon
        private let language: Language

        init(_ sentence: String, _ language: Language) {
            self.sentence = sentence
            self.language = language
            words = Words.written(in: sentence)
            lower = words.map { $0.lowercased() }
            lexicon = language.countLexicon
        }

        func counts() -> [Count] {
            // A sentence with a year is about another event.
            let isOfYear = words.contains { $0.utf8.count == 4 && (1900...2100).contains(Int($0) ?? 0) }
            if isOfYear { return [] }
            return words.indices.compactMap { place in
                // “Two of them” and “three more” count some of those who were counted before.
                guard let number = number(at: place), !lexicon.partly.contains(word(after: place)) else { return nil }
                return count(number, at: place)
            }
        }

        private func word(after place: Int) -> String { lower.dropFirst(place + 1).first ?? "" }

        /// “31”, “1,200”, “1.200”, “three”; nil for “1.2”, “15:30” and sums of money.
        private func number(at place: Int) -> Int? {
            let before = sentence[..<words[place].startIndex].last
            // “Twenty-nine” and “nine dead-straight kilometres” are not read.
            guard before.map({ $0.isSpace || "“\"(«".contains($0) }) ?? true, isFreeStanding(place) else { return nil }
            if let digits = lexicon.numbers[lower[place]] {
                let next = word(after: place)
                return lexicon.compounds.contains(next) || lexicon.numbers[next] != nil ? nil : Int(digits)
            }
            let groups = words[place].split(whereSeparator: { ".,".contains($0) })
            guard groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 }), groups[0].count <= 6,
                groups.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) })
            else { return nil }
            return Int(groups.joined())
        }

        private func count(_ number: Int, at place: Int) -> Count? {
            let (hedge, precision) = hedge(before: place)
            let start = place - hedge
            if start > 0, let kind = lexicon.casualties[lower[start - 1]], adjoins(start - 1) {
                return makeCount(kind.description, true, number, precision, start - 1, place)
            }
            var next = place + 1
            while next < words.count, next <= place + ReportDifferences.reach, adjoins(next - 1),
                self.number(at: next) == nil
            {
                if let kind = lexicon.casualties[lower[next]], isFreeStanding(next) {
                    return makeCount(kind.description, true, number, precision, start, next)
                }
                next += 1
            }
            next = place + 1
            guard next < words.count, adjoins(place), isFreeStanding(next), number >= ReportDifferences.fewestThings,
                words[next].first?.isLowercase == true, !lexicon.uncounted.contains(lower[next]),
                let term = Terms.term(lower[next])
            else { return nil }
            return makeCount(language.code + " " + term, false, number, precision, start, next)
        }

        /// How exact a number is by the words before it, and how many words say so.
        private func hedge(before place: Int) -> (words: Int, precision: Precision) {
            for (phrases, precision) in [(lexicon.atLeast, Precision.atLeast), (lexicon.about, .about)] {
                for phrase in phrases where lower[..<place].suffix(phrase.count).elementsEqual(phrase) {
                    return (phrase.count, precision)
                }
            }
            return (0, .exact)
        }

        /// Whether no sign that belongs to a word, such as a hyphen or “%”, follows it.
        private func isFreeStanding(_ place: Int) -> Bool {
            sentence[words[place].endIndex...].first.map { $0.isSpace || ".,;:!?”\")»".contains($0) } ?? true
        }

        /// Whether nothing but a space is between a word and the next one.
        private func adjoins(_ place: Int) -> Bool {
            sentence[words[place].endIndex..<words[place + 1].startIndex].allSatisfy(\.isSpace)
        }

        private func makeCount(
            _ name: String, _ isCasualty: Bool, _ number: Int, _ precision: Precision, _ first: Int, _ last: Int
        ) -> Count {
            Count(
                thing: Thing(name: name, isCasualty: isCasualty), number: number, precision: precision,
                text: String(sentence[words[first].startIndex..<words[last].endIndex]))
        }
    }
}
