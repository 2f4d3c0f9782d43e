/// A number as a text gives it: what it may mean, and what it counts.
struct Quantity: Sendable, Hashable {
    /// All readings: `5m` is five metres or five million, `4.10` in “4.10 a.m.” is a time of day.
    var readings: [Reading]
    /// For what is no number though it looks like one: `4.2.1`.
    var literal: String?
    /// The stem of the word behind it, where that is what it counts: “six boats”.
    var counted: String?

    struct Reading: Sendable, Hashable {
        var value: Double
        var unit: Unit?
    }

    /// Whether it is one of the small numbers without a unit that any text has.
    var isCommon: Bool { literal == nil && readings.allSatisfy { $0.unit == nil && $0.value < 20 } }

    /// Whether the two may be the same amount: a unit counts where both have one.
    func agrees(with other: Quantity) -> Bool {
        if let literal { return literal == other.literal }
        // What counts boats is no length and no price.
        if counted != nil, !other.readings.isEmpty, other.readings.allSatisfy({ $0.unit != nil }) { return false }
        if other.counted != nil, !readings.isEmpty, readings.allSatisfy({ $0.unit != nil }) { return false }
        // A small number by itself is no time and no length. A price and a share may lose their unit: “from 3 to 4 percent”.
        if isCommon, !other.readings.isEmpty,
            other.readings.allSatisfy({
                $0.unit.map { $0.dimension != "percent" && !$0.dimension.hasPrefix("money") } ?? false
            })
        {
            return false
        }
        return readings.contains { mine in other.readings.contains { Quantity.agree(mine, $0) } }
    }

    private static func agree(_ left: Reading, _ right: Reading) -> Bool {
        guard let mine = left.unit, let theirs = right.unit else {
            // Written with a point and nothing behind it, a time of day reads like any number: “at 11.20”.
            for (clock, number) in [(left, right), (right, left)] where clock.unit?.dimension == Quantity.clock {
                let hour = (clock.value / 60).rounded(.down)
                let digits = hour + (clock.value - hour * 60) / 100
                return [digits, digits - 12].contains { isSame($0, number.value) }
            }
            return isSame(left.value, right.value)
        }
        if mine.dimension == theirs.dimension {
            return isSame(left.value * mine.factor, right.value * theirs.factor)
        }
        // “18 horas” and “6 p.m.” are the same time of day.
        for (clock, hours) in [(left, right), (right, left)]
        where clock.unit?.dimension == Quantity.clock && hours.unit == Unit(dimension: "time", factor: 3600) {
            return isSame(clock.value, hours.value * 60)
        }
        return false
    }

    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(abs(left), abs(right))
    }

    /// The dimension of a time of day, in minutes since midnight.
    static let clock = "clock"
}

extension Quantity {
    /// The number that begins at a place among the tokens of a sentence, and the place behind it.
    static func read(_ tokens: [FactToken], at index: Int, language: FactLanguage) -> (quantity: Quantity, end: Int)? {
        let sign = index > 0 && !tokens[index].isApart ? Unit.sign(tokens[index - 1].text) : nil
        guard var number = Numeral(tokens, at: index, language: language) else { return nil }
        if let clock = clock(number, tokens) { return clock }
        if let literal = number.literal { return (Quantity(readings: [], literal: literal), number.end) }
        // “31 mil”, “$5 million”, “5 bn”.
        while number.end < tokens.count, !tokens[number.end].isApart,
            let factor = NumberWords.multipliers[tokens[number.end].folded], tokens[number.end].folded != "m"
        {
            number.values = number.values.map { $0 * factor }
            number.end += 1
        }
        if number.end + 1 < tokens.count, NumberWords.connectors.contains(tokens[number.end].folded) {
            let half = tokens[number.end + 1].folded == "a" ? number.end + 2 : number.end + 1
            if half < tokens.count, NumberWords.halves.contains(tokens[half].folded) {
                number.values = number.values.map { $0 + 0.5 }
                number.end = half + 1
            }
        }
        var unit = sign ?? number.unit
        if unit == nil, number.end < tokens.count, let read = Unit.read(tokens[number.end...]) {
            unit = read.unit
            number.end = read.end
        }
        var quantity = Quantity(readings: number.values.map { Reading(value: $0, unit: unit) } + number.others)
        if unit == nil, number.others.isEmpty, number.end < tokens.count, !tokens[number.end].isApart,
            FactWords.isContent(tokens[number.end]), !tokens[number.end].isCapitalised
        {
            quantity.counted = Stem.of(tokens[number.end].folded)
        }
        return (quantity, number.end)
    }

    /// A time of day: `4:10`, `4.10 a.m.`, `9 p.m.`, `18h30`.
    private static func clock(_ number: Numeral, _ tokens: [FactToken]) -> (quantity: Quantity, end: Int)? {
        let half = number.end < tokens.count && !tokens[number.end].isApart ? tokens[number.end].folded : ""
        let isMorning = half == "am" || number.suffix == "am"
        let isEvening = half == "pm" || number.suffix == "pm"
        guard let time = number.time, isMorning || isEvening || number.isTime else { return nil }
        let minutes = Double(time.hour % 24 * 60 + time.minute)
        let readings: [Double] =
            if isMorning { [minutes.truncatingRemainder(dividingBy: 720)] } else if isEvening {
                [minutes.truncatingRemainder(dividingBy: 720) + 720]
            } else if minutes < 720 { [minutes, minutes + 720] } else { [minutes] }
        let unit = Unit(dimension: Quantity.clock, factor: 1)
        return (
            Quantity(readings: readings.map { Reading(value: $0, unit: unit) }),
            half == "am" || half == "pm" ? number.end + 1 : number.end
        )
    }
}

/// A number's own words or digits, without its unit.
private struct Numeral {
    var values: [Double] = []
    /// Readings that have a unit of their own already.
    var others: [Quantity.Reading] = []
    var unit: Unit?
    var literal: String?
    var suffix = ""
    /// As a time of day, where the digits can be one.
    var time: (hour: Int, minute: Int)?
    /// Whether it can hardly be anything else.
    var isTime = false
    var end: Int

    init?(_ tokens: [FactToken], at index: Int, language: FactLanguage) {
        let token = tokens[index]
        guard token.isNumeral else {
            guard !Numeral.isOther(tokens, at: index),
                let read = NumberWords.read(tokens[index...], isSpanish: language == .spanish)
            else { return nil }
            values = [read.value]
            end = read.end
            return
        }
        end = index + 1
        let digits = String(token.folded.prefix { !$0.isLetter && $0 != "º" && $0 != "ª" })
        suffix = String(token.folded.dropFirst(digits.count))
        let parts = digits.split { ".,:".contains($0) }.map(String.init)
        time = Numeral.time(parts)
        if digits.contains(":") {
            isTime = time != nil
            if !isTime { literal = digits }
            return
        }
        guard let value = Numeral.value(digits, parts, language) else {
            literal = digits
            return
        }
        values = [value]
        switch suffix {
        case "", "st", "nd", "rd", "th", "º", "ª", "o", "a", "s": break
        case "m":
            values = [value * 1e6]
            others = [Quantity.Reading(value: value, unit: Unit(dimension: "length", factor: 1000))]
        case "h":
            unit = Unit(dimension: "time", factor: 3600)
        case "am", "pm": break
        default:
            if suffix.hasPrefix("h"), let minute = Int(suffix.dropFirst()), let hour = Int(digits) {
                time = (hour, minute)
                isTime = true
            } else if let factor = NumberWords.multipliers[suffix] {
                values = [value * factor]
            } else if let read = Unit.read([FactToken(text: suffix, folded: suffix, isInitial: false, isApart: false)])
            {
                unit = read.unit
            } else {
                literal = token.folded
            }
        }
    }

    /// “a second”, “per second”: no number there.
    private static func isOther(_ tokens: [FactToken], at index: Int) -> Bool {
        // “for a third”, “two thirds” are parts; they count as the number that names them.
        tokens[index].folded == "second"
    }

    private static func time(_ parts: [String]) -> (hour: Int, minute: Int)? {
        guard let hour = parts.first.flatMap(Int.init), (0...24).contains(hour) else { return nil }
        if parts.count == 1 { return (hour, 0) }
        guard parts.count == 2, parts[1].count == 2, let minute = Int(parts[1]), minute < 60 else { return nil }
        return (hour, minute)
    }

    /// English groups digits with commas, Portuguese and Spanish with points.
    private static func value(_ digits: String, _ parts: [String], _ language: FactLanguage) -> Double? {
        let grouping: Character = language == .english ? "," : "."
        let isGrouped = parts.count > 1 && parts[0].count <= 3 && parts.dropFirst().allSatisfy { $0.count == 3 }
        let marks = digits.filter { !$0.isNumber }
        if isGrouped, marks.allSatisfy({ $0 == grouping }) { return Double(parts.joined()) }
        // The other mark, several times, cannot be a decimal one.
        if isGrouped, marks.count > 1, Set(marks).count == 1 { return Double(parts.joined()) }
        switch parts.count {
        case 1: return Double(parts[0])
        case 2: return Double(parts[0] + "." + parts[1])
        default:
            // “1,234.5”: the last mark is the decimal one where it differs from the others.
            guard let last = marks.last, Set(marks.dropLast()).count == 1, marks.first != last else { return nil }
            return Double(parts.dropLast().joined() + "." + parts[parts.count - 1])
        }
    }
}
