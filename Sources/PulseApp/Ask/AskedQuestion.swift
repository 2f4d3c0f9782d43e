package import Foundation
import PulseCore
import PulseDigest
import PulseText

/// A question, and what in it says where to look: a time, a publication, words in quotation marks.
package struct AskedQuestion: Sendable, Hashable {
    /// As it was typed, in one line.
    let text: String
    /// Without what says where to look: what is to be found.
    private(set) var subject: String
    /// When it was read; nil: at any time.
    private(set) var period: Period?
    /// Names of publications.
    private(set) var sources: [String] = []
    /// What has to stand in an article word for word.
    let quoted: [String]

    /// In characters. A longer question is read no further.
    private static let longest = 2000

    /// - Parameters:
    ///   - publications: Those of the history.
    ///   - calendar: The reader's.
    package init(_ typed: String, publications: [String], now: Date, calendar: Calendar) {
        text = PlainText.line(String(typed.prefix(Self.longest)))
        subject = text
        quoted = Self.quoted(in: text)
        for name in publications { takeSource(name) }
        takePeriod(DateWords(now: now, calendar: calendar))
        if !Self.saysAnything(subject) { subject = text }
    }

    /// Whether nothing is asked but what there is then or there.
    var isOpen: Bool {
        (period != nil || !sources.isEmpty) && quoted.isEmpty && AskedWord.all(in: subject).isEmpty
    }

    /// Its subject without numbers, where another question has others.
    var withoutNumbers: AskedQuestion {
        var question = self
        let words = subject.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
        question.subject = words.joined(separator: " ")
        return question
    }

    /// The same question behind earlier ones: what they are about is what it is about.
    func following(_ earlier: [AskedQuestion]) -> AskedQuestion {
        var question = self
        question.subject = (earlier.suffix(Self.mostEarlier).map(\.subject) + [subject]).joined(separator: " ")
        return question
    }

    private static let mostEarlier = 2

    /// What stands in quotation marks.
    static func quoted(in text: String) -> [String] {
        text.matches(of: /[\u{22}“«]([^\u{22}“”«»]+)[\u{22}”»]/).map {
            $0.output.1.trimmingCharacters(in: .whitespaces)
        }
        .filter(saysAnything)
    }

    /// Whether there is a letter or a digit in it.
    package static func saysAnything(_ text: String) -> Bool { text.contains { $0.isLetter || $0.isNumber } }

    // MARK: - A publication

    /// Words before the name of a publication, in all languages.
    private static let places: Set<String> = [
        "in", "from", "by", "at", "em", "no", "na", "nos", "nas", "do", "da", "de", "del", "en", "dans", "du", "par",
        "le",
        "la", "el", "o", "a", "selon", "segun", "segundo",
    ]

    /// A name counts where it is written large and a word such as “in” stands before it: “Time” is a word, too.
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

    /// The first words that name a time: “in March”, “on 18 November”, “last Monday”, “yesterday”, “since May”.
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
