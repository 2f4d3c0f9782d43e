package import Foundation
import PulseCore
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
    private static let longest = 2000

    /// - Parameters:
    ///   - publications: The names of all publications of the history.
    ///   - calendar: The reader's.
    package init(_ typed: String, publications: [String], now: Date, calendar: Calendar) {
        text = PlainText.line(String(typed.prefix(Self.longest)))
        subject = text
        quoted = Self.quoted(in: text)
        for name in publications { takeSource(name) }
        takePeriod(DateWords(now: now, calendar: calendar))
        // A question may consist of filters alone.
        if !Self.saysAnything(subject) { subject = text }
    }

    /// The question as one that follows earlier ones: their subjects are added to its own.
    func following(_ earlier: [AskedQuestion]) -> AskedQuestion {
        var question = self
        question.subject = (earlier.suffix(Self.mostEarlier).map(\.subject) + [subject]).joined(separator: " ")
        return question
    }

    private static let mostEarlier = 2

    /// The phrases in quotation marks.
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

    /// Words before a time. “On Mars” names no time, although “mars” is March in French.
    private static let since: Set<String> = ["since", "desde", "depuis"]
    private static let beforeMonths: Set<String> = [
        "in", "during", "last", "em", "durante", "en", "pendant", "since", "desde", "depuis",
    ]
    private static let beforeDays: Set<String> = [
        "on", "last", "past", "this", "na", "no", "el", "le", "since", "desde", "depuis",
    ]

    /// Takes the first words that name a time out of the subject: “in March”, “on 18 November”, “last Monday”,
    /// “yesterday”, “since May”.
    private mutating func takePeriod(_ dates: DateWords) {
        let words = subject.matches(of: /[\p{L}\p{N}'’\-\/]+/).map { ($0.range, DateWords.folded(String($0.output))) }
        for count in stride(from: min(4, words.count), through: 1, by: -1) {
            for start in 0...(words.count - count) {
                let phrase = words[start..<start + count].map(\.1)
                let before = start > 0 ? words[start - 1].1 : ""
                guard let period = Self.period(phrase, behind: before, dates) else { continue }
                let isLed = Self.beforeMonths.contains(before) || Self.beforeDays.contains(before)
                self.period =
                    Self.since.contains(before) ? Period(from: period.from, to: max(period.to, dates.now)) : period
                return take(words[isLed ? start - 1 : start].0.lowerBound..<words[start + count - 1].0.upperBound)
            }
        }
    }

    private static func period(_ words: [String], behind before: String, _ dates: DateWords) -> Period? {
        let (calendar, now) = (dates.calendar, dates.now)
        func span(_ unit: Calendar.Component, _ back: Int) -> Period? {
            guard let day = calendar.date(byAdding: unit, value: -back, to: now),
                let found = calendar.dateInterval(of: unit, for: day)
            else { return nil }
            return Period(from: found.start, to: found.end.addingTimeInterval(-0.001))
        }
        switch words.joined(separator: " ") {
        // It may also mean the last seven days, so it lasts until now.
        case "last week", "semana passada", "semana pasada", "semaine derniere":
            return span(.weekOfYear, 1).map { Period(from: $0.from, to: now) }
        case "this week", "esta semana", "cette semaine": return span(.weekOfYear, 0)
        case "last month", "mes passado", "mes pasado", "mois dernier": return span(.month, 1)
        case "this month", "este mes", "ce mois": return span(.month, 0)
        default: break
        }
        // “May” and “March” are also common words, so a preposition is needed.
        if beforeMonths.contains(before), words.count <= 2,
            let month = DateWords.months.first(where: { $0.name == words[0] })?.number
        {
            let year = words.count == 2 ? Int(words[1]) : nil
            if words.count == 1 || year.map((1900...9999).contains) == true { return whole(month, of: year, dates) }
        }
        let isDay =
            words.count == 1 && DateWords.weekdays.contains { $0.name == words[0] } && beforeDays.contains(before)
            || words.count > 1 && words.contains { $0.first?.isNumber == true }
                && words.contains { word in DateWords.months.contains { $0.name.hasPrefix(word) } && word.count >= 3 }
            || words.count == 1 && (named.contains(words[0]) || words[0].wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
        guard isDay, let noon = try? dates.noon(words.joined(separator: " "), for: ""),
            let day = calendar.dateInterval(of: .day, for: noon)
        else { return nil }
        return Period(from: day.start, to: day.end.addingTimeInterval(-0.001))
    }

    private static let named: Set<String> = [
        "today", "hoje", "hoy", "aujourd'hui", "yesterday", "ontem", "ayer", "hier",
    ]

    /// A whole month; without a year, the most recent one.
    private static func whole(_ month: Int, of year: Int?, _ dates: DateWords) -> Period? {
        let this = dates.calendar.component(.year, from: dates.now)
        let isAhead = month > dates.calendar.component(.month, from: dates.now)
        let first = DateComponents(year: year ?? (isAhead ? this - 1 : this), month: month, day: 1)
        guard let day = dates.calendar.date(from: first), let found = dates.calendar.dateInterval(of: .month, for: day)
        else { return nil }
        return Period(from: found.start, to: found.end.addingTimeInterval(-0.001))
    }

    private mutating func take(_ range: Range<String.Index>) {
        subject.removeSubrange(range)
        subject = PlainText.line(subject)
    }
}
