import Foundation
package import PulseCore

/// Spans of time as a question has them, in each of the program's languages: “in March”, “last week”, “between 10 and 12
/// November”, “two weeks ago”, “before 10 November”.
extension DateWords {
    private static let fillers = words("the of de do da del el la los las le les des du os as o a y")
    private static let since = words("since desde depuis")
    private static let before = words("before until till antes ate avant hasta jusqu'au")
    private static let after = words("after apos despues apres")
    private static let between = words("between from entre de del du")
    private static let joints = words("and to e y et a al au ate")
    /// “May” and “March” are words, too, and “mars” in French is no planet. So a month needs one of these, as a day of the
    /// week needs one of those below.
    private static let beforeMonths = words("in during within over last past em durante nos nas en dans pendant")
    private static let beforeDays = words("on this na no en el le")
    private static let last = words("last past ultimo ultima ultimos ultimas dernier derniere derniers dernieres")
    private static let past = last.union(words("passado passada pasado pasada"))
    private static let this = words("this este esta ce cette")
    private static let ago = words("ago ha hace faz atras il")
    private static let named = words("today hoje hoy aujourd'hui yesterday ontem ayer hier")
    private static let units: [(names: Set<String>, unit: Calendar.Component)] = [
        (words("hour hours hora horas heure heures"), .hour),
        (words("day days dia dias jour jours"), .day),
        (words("week weeks semana semanas semaine semaines"), .weekOfYear),
        (words("month months mes meses mois"), .month), (words("year years ano anos an ans annee annees"), .year),
    ]
    private static let numbers: [Set<String>] = [
        words("one um uma un una une"), words("two dois duas dos deux"), words("three tres trois"),
        words("four quatro cuatro quatre"), words("five cinco cinq"), words("six seis"), words("seven sete siete sept"),
        words("eight oito ocho huit"), words("nine nove nueve neuf"), words("ten dez diez dix"),
    ]

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// The time that these words, in folded form, are about, from the first to the last; nil where they are about something
    /// else, too.
    package func span(_ words: [String]) -> Period? {
        guard let first = words.first, let last = words.last, !Self.fillers.contains(last) else { return nil }
        let rest = Array(words.dropFirst())
        if Self.since.contains(first) { return led(rest).map { Period(from: $0.from, to: max($0.to, now)) } }
        if Self.before.contains(first) {
            return led(rest).map { Period(from: .distantPast, to: $0.from.addingTimeInterval(-0.001)) }
        }
        if Self.after.contains(first) { return led(rest).map { Period(from: $0.to, to: max($0.to, now)) } }
        if Self.between.contains(first), let range = range(rest) { return range }
        let isLed = (Self.beforeMonths.contains(first), Self.beforeDays.contains(first))
        let isLast = Self.last.contains(first) || Self.this.contains(first)
        if (isLed.0 || isLed.1) && !isLast { return point(rest, hasMonth: isLed.0, hasDay: isLed.1) }
        return point(words, hasMonth: isLed.0, hasDay: isLast || isLed.1)
    }

    private func led(_ words: [String]) -> Period? { point(words, hasMonth: true, hasDay: true) }

    /// “10 and 12 November”, “November 10 to 12”: what one side lacks, the other has.
    private func range(_ words: [String]) -> Period? {
        for joint in words.indices.dropFirst() where Self.joints.contains(words[joint]) {
            let sides = [words[..<joint], words[(joint + 1)...]].map { $0.filter { !Self.fillers.contains($0) } }
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
    ///   - hasMonth: Whether the name of a month alone is one.
    ///   - hasDay: Whether the name of a day of the week alone is one.
    private func point(_ words: [String], hasMonth: Bool, hasDay: Bool) -> Period? {
        let words = words.filter { !Self.fillers.contains($0) }
        guard let first = words.first, words.count <= 5 else { return nil }
        if let period = counted(words) { return period }
        let name = words.last.flatMap { Self.last.contains(first) ? $0 : nil } ?? first
        let month = hasMonth ? Self.months.first { $0.name == name }?.number : nil
        if let month, words.count <= 2 {
            let year = words.count == 2 ? Int(words[1]) : nil
            if words.count == 1 || name != first || year.map((1900...9999).contains) == true {
                return whole(month, of: year)
            }
        }
        let isDay =
            hasDay && Self.weekdays.contains { $0.name == words.last }
            || words.count > 1 && words.contains { $0.first?.isNumber == true }
                && words.contains { word in word.count >= 3 && Self.months.contains { $0.name.hasPrefix(word) } }
            || words.count == 1 && (Self.named.contains(first) || first.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
        guard isDay, let noon = try? noon(words.filter { !Self.this.contains($0) }.joined(separator: " "), for: "")
        else { return nil }
        return interval(.day, at: noon)
    }

    /// “last week”, “the last 10 days”, “two weeks ago”.
    private func counted(_ words: [String]) -> Period? {
        let rest = words.filter { !Self.past.contains($0) && !Self.this.contains($0) && !Self.ago.contains($0) }
        guard rest.count < words.count, let name = rest.last,
            let unit = Self.units.first(where: { $0.names.contains(name) })?.unit
        else { return nil }
        let isPast = words.contains { Self.past.contains($0) }
        switch rest.count {
        case 1 where isPast: return interval(unit, at: shifted(now, by: unit, -1))
        case 1 where words.contains { Self.this.contains($0) }: return interval(unit, at: now)
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
