import Foundation

/// The day an article came out, which “yesterday”, “on Tuesday” and “seven years ago” are counted from.
struct PublicationDay: Sendable {
    let year: Int
    private let date: Date

    init?(_ date: Date?) {
        guard let date else { return nil }
        self.date = date
        year = PublicationDay.calendar.component(.year, from: date)
    }

    /// The days that a weekday next to it may be: the last one and the next one.
    func days(of weekday: Int) -> [(day: Int, month: Int)] {
        (-6...7).map(day).filter { $0.weekday == weekday }.map { ($0.day, $0.month) }
    }

    /// The day so many days later.
    func day(after days: Int) -> (day: Int, month: Int, weekday: Int) {
        let calendar = PublicationDay.calendar
        let parts = calendar.dateComponents(
            [.day, .month, .weekday], from: date.addingTimeInterval(Double(days) * 86_400))
        // Sunday is 1 there, Monday here.
        return (parts.day ?? 1, parts.month ?? 1, ((parts.weekday ?? 1) + 5) % 7 + 1)
    }

    /// The weekday of a date in the twelve months around it, half before and half after.
    func weekday(day: Int, month: Int) -> Int? {
        let calendar = PublicationDay.calendar
        return [year - 1, year, year + 1].lazy
            .compactMap { calendar.date(from: DateComponents(year: $0, month: month, day: day)) }
            .first { abs($0.timeIntervalSince(date)) < 183 * 86_400 }
            .map { (calendar.component(.weekday, from: $0) + 5) % 7 + 1 }
    }

    /// The days that the words at a place among tokens count from it.
    func days(_ tokens: [FactToken], at index: Int) -> [Int] {
        switch tokens[index].folded {
        case "today", "tonight", "hoje", "hoy": [0]
        case "yesterday", "ontem", "ayer": [-1]
        case "tomorrow": [1]
        default: []
        }
    }

    /// The years that the words at a place count from it: “last year”, “el año pasado”, “no próximo ano”.
    func years(_ tokens: [FactToken], at index: Int) -> [Int] {
        guard ["year", "ano"].contains(tokens[index].folded) else { return [] }
        let before = index > 0 ? tokens[index - 1].folded : ""
        let behind = index + 1 < tokens.count ? tokens[index + 1].folded : ""
        if lasts.contains(before) || lasts.contains(behind) { return [year - 1] }
        if ["this", "este", "neste"].contains(before) { return [year] }
        return nexts.contains(before) || nexts.contains(behind) ? [year + 1] : []
    }

    private var lasts: Set<String> { ["last", "pasado", "passado", "previous", "anterior"] }
    private var nexts: Set<String> { ["next", "proximo", "que", "following"] }

    private static let calendar = Calendar.gregorian(in: .gmt)
}
