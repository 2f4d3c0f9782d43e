package import Foundation
package import PulseCore
import PulseText

/// Points in time and days as people write them: `2026-11-18`, `18 nov`, `yesterday`, `monday`, `3d`, `24h`. Months,
/// days of the week and the words for today and yesterday are understood in each of the program's languages.
package struct DateWords {
    package let now: Date
    /// The reader's: each day begins at its midnight.
    package let calendar: Calendar

    package init(now: Date, calendar: Calendar) { (self.now, self.calendar) = (now, calendar) }

    /// A moment that is past, or now.
    ///
    /// - Parameter option: The option in an error: `--since`.
    package func moment(_ text: String, for option: String) throws -> Date {
        let word = Self.folded(text)
        guard let date = ago(word) ?? midnight(word) ?? Timestamp.parse(text, now: now, zone: calendar.timeZone) else {
            throw fault(
                text, for: option, takes: "2026-11-18, 2026-11-18T06:00, '18 nov', yesterday, monday, 3d or 12h")
        }
        guard date <= now else { throw future(text, for: option) }
        return date
    }

    /// Noon of a day that has begun.
    package func pastNoon(_ text: String, for option: String) throws -> Date {
        let noon = try noon(text, for: option)
        guard calendar.startOfDay(for: noon) <= now else { throw future(text, for: option) }
        return noon
    }

    private func future(_ text: String, for option: String) -> PulseError {
        PulseError(.usage, "\(option) \(text) is in the future.")
    }

    /// Noon of a day, a time that every day has, even if its clocks are changed.
    package func noon(_ text: String, for option: String) throws -> Date {
        let word = Self.folded(text)
        var day = midnight(word) ?? ago(word)
        // A number alone would be seconds since 1970.
        if day == nil, text.utf8.count >= 10, text.contains("-") {
            day = Timestamp.parse(text, now: now, zone: calendar.timeZone)
        }
        guard let day, let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day) else {
            throw fault(text, for: option, takes: "2026-11-18, '18 nov', yesterday, monday or 3d")
        }
        return noon
    }

    package static func knows(_ text: String) -> Bool {
        (try? DateWords(now: .now, calendar: .gregorian(in: .gmt)).noon(text, for: "")) != nil
    }

    private func fault(_ text: String, for option: String, takes: Message) -> PulseError {
        if let days = isoForms(text) {
            return PulseError(
                .usage, "\(option) \(text) is ambiguous: countries differ on which is the day and which the month.",
                hint: "Write \(Set(days).sorted().map(Message.init(verbatim:)).joined(separator: " or ")).")
        }
        return PulseError(.usage, "\(option) does not understand “\(text)”.", hint: "It takes \(takes).")
    }

    /// The ISO 8601 dates that `18/11/2026` may mean, the one with the day first before the other; nil for other texts.
    private func isoForms(_ text: String) -> [String]? {
        let parts = text.split { "/.-".contains($0) }.map(String.init)
        guard parts.count == 3, parts[2].count == 4, let first = Int(parts[0]), let second = Int(parts[1]),
            let year = Int(parts[2])
        else { return nil }
        let forms = [(first, second), (second, first)].compactMap { day, month -> String? in
            let form = String(format: "%04d-%02d-%02d", year, month, day)
            return Timestamp.parse(form, now: now) == nil ? nil : form
        }
        return forms.isEmpty ? nil : forms
    }

    // MARK: - Words

    private func midnight(_ word: String) -> Date? {
        let today = calendar.startOfDay(for: now)
        if let back = Self.daysBack(word.split(separator: " ").map(String.init)) {
            return calendar.date(byAdding: .day, value: -back, to: today)
        }
        // Understood, so that the message can say that it is in the future.
        if word == "tomorrow" { return calendar.date(byAdding: .day, value: 1, to: today) }
        let last = ["last ", "past "].first(where: word.hasPrefix)
        if let day = Self.only(String(word.dropFirst(last?.count ?? 0)), among: Self.weekdays) {
            var back = (calendar.component(.weekday, from: now) - day + 7) % 7
            // On a Friday, “friday” is today and “last friday” is not.
            if last != nil, back == 0 { back = 7 }
            return calendar.date(byAdding: .day, value: -back, to: today)
        }
        return dayAndMonth(
            word.split { $0 == " " || $0 == "," }.map(String.init).filter { !["de", "of"].contains($0) })
    }

    /// `18 nov`, `nov 18`, `wed 18 november 2026`; without a year, the last such day.
    private func dayAndMonth(_ words: [String]) -> Date? {
        if (3...4).contains(words.count), Self.only(words[0], among: Self.weekdays) != nil,
            let date = dayAndMonth(Array(words.dropFirst()))
        {
            return date
        }
        guard (2...3).contains(words.count) else { return nil }
        let (first, second) = (words[0], words[1])
        let isDayFirst = first.first?.isNumber == true
        let written = isDayFirst ? first : second
        let digits = written.prefix { $0.isNumber }
        guard let month = Self.only(isDayFirst ? second : first, among: Self.months), let day = Int(digits),
            !written.dropFirst(digits.count).contains(where: \.isNumber)
        else { return nil }
        let this = calendar.component(.year, from: now)
        var year = this
        if words.count == 3 {
            guard let written = Int(words[2]), words[2].count == 4 else { return nil }
            year = written
        }
        func date(in year: Int) -> Date? {
            Timestamp.midnight(year: year, month: month, day: day, zone: calendar.timeZone)
        }
        if words.count == 3 { return date(in: year) }
        // A leap day may be up to eight years ago.
        return (0...8).lazy.compactMap { date(in: this - $0) }.first { $0 <= now }
    }

    /// `3d`, `12 hours`, `2 weeks ago`, `last week`, `P3D` of ISO 8601: that long before now.
    private func ago(_ word: String) -> Date? {
        if ["lastweek", "last week", "semana passada", "semana pasada", "la semaine derniere"].contains(word) {
            return calendar.date(byAdding: .day, value: -7, to: now)
        }
        if ["lastmonth", "last month"].contains(word) { return calendar.date(byAdding: .month, value: -1, to: now) }
        if let match = word.wholeMatch(of: /-?p(\d{1,6}[dw]|t\d{1,6}h)/) {
            return ago(String(match.output.1.filter { $0 != "t" }))
        }
        guard let match = word.wholeMatch(of: /(\d{1,6}) ?(h|d|w|hours?|days?|weeks?)( ago)?/),
            let count = Int(match.output.1), count > 0
        else { return nil }
        switch match.output.2.first {
        case "h": return now.addingTimeInterval(-3600 * Double(count))
        case "d": return calendar.date(byAdding: .day, value: -count, to: now)
        default: return calendar.date(byAdding: .day, value: -7 * count, to: now)
        }
    }

    // MARK: - Names

    package static let weekdays = names { $0.weekdaySymbols }
    package static let months = names { $0.monthSymbols }

    /// The names in all languages, with their numbers from 1.
    private static func names(_ symbols: (Calendar) -> [String]) -> [(name: String, number: Int)] {
        Language.allCases.flatMap { language in
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: language.locale)
            return symbols(calendar).enumerated().map { (folded($1), $0 + 1) }
        }
    }

    /// The number of the only name with this prefix, of three letters or more; nil if there are several.
    static func only(_ word: String, among names: [(name: String, number: Int)]) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard word.count >= 3 else { return nil }
        let found = Set(names.filter { $0.name.hasPrefix(word) }.map(\.number))
        return found.count == 1 ? found.first : nil
    }

    package static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en"))
            .trimmingCharacters(in: .whitespaces)
    }

    // MARK: - Periods in questions, in each of the program's languages: “in March”, “last week”, “two weeks ago”

    /// Read from `Lists/time-words.txt`.
    private static let lists = EmbeddedLists.words(PackageResources.time_words_txt)
    private static func words(_ list: Substring) -> Set<String> { lists[list] ?? [] }

    private static let fillers = words("fillers")
    private static let since = words("since")
    private static let before = words("before")
    private static let until = words("until")
    private static let after = words("after")
    private static let between = words("between")
    private static let joints = words("joints")
    /// A word counts as a month only after one of these, and as a weekday only after one of the next list.
    private static let beforeMonths = words("beforeMonths")
    private static let beforeDays = words("beforeDays")
    private static let last = words("last")
    private static let lastBehind = words("lastBehind")
    private static let past = last.union(lastBehind)
    private static let this = words("this")
    private static let ago = words("ago")
    private static let days = [words("today"), words("yesterday"), words("dayBefore")]
    private static let daysAtEnd = words("daysAtEnd")
    private static let numbered = words("numbered")
    private static let partsOfDay = words("partsOfDay")
    private static let weekend = words("weekend")
    private static let units: [(names: Set<String>, unit: Calendar.Component)] = [
        (words("hour"), .hour), (words("day"), .day), (words("week"), .weekOfYear), (words("month"), .month),
        (words("year"), .year), (partsOfDay, .day),
    ]
    private static let numbers = (1...10).map { words("\($0)") }

    private static func withoutFillers(_ words: [String]) -> [String] { words.filter { !fillers.contains($0) } }

    /// How many days ago “today”, “yesterday” or the day before it was; nil for other words.
    private static func daysBack(_ words: [String]) -> Int? {
        let name = withoutFillers(words).joined(separator: "-")
        return days.firstIndex { $0.contains(name) }
    }

    /// - Parameter isShort: Whether “terça” will do for “terça-feira”.
    private static func isWeekday(_ word: String, isShort: Bool) -> Bool {
        weekdays.contains { $0.name == word || isShort && $0.name == word + "-feira" }
    }

    /// The period that these words, in folded form, name; nil if they also say something else.
    ///
    /// - Parameter isAtEnd: Whether nothing follows: “on the 3rd” may go on with “floor”.
    package func span(_ words: [String], isAtEnd: Bool) -> Period? {
        let words = words.flatMap(Self.parts)
        // In French, “passé lundi” is a verb and a time.
        guard let first = words.first, let last = words.last, !Self.fillers.contains(last),
            !Self.lastBehind.contains(first)
        else { return nil }
        // In Spanish, “antes de ayer” is a day.
        if Self.daysBack(words) != nil { return led(words) }
        let rest = Array(words.dropFirst())
        if Self.since.contains(first) { return led(rest).map { Period(from: $0.from, to: max($0.to, now)) } }
        if Self.before.contains(first) {
            return led(rest).map { Period(from: .distantPast, to: $0.from.addingTimeInterval(-0.001)) }
        }
        if Self.until.contains(first) { return led(rest).map { Period(from: .distantPast, to: $0.to) } }
        if Self.after.contains(first), let from = led(rest)?.to.addingTimeInterval(0.001) {
            return Period(from: from, to: max(from, now))
        }
        if Self.between.contains(first), let range = range(rest) { return range }
        let isLed = (Self.beforeMonths.contains(first), Self.beforeDays.contains(first))
        let isLast = Self.last.contains(first) || Self.this.contains(first)
        let own = (isLed.0 || isLed.1) && !isLast ? rest : words
        if words.contains("-"), let range = range(own) { return range }
        let said = Self.withoutFillers(own)
        // “Last week” ended on a Sunday, “in the last week” ends now.
        if isLed.0, !isLast, said.count == 2, Self.last.contains(said[0]),
            let period = counted([said[0], "1", said[1]])
        {
            return period
        }
        return point(own, hasMonth: isLed.0, hasDay: isLed.1 || isLast, isAtEnd: isAtEnd)
    }

    /// Splits “1-5” into three words.
    private static func parts(_ word: String) -> [String] {
        guard word.contains("-"), let match = word.wholeMatch(of: /(\d{1,2})-(\d{1,2})/) else { return [word] }
        return [String(match.output.1), "-", String(match.output.2)]
    }

    private func led(_ words: [String]) -> Period? { point(words, hasMonth: true, hasDay: true) }

    /// “10 and 12 November”, “November 10 to 12”: what one side lacks, the other has.
    private func range(_ words: [String]) -> Period? {
        for joint in words.indices.dropFirst() where Self.joints.contains(words[joint]) {
            let sides = [words[..<joint], words[(joint + 1)...]].map {
                Self.withoutFillers(Array($0)).filter { !Self.numbered.contains($0) }
            }
            guard let from = led(sides[0]) ?? lent(sides[0], by: sides[1]),
                let to = led(sides[1]) ?? lent(sides[1], by: sides[0])
            else { continue }
            let isOrdered = from.from <= to.from
            return Period(from: isOrdered ? from.from : shifted(from.from, by: .year, -1), to: to.to)
        }
        return nil
    }

    private func lent(_ number: [String], by other: [String]) -> Period? {
        guard number.count == 1, number[0].first?.isNumber == true else { return nil }
        return led(number + other.filter { $0.first?.isNumber != true || $0.count == 4 })
    }

    /// - Parameters:
    ///   - hasMonth: Whether a month's name alone counts.
    ///   - hasDay: Whether a weekday's name alone counts.
    private func point(_ words: [String], hasMonth: Bool, hasDay: Bool, isAtEnd: Bool = false) -> Period? {
        var words = Self.withoutFillers(words)
        guard words.count <= 5 else { return nil }
        if let period = counted(words) ?? weekend(words, isLed: hasDay) { return period }
        // “Yesterday evening”: the day is enough.
        words.removeAll(where: Self.partsOfDay.contains)
        let isNumbered = words.first.map(Self.numbered.contains) == true
        if isNumbered { words.removeFirst() }
        var isPast = false
        if words.count == 2, words.contains(where: Self.past.contains),
            let day = words.first(where: { Self.isWeekday($0, isShort: true) })
        {
            (words, isPast) = (["last", day], true)
        }
        if words.count == 1, let form = isoForms(words[0])?.first { words = [form] }
        guard let first = words.first else { return nil }
        let name = words.last.flatMap { Self.last.contains(first) ? $0 : nil } ?? first
        let month = hasMonth ? Self.months.first { $0.name == name }?.number : nil
        if let month, words.count <= 2 {
            let year = words.count == 2 ? Int(words[1]) : nil
            if words.count == 1 || name != first || year.map((1900...9999).contains) == true {
                return whole(month, of: year)
            }
        }
        if words.count == 1, let match = first.wholeMatch(of: /(\d{1,2})(st|nd|rd|th|er)?/),
            isNumbered || isAtEnd && hasDay && match.output.2 != nil, let day = Int(match.output.1)
        {
            return latest(day).flatMap { interval(.day, at: $0) }
        }
        let isOnly = words.count == 1
        let isWeekday =
            isPast || isOnly && isAtEnd && Self.daysAtEnd.contains(first)
            || hasDay && Self.isWeekday(words[words.count - 1], isShort: isOnly && isAtEnd)
        let isDay =
            isWeekday
            || words.count > 1 && words.contains { $0.first?.isNumber == true }
                && words.contains { word in word.count >= 3 && Self.months.contains { $0.name.hasPrefix(word) } }
            || Self.daysBack(words) != nil
            || isOnly && first.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
        guard isDay, let noon = try? noon(words.filter { !Self.this.contains($0) }.joined(separator: " "), for: "")
        else { return nil }
        return interval(.day, at: noon)
    }

    /// The latest day until today with this number in its month. Of two months in a row, one has 31 days.
    private func latest(_ day: Int) -> Date? {
        let today = calendar.dateComponents([.year, .month], from: now)
        let months = (today.year ?? 1) * 12 + (today.month ?? 1) - 1
        return (0...2).lazy.map { months - $0 }
            .compactMap { Timestamp.midnight(year: $0 / 12, month: $0 % 12 + 1, day: day, zone: calendar.timeZone) }
            .first { $0 <= now }
    }

    /// “this weekend”, “last weekend”: a Saturday that has begun, and the Sunday after it.
    private func weekend(_ words: [String], isLed: Bool) -> Period? {
        let rest = words.filter { !Self.past.contains($0) && !Self.this.contains($0) }
        guard isLed || rest.count < words.count, Self.weekend.contains(rest.joined(separator: "-")),
            let monday = interval(.weekOfYear, at: now)?.from
        else { return nil }
        let saturday = shifted(monday, by: .day, 5)
        let isBefore = saturday > now || words.contains(where: Self.past.contains)
        let from = isBefore ? shifted(saturday, by: .day, -7) : saturday
        return Period(from: from, to: shifted(from, by: .day, 2).addingTimeInterval(-0.001))
    }

    /// “last week”, “the last 10 days”, “two weeks ago”, “this morning”, which is today.
    private func counted(_ words: [String]) -> Period? {
        let rest = words.filter { !Self.past.contains($0) && !Self.this.contains($0) && !Self.ago.contains($0) }
        guard rest.count < words.count, let name = rest.last,
            let unit = Self.units.first(where: { $0.names.contains(name) })?.unit
        else { return nil }
        let isPast = words.contains { Self.past.contains($0) }
        switch rest.count {
        case 1 where isPast: return interval(unit, at: shifted(now, by: unit, -1))
        case 1 where words.contains { Self.this.contains($0) }: return interval(unit, at: now)
        // “A week ago”, but not “weeks ago”.
        case 1 where words.last.map { Self.ago.contains($0) } == true && !name.hasSuffix("s"):
            return interval(unit, at: shifted(now, by: unit, -1))
        case 2:
            let written = Self.numbers.firstIndex { $0.contains(rest[0]) }.map { $0 + 1 }
            guard let count = written ?? Int(rest[0]), (1...9999).contains(count) else { return nil }
            let then = shifted(now, by: unit, -count)
            return isPast ? Period(from: then, to: now) : interval(unit, at: then)
        default: return nil
        }
    }

    private func shifted(_ date: Date, by unit: Calendar.Component, _ count: Int) -> Date {
        calendar.date(byAdding: unit, value: count, to: date) ?? date
    }

    /// The week begins on a Monday.
    private func interval(_ unit: Calendar.Component, at date: Date) -> Period? {
        var calendar = calendar
        calendar.firstWeekday = 2
        return calendar.dateInterval(of: unit, for: date).map {
            Period(from: $0.start, to: $0.end.addingTimeInterval(-0.001))
        }
    }

    /// A month; without a year, the last such month.
    private func whole(_ month: Int, of year: Int?) -> Period? {
        let this = calendar.component(.year, from: now)
        let isAhead = month > calendar.component(.month, from: now)
        let first = DateComponents(year: year ?? (isAhead ? this - 1 : this), month: month, day: 1)
        return calendar.date(from: first).flatMap { interval(.month, at: $0) }
    }
}
