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

    /// The question without its numbers, for a follow-up with other numbers.
    var withoutNumbers: AskedQuestion {
        var question = self
        let words = subject.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
        question.subject = words.joined(separator: " ")
        return question
    }

    /// The question as a follow-up: the subjects of the last two earlier questions are put before its own.
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
        "le", "la", "el", "o", "a", "selon", "segun", "segundo", "d'apres", "according to", "dit", "ecrit", "dijo",
        "dice", "disse", "diz",
    ]
    /// Words before and behind the name: “what did The Herald say”.
    private static let auxiliaries: Set<String> = ["did", "does", "has"]
    private static let sayings: Set<String> = [
        "say", "said", "write", "written", "report", "reported", "publish", "published",
    ]

    /// Takes the name of a publication out of the subject. There it must follow a word such as “in” and, unless it has
    /// several words, be written with its capital letters: “time” is a common word.
    private mutating func takeSource(_ name: String) {
        guard name.first?.isUppercase == true else { return }
        let short = name.hasPrefix("The ") ? String(name.dropFirst(4)) : name
        guard short.count > 1 else { return }
        // “Le Monde” counts as one word: “le monde” is also the world.
        let own = short.split(separator: " ").filter { !Self.places.contains(DateWords.folded(String($0))) }
        let options: String.CompareOptions =
            own.count > 1 ? [.caseInsensitive, .diacriticInsensitive] : .diacriticInsensitive
        var start = subject.startIndex
        while let range = subject.range(of: short, options: options, range: start..<subject.endIndex) {
            if let named = naming(range) {
                sources.append(name)
                return take(named)
            }
            start = range.upperBound
        }
    }

    /// A name with the words that make it a publication's, such as “in” or “did … say”; nil: there are none.
    private func naming(_ name: Range<String.Index>) -> Range<String.Index>? {
        guard name.upperBound == subject.endIndex || !subject[name.upperBound].isLetter,
            name.lowerBound > subject.startIndex, subject[subject.index(before: name.lowerBound)] == " "
        else { return nil }
        // Enough for the words looked for.
        var words = subject[..<name.lowerBound].suffix(50).split(separator: " ")
        var taken = name
        if let the = words.last, DateWords.folded(String(the)) == "the" {
            words.removeLast()
            taken = the.startIndex..<name.upperBound
        }
        guard let last = words.last else { return nil }
        let before = DateWords.folded(String(last)).replacing("’", with: "'")
        let next = subject[name.upperBound...].prefix(50).split { !$0.isLetter }.first
        if let next, Self.auxiliaries.contains(before), Self.sayings.contains(next.lowercased()) {
            return taken.lowerBound..<next.endIndex
        }
        let pair = words.suffix(2).map { DateWords.folded(String($0)) }.joined(separator: " ")
        if words.count > 1, Self.places.contains(pair) { return words[words.count - 2].startIndex..<taken.upperBound }
        return Self.places.contains(before) ? last.startIndex..<taken.upperBound : nil
    }

    // MARK: - A time

    private static let longestSpan = 10

    /// Takes the longest run of words that names a time out of the subject: “in March”, “last Monday”, “since May”.
    private mutating func takePeriod(_ dates: DateWords) {
        let words = subject.matches(of: /\d+(?:\.\d+)+|[\p{L}\p{N}'’\-\/]+|–/).map {
            ($0.range, DateWords.folded(String($0.output)).replacing("’", with: "'").replacing("–", with: "-"))
        }
        for count in stride(from: min(Self.longestSpan, words.count), through: 1, by: -1) {
            for start in 0...(words.count - count) {
                let isAtEnd = start + count == words.count
                guard let period = dates.span(words[start..<start + count].map(\.1), isAtEnd: isAtEnd) else {
                    continue
                }
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
