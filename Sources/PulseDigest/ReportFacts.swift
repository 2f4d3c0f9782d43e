import Foundation
package import PulseCore
import PulseText

/// The names and numbers of a report, as far as they are compared.
package struct ReportFacts {
    /// The names in the title and the beginning; and those of them in the title and the first two sentences.
    package let names, leadingNames: Set<String>
    /// All names and numbers of the title and the beginning.
    let all: Set<String>

    /// The beginning of a text, where news has who, what, when and where. By scalars, because a character may have any
    /// number of them.
    static func front(of article: Article) -> String { String(article.body.unicodeScalars.prefix(1200)) }

    /// In a title with a greater share of capitalised words, capitals say nothing about names.
    private static let mostCapitals = 0.6

    /// “Nov” and “Monday” are in every dateline.
    private static func isDate(_ word: String) -> Bool {
        word.utf8.count >= 3 && String.calendar.contains { $0.hasPrefix(word) }
    }

    package init(_ article: Article) {
        let split = Sentences.split(Self.front(of: article)).map(Words.written)
        let words = Words.written(in: article.title)
        all = split.reduce(into: Words.facts(of: words)) { $0.formUnion(Words.facts(of: $1)) }
            .filter { !Self.isDate($0) }

        // The publication's own name is no evidence.
        let own = Set(Words.all(in: Words.folded(article.source)))
        func isName(_ word: Substring) -> Bool {
            word.first?.isCapital == true && word.utf8.count > 1 && !own.contains(Words.folded(String(word)))
                && Terms.term(word.lowercased()) != nil && !Self.isDate(word.lowercased())
        }
        let inside = Set(split.flatMap { $0.dropFirst().filter(isName).map { Words.folded(String($0)) } })
        let capitals = Double(words.count { $0.first?.isCapital == true })
        let isPlain = capitals <= Self.mostCapitals * Double(words.count)
        let titled = words.enumerated().filter { place, word in
            isName(word) && (inside.contains(Words.folded(String(word))) || isPlain && place > 0)
        }.map { Words.folded(String($1)) }
        let first = split.prefix(2).flatMap { $0.map { Words.folded(String($0)) }.filter(inside.contains) }
        names = inside.union(titled)
        leadingNames = Set(first + titled)
    }

    private static let (fewestNarrators, figured) = (2, 300)

    /// Whether an article is a column about an event, not a report of it: its author says “I” and gives no figure. Of
    /// 8,251 articles of Wikinews, 8 are in the first person without a figure.
    static func isColumn(_ article: Article) -> Bool {
        // Most reports have a figure near their start, and need not be split into words.
        let hasFigure = article.body.utf8.prefix(figured).contains(where: \.isASCIIDigit)
        guard !hasFigure, let lexicon = article.supportedLanguage?.quotationLexicon else { return false }
        let text = StoryMap.text(of: article)
        guard !text.contains(where: \.isNumber) else { return false }
        // `SentenceWords` recognises quotations in all other marks.
        let spoken = text.replacing(#/‘[^‘’]*’(?!\p{L})/#, with: "")
        let words = SentenceWords(spoken, lexicon).words.filter { !$0.isQuoted }.map(\.key)
        // “We” alone is the publisher: an organisation's statement is a report.
        return words.contains(where: lexicon.firstPersonSingular.contains)
            && words.count(where: lexicon.firstPerson.contains) >= fewestNarrators
    }
}

extension Article {
    /// The number of the day on which it was published, counted from the start of `day`; nil: unknown.
    func dayPublished(from day: DateInterval?) -> Int? {
        publishedAt.map { Int(($0.timeIntervalSince(day?.start ?? .distantPast) / 86_400).rounded(.down)) }
    }
}

/// The numbers in a report's title. They are compared in many more pairs than its facts, and are found faster.
struct TitleNumbers {
    let all: Set<String>
    /// As the title writes them, but with a decimal point: “6.4”.
    let measurements: [String]

    init(_ title: String) {
        let parts = title.split { !$0.isNumeric && $0 != "." && $0 != "," }
        all = Set(parts.filter { $0.contains(where: \.isNumeric) }.map(String.init))
        // “1,240” is a count: another report may give a higher one.
        measurements = all.map { $0.replacing(",", with: ".") }.filter { number in
            let sides = number.split(separator: ".", omittingEmptySubsequences: false)
            return sides.count == 2 && !sides[0].isEmpty && (1...2).contains(sides[1].count)
        }
    }
}
