package import Foundation
import PulseCore
import PulseDigest
import PulseText

/// A question, and the search filters in it: a time, publications, phrases in quotation marks.
package struct AskedQuestion: Sendable, Hashable {
    /// As it was typed, in one line.
    let text: String
    /// The question without its filters.
    private(set) var subject: String
    /// When the articles were read; nil: at any time.
    private(set) var period: Period?
    /// Names of publications.
    private(set) var sources: [String] = []
    /// Phrases that an article must have literally.
    let quoted: [String]

    /// In characters. The rest of a longer question is ignored.
    static let longest = 2000

    /// - Parameter publications: The names of all publications of the history.
    package init(_ typed: String, publications: [String], now: Date, calendar: Calendar) {
        text = PlainText.line(String(typed.prefix(Self.longest)))
        subject = text
        quoted = Self.quoted(in: text)
        for name in publications { takeSource(name) }
        takePeriod(DateWords(now: now, calendar: calendar))
        // A question may consist of filters alone.
        if !Self.saysAnything(subject) { subject = text }
    }

    /// Whether the question has only filters: “What did I read last week?”
    var isOpen: Bool { (period != nil || !sources.isEmpty) && quoted.isEmpty && AskedWord.all(in: subject).isEmpty }

    /// The question without its numbers, for a follow-up that has others.
    var withoutNumbers: AskedQuestion {
        var question = self
        let words = subject.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
        question.subject = words.joined(separator: " ")
        return question
    }

    /// The question as one that follows earlier ones: their subjects are added to its own.
    func following(_ earlier: [AskedQuestion]) -> AskedQuestion {
        var question = self
        question.subject = (earlier.suffix(Self.mostEarlier).map(\.subject) + [subject]).joined(separator: " ")
        return question
    }

    private static let mostEarlier = 2

    static func quoted(in text: String) -> [String] {
        text.matches(of: /[\u{22}“«]([^\u{22}“”«»]+)[\u{22}”»]/).map {
            $0.output.1.trimmingCharacters(in: .whitespaces)
        }
        .filter(saysAnything)
    }

    package static func saysAnything(_ text: String) -> Bool { text.contains { $0.isLetter || $0.isNumber } }

    // MARK: - A publication

    /// Words before the name of a publication, in all languages.
    private static let places: Set<String> = [
        "in", "from", "by", "at", "em", "no", "na", "nos", "nas", "do", "da", "de", "del", "en", "dans", "du", "par",
        "le", "la", "el", "o", "a", "selon", "segun", "segundo",
    ]

    /// Takes the name of a publication out of the subject. It must begin with a capital letter and follow a word such
    /// as “in”, because “Time” may be a common word.
    private mutating func takeSource(_ name: String) {
        guard name.first?.isUppercase == true else { return }
        let short = name.hasPrefix("The ") ? String(name.dropFirst(4)) : name
        guard short.count > 1,
            let range = subject.range(of: short, options: [.diacriticInsensitive]),
            range.upperBound == subject.endIndex || !subject[range.upperBound].isLetter
        else { return }
        var words = subject[..<range.lowerBound].split(separator: " ").map { DateWords.folded(String($0)) }
        guard range.lowerBound == subject.startIndex || subject[subject.index(before: range.lowerBound)] == " " else {
            return
        }
        var taken = range.lowerBound
        if words.last == "the" {
            words.removeLast()
            taken = subject[..<taken].range(of: "the", options: [.backwards, .caseInsensitive])?.lowerBound ?? taken
        }
        guard let before = words.last, Self.places.contains(before) else { return }
        taken =
            subject[..<taken].range(of: before, options: [.backwards, .caseInsensitive, .diacriticInsensitive])?
            .lowerBound ?? taken
        sources.append(name)
        take(taken..<range.upperBound)
    }

    // MARK: - A time

    private static let longestSpan = 10

    /// Takes the first words that name a time out of the subject: “in March”, “last Monday”, “since May”.
    private mutating func takePeriod(_ dates: DateWords) {
        let words = subject.matches(of: /[\p{L}\p{N}'’\-\/]+/).map {
            ($0.range, DateWords.folded(String($0.output)).replacing("’", with: "'"))
        }
        for count in stride(from: min(Self.longestSpan, words.count), through: 1, by: -1) {
            for start in 0...(words.count - count) {
                guard let period = dates.span(words[start..<start + count].map(\.1)) else { continue }
                self.period = period
                return take(words[start].0.lowerBound..<words[start + count - 1].0.upperBound)
            }
        }
    }

    private mutating func take(_ range: Range<String.Index>) {
        subject.removeSubrange(range)
        subject = PlainText.line(subject)
    }
}
