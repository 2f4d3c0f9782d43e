package import Foundation
import PulseCore
import PulseText

/// Points in time as other programs store them. A time before 1995 or more than a day in the future counts as unknown,
/// because programs write such values if they know no time.
package enum SourceTime {
    private static let earliest = Date(timeIntervalSince1970: 788_918_400)

    package static func plausible(_ date: Date?, now: Date) -> Date? {
        guard let date, date >= earliest, date <= now.addingTimeInterval(86_400) else { return nil }
        return date
    }

    /// Seconds, milli-, micro- or nanoseconds since 1970, distinguished by the size of the number.
    package static func sinceEpoch(_ number: Double?, now: Date) -> Date? {
        guard let number, number.isFinite else { return nil }
        let seconds =
            switch number {
            case 1e17...: number / 1e9
            case 1e14...: number / 1e6
            case 1e11...: number / 1e3
            default: number
            }
        return plausible(Date(timeIntervalSince1970: seconds), now: now)
    }

    /// ISO 8601, RFC 822 in its variations, or a number since 1970; nil if the text is none of them.
    ///
    /// - Parameters:
    ///   - isFeed: Whether to read ambiguous dates, such as `11/10/2026`, and months without a day.
    ///   - dayZone: The zone of a day without a time. A time without an offset is in UTC.
    package static func parse(_ text: String?, now: Date, isFeed: Bool = false, dayZone: TimeZone = .gmt) -> Date? {
        // Durations such as `-PT3H` are for users; no program writes them.
        guard let text = text?.trimmed.nonEmpty, text.utf8.count <= 200, !text.hasPrefix("-") else { return nil }
        if let date = sinceEpoch(Double(text), now: now) { return date }
        if let date = Timestamp.parse(text, now: now, dayZone: dayZone) { return plausible(date, now: now) }
        var reader = DateReader(text)
        return plausible(reader.date(isFeed: isFeed, dayZone: dayZone), now: now)
    }
}

/// Reads dates as feeds write them: RFC 822 in theory, with many variations.
///
/// A date is split into numbers, words and punctuation, and each is tried in turn.
struct DateReader {
    private enum Token: Equatable {
        case number(Int, digits: Int)
        case word(String)
        case mark(Character)
        case space
    }

    private var tokens: [Token] = []
    /// The zone of the time if a place names it, as in `Europe/Berlin`.
    private var zone = TimeZone.gmt

    init(_ text: String) {
        // Parentheses hold comments, such as JavaScript's time zone names.
        var depth = 0
        var digits = ""
        var letters = ""
        func flush(_ tokens: inout [Token]) {
            if let number = Int(digits) { tokens.append(.number(number, digits: digits.count)) }
            if !letters.isEmpty { tokens.append(.word(letters)) }
            digits = ""
            letters = ""
        }
        for character in Words.folded(text) {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            guard depth <= 0, character != ")" else { continue }
            if character.isASCII, character.isNumber, digits.count < 15 {
                if !letters.isEmpty { flush(&tokens) }
                digits.append(character)
            } else if let mark = Self.eastAsian[character] {
                flush(&tokens)
                tokens.append(mark)
            } else if character.isLetter {
                if !digits.isEmpty { flush(&tokens) }
                letters.append(character)
            } else {
                flush(&tokens)
                let isSpace = character.isWhitespace || character == ","
                if !isSpace || tokens.last != .mark("-") { tokens.append(isSpace ? .space : .mark(character)) }
            }
        }
        flush(&tokens)
    }

    /// Year, month and day marks of Chinese, Japanese and Korean.
    private static let eastAsian: [Character: Token] = [
        "年": .mark("-"), "년": .mark("-"), "月": .mark("-"), "월": .mark("-"), "日": .space, "일": .space,
    ]

    mutating func date(isFeed: Bool, dayZone: TimeZone) -> Date? {
        expandBasicFormat()
        let time = takeTime()
        let day = takeDay(isFeed: isFeed).flatMap { Timestamp.midnight(year: $0.year, month: $0.month, day: $0.day) }
        guard let midnight = ordinalDay() ?? day else { return nil }
        return Date(wall: midnight.timeIntervalSince1970 + (time ?? 0), in: time == nil ? dayZone : zone)
    }

    /// Writes ISO 8601's basic format, 20261120T100000Z, as 2026-11-20T10:00:00Z.
    private mutating func expandBasicFormat() {
        guard
            let start = tokens.indices.first(where: { number($0)?.digits == 8 && token($0 + 1) == .word("t") }),
            let day = number(start)?.value, let time = number(start + 2), time.digits == 4 || time.digits == 6
        else { return }
        let seconds = time.digits == 6 ? time.value : time.value * 100
        tokens.replaceSubrange(
            start...start + 2,
            with: [
                .number(day / 10_000, digits: 4), .mark("-"), .number(day / 100 % 100, digits: 2), .mark("-"),
                .number(day % 100, digits: 2), .word("t"), .number(seconds / 10_000, digits: 2), .mark(":"),
                .number(seconds / 100 % 100, digits: 2), .mark(":"), .number(seconds % 100, digits: 2),
            ])
    }

    // MARK: The time of day

    /// Removes the time and its zone from the tokens.
    ///
    /// - Returns: Seconds after midnight UTC; nil if there is no time.
    private mutating func takeTime() -> Double? {
        guard let start = tokens.indices.first(where: { isClock(at: $0) }), let hour = number(start)?.value,
            let minute = number(start + 2)?.value
        else { return nil }
        var end = start + 3
        var seconds = 0.0
        if token(end) == token(start + 1), let second = number(end + 1), second.value <= 60 {
            seconds = Double(second.value)
            end += 2
            if mark(end, ".") || mark(end, ","), number(end + 1) != nil { end += 2 }
        }
        var hours = hour
        let before = start >= 2 && token(start - 1) == .space ? halfOfDay(start - 2) : nil
        let isSpaced = token(end) == .space
        if let half = before ?? halfOfDay(end) ?? (isSpaced ? halfOfDay(end + 1) : nil) {
            hours = hour % 12 + half
            if before == nil { end += isSpaced ? 2 : 1 }
        }
        var first = start
        // The "T" of ISO 8601.
        if first > 0, case .word("t")? = token(first - 1) { first -= 1 }
        let offset = takeOffset(from: &end)
        tokens.replaceSubrange(first..<min(end, tokens.count), with: [.space])
        // 24:00 is 00:00 of the next day.
        return Double(hours * 3600 + minute * 60) + seconds - offset
    }

    /// 10:30, 10h30, and after a day 10.30.
    private func isClock(at index: Int) -> Bool {
        guard let hour = number(index), hour.digits <= 2, hour.value <= 24, let minute = number(index + 2),
            minute.digits <= 2, minute.value < 60
        else { return false }
        if mark(index + 1, ":") || token(index + 1) == .word("h") { return true }
        let before = tokens[..<index].indices.count(where: { number($0) != nil })
        return mark(index + 1, ".") && minute.digits == 2 && token(index - 1) == .space && before >= 2
    }

    /// Hours to add for AM (0) or PM (12); nil if the token is neither.
    private func halfOfDay(_ index: Int) -> Int? {
        switch token(index) {
        case .word("am"), .word("오전"), .word("上午"), .word("午前"): 0
        case .word("pm"), .word("오후"), .word("下午"), .word("午後"): 12
        default: nil
        }
    }

    /// The offset from UTC in seconds, positive to the east: `+0200`, `+02:00`, `GMT+2`, `PST`, `Z`; 0 if there is
    /// none, or an unknown one, or a place's, which becomes `zone`.
    private mutating func takeOffset(from end: inout Int) -> Double {
        var index = end
        while token(index) == .space { index += 1 }
        if let place = place(at: index) {
            zone = place.zone
            end = place.end
            return 0
        }
        var named = 0.0
        if case .word(let name)? = token(index) {
            guard let hours = Self.zones[name] else { return 0 }
            named = hours * 3600
            index += 1
            end = index
        }
        guard mark(index, "+") || mark(index, "-"), let amount = number(index + 1), amount.digits <= 4 else {
            return named
        }
        let sign = mark(index, "+") ? 1.0 : -1.0
        // A year may follow a hyphen: `PST-2004` has no offset.
        var (hours, minutes) = amount.digits > 2 ? (amount.value / 100, amount.value % 100) : (amount.value, 0)
        end = index + 2
        if amount.digits <= 2, mark(end, ":"), let rest = number(end + 1), rest.digits == 2 {
            minutes = rest.value
            end += 2
        }
        if hours > 15 || minutes > 59 { (hours, minutes) = (0, 0) }
        return sign * Double(hours * 3600 + minutes * 60)
    }

    /// A zone of the tz database, and the index after its name: `America/New_York`.
    private func place(at index: Int) -> (zone: TimeZone, end: Int)? {
        var name = ""
        var end = index
        while case .word(let word)? = token(end) {
            name += word.capitalized
            end += 1
            guard mark(end, "/") || mark(end, "_") else { break }
            name += mark(end, "/") ? "/" : "_"
            end += 1
        }
        guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        return (zone, end)
    }

    // MARK: The day

    /// ISO 8601's day of a year, 2026-324.
    private func ordinalDay() -> Date? {
        guard let year = number(0), year.digits == 4, mark(1, "-"), let day = number(2), day.digits == 3,
            (1...366).contains(day.value)
        else { return nil }
        let first = Timestamp.midnight(year: year.value, month: 1, day: 1)
        return first?.addingTimeInterval(Double(day.value - 1) * 86_400)
    }

    private func takeDay(isFeed: Bool) -> (year: Int, month: Int, day: Int)? {
        // 2026-11-20, 2026/11/20, 2004-julius-13
        for index in tokens.indices {
            guard let year = number(index), year.digits == 4, isSeparator(index + 1), let month = month(index + 2)
            else { continue }
            guard isSeparator(index + 3), let day = number(index + 4), day.digits <= 2 else {
                return isFeed ? (year.value, month, 1) : nil
            }
            return (year.value, month, day.value)
        }
        if tokens.indices.contains(where: { namedMonth($0) != nil }) { return namedDay() }
        // 20.11.2026, 11/20/2026
        for index in tokens.indices {
            guard let first = number(index), first.digits <= 2, isSeparator(index + 1), let second = number(index + 2),
                second.digits <= 2, token(index + 3) == token(index + 1), let third = number(index + 4),
                // With dots, the day comes first everywhere.
                isFeed || mark(index + 1, ".") && third.digits == 4
            else { continue }
            let isMonthFirst = mark(index + 1, "/") && first.value <= 12
            return isMonthFirst
                ? (Self.year(third), first.value, second.value)
                : (Self.year(third), second.value, first.value)
        }
        // 20261120
        if let number = numbers.first, number.digits == 8 {
            return (number.value / 10_000, number.value / 100 % 100, number.value % 100)
        }
        return nil
    }

    /// 20-Nov-2026, Nov 20 2026. In some languages a weekday, which comes first, begins like a month.
    private func namedDay() -> (year: Int, month: Int, day: Int)? {
        guard let month = tokens.indices.compactMap({ namedMonth($0) }).last, numbers.count >= 2 else { return nil }
        let yearIndex = numbers.firstIndex { $0.digits == 4 } ?? 1
        guard let day = numbers.indices.first(where: { $0 != yearIndex && numbers[$0].digits <= 2 }) else { return nil }
        return (Self.year(numbers[yearIndex]), month, numbers[day].value)
    }

    private var numbers: [(value: Int, digits: Int)] { tokens.indices.compactMap { number($0) } }

    /// RFC 2822, section 4.3: years of two or three digits.
    private static func year(_ number: (value: Int, digits: Int)) -> Int {
        switch number.digits {
        case 2: number.value < 50 ? 2000 + number.value : 1900 + number.value
        case 3: 1900 + number.value
        default: number.value
        }
    }

    private func month(_ index: Int) -> Int? {
        if let number = number(index), number.digits <= 2 { return number.value }
        return namedMonth(index)
    }

    private func namedMonth(_ index: Int) -> Int? {
        guard case .word(let word)? = token(index) else { return nil }
        return Self.months[String(word.prefix(4))] ?? Self.months[String(word.prefix(3))]
    }

    private static let months = names("month").mapValues { Int($0) }
    /// In hours.
    private static let zones = names("zone")

    /// The numbers of all names of a kind, `month` or `zone`, in `Lists/dates.txt`.
    private static func names(_ kind: String) -> [String: Double] {
        var names: [String: Double] = [:]
        for list in EmbeddedLists.read(PackageResources.dates_txt) {
            let words = list.name.split(separator: " ")
            guard words.count == 2, words[0] == kind, let number = Double(words[1]) else { continue }
            for name in EmbeddedLists.phrases(in: list) { names[Words.folded(name)] = number }
        }
        return names
    }

    // MARK: Tokens

    private func token(_ index: Int) -> Token? { tokens.indices.contains(index) ? tokens[index] : nil }

    private func number(_ index: Int) -> (value: Int, digits: Int)? {
        guard case .number(let value, let digits)? = token(index) else { return nil }
        return (value, digits)
    }

    private func mark(_ index: Int, _ character: Character) -> Bool { token(index) == .mark(character) }

    private func isSeparator(_ index: Int) -> Bool { mark(index, "-") || mark(index, "/") || mark(index, ".") }
}
