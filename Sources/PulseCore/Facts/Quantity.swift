/// A number as a text gives it: what it may mean, and what it counts.
struct Quantity: Sendable, Hashable {
    /// All readings: `5m` is five metres or five million, `4.10` in “4.10 a.m.” is a time of day.
    var readings: [Reading]
    /// For what is no number though it looks like one: `4.2.1`.
    var literal: String?
    /// The stems of the words behind it, where they are what it counts: “six boats”, “two of the five gates”.
    var counted: Set<String> = []
    /// What it is multiplied by in a word of its own: “million”.
    var factor = 1.0
    /// A year, which is a date and stands for itself: “in 2007”.
    var isYear = false
    /// Whether it is below zero, and whether words beside it say the same of a number without a minus: “a loss of 5”.
    var isNegative = false
    var isLoss = false

    struct Reading: Sendable, Hashable {
        var value: Double
        var unit: Unit?
        var slack = Rounding()
        /// Whether its unit is that of the number before it.
        var isImplied = false
    }

    /// Whether it is one of the small numbers without a unit that any text has.
    var isCommon: Bool { literal == nil && readings.allSatisfy { $0.isImplied || $0.unit == nil && $0.value < 20 } }

    /// Whether it is a length, a time, a weight …, which few things of one article share; money and shares are many.
    var isMeasure: Bool {
        !readings.isEmpty
            && readings.allSatisfy {
                $0.unit.map { $0.dimension != "percent" && !$0.dimension.hasPrefix("money") } ?? false
            }
    }

    /// Whether this may stand for the other amount: a unit counts where both have one.
    func agrees(with other: Quantity) -> Bool {
        if let literal { return literal == other.literal }
        if isNegative != other.isNegative, !(isNegative ? other.isLoss : isLoss) { return false }
        // A year counts nothing: “in 1981” is not “1981 workers”.
        for (year, number) in [(self, other), (other, self)] where year.isYear && !number.isYear {
            if !number.counted.isEmpty || number.readings.allSatisfy({ $0.unit != nil }) { return false }
        }
        // What counts boats is no length and no price.
        if !counted.isEmpty, !other.readings.isEmpty, other.readings.allSatisfy({ $0.unit != nil }) { return false }
        if !other.counted.isEmpty, !readings.isEmpty, readings.allSatisfy({ $0.unit != nil }) { return false }
        // A small number by itself is no time and no length. A price and a share may lose their unit: “from 3 to 4 percent”.
        if isCommon, other.isMeasure {
            return readings.contains { mine in mine.isImplied && other.readings.contains { Quantity.agree(mine, $0) } }
        }
        return readings.contains { mine in other.readings.contains { Quantity.agree(mine, $0) } }
    }

    private static func agree(_ left: Reading, _ right: Reading) -> Bool {
        guard let mine = left.unit, let theirs = right.unit else {
            // Written with a point and nothing behind it, a time of day reads like any number: “at 11.20”.
            for (clock, number) in [(left, right), (right, left)] where clock.unit == .clock {
                let hour = (clock.value / 60).rounded(.down)
                let digits = hour + (clock.value - hour * 60) / 100
                return [digits, digits - 12].contains { isSame($0, number.value) }
            }
            return left.slack.allows(right.value, for: left.value)
        }
        if mine.dimension == theirs.dimension {
            return left.slack.allows(right.value * theirs.factor / mine.factor, for: left.value)
        }
        // Months are as long as 28 to 31 days: “90 days” are three months, “eight weeks” two.
        for (months, days) in [(left, right), (right, left)]
        where months.unit?.dimension == "months" && days.unit?.dimension == "time" {
            let value = months.value * (months.unit?.factor ?? 1)
            let exact = days.value * (days.unit?.factor ?? 1) / 86_400 / 30.44
            return exact >= 0.9 && abs(exact - value) <= value * 0.085
        }
        // “18 horas” and “6 p.m.” are the same time of day.
        for (clock, hours) in [(left, right), (right, left)]
        where clock.unit == .clock && hours.unit == Unit(dimension: "time", factor: 3600) {
            return isSame(clock.value, hours.value * 60)
        }
        return false
    }

    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(abs(left), abs(right))
    }
}

extension Quantity {
    /// The number that begins at a place among the tokens of a sentence, and the place behind it.
    static func read(_ tokens: [FactToken], at index: Int, language: FactLanguage) -> (quantity: Quantity, end: Int)? {
        let sign = index > 0 && !tokens[index].isApart ? Unit.sign(tokens[index - 1].text) : nil
        let fraction = Fraction.read(tokens, at: index, language: language)
        guard var number = Numeral(tokens, at: index, language: language) else {
            return fraction.map { (Quantity(readings: [share($0.percent)]), $0.end) }
        }
        if let clock = clock(number, tokens) { return clock }
        if let literal = number.literal { return (Quantity(readings: [], literal: literal), number.end) }
        var multiplier = 1.0
        // “31 mil”, “$5 million”, “5 bn”.
        while number.end < tokens.count, !tokens[number.end].isApart,
            let factor = NumberWords.multipliers[tokens[number.end].folded], tokens[number.end].folded != "m"
        {
            number.values = number.values.map { $0 * factor }
            number.step *= factor
            multiplier *= factor
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
        let before = tokens[max(0, index - (sign == nil ? 2 : 3))..<(sign == nil ? index : index - 1)].map(\.folded)
        var quantity = Quantity(
            readings: number.values.map { value in
                let slack = Rounding(value: value, step: number.step, behind: before, isPrecise: number.isPrecise)
                return Reading(value: value, unit: unit, slack: slack)
            } + number.others)
        quantity.factor = multiplier
        quantity.isNegative = isNegative(tokens, index..<number.end)
        quantity.isLoss = tokens[max(0, index - 5)..<min(tokens.count, number.end + 4)]
            .contains { losses.contains(Stem.of($0.folded)) }
        if let fraction {
            quantity.readings.append(share(fraction.percent))
            number.end = max(number.end, fraction.end)
        } else if unit == nil, number.others.isEmpty {
            quantity.counted = counted(tokens, from: number.end, behind: before.last ?? "")
            if quantity.counted.isEmpty, quantity.isCommon, let hour = before.last, hours.contains(hour),
                let time = number.time
            {
                // “Before nine” may be a time of day.
                quantity.readings += [0, 720].map {
                    Reading(value: Double(time.hour % 12 * 60 + time.minute) + $0, unit: .clock)
                }
            }
            // “The 2004 election”, but not “2004 trees”.
            let next = number.end < tokens.count ? tokens[number.end].folded : ""
            quantity.isYear = number.isYear && (quantity.counted.isEmpty || !next.hasSuffix("s"))
        }
        return (quantity, number.end)
    }

    /// “-5”, “minus 5”, “5 below zero”, “5 grados bajo cero”.
    private static func isNegative(_ tokens: [FactToken], _ place: Range<Int>) -> Bool {
        let start = place.lowerBound
        if tokens[start].isNegative { return true }
        if start > 0 {
            let before = tokens[start - 1]
            if before.isNegative, Unit.sign(before.text) != nil { return true }
            if before.folded == "minus" { return true }
            // “Al menos” and “pelo menos” are “at least”.
            let least: Set<String> = ["al", "ao", "pelo", "a", "o"]
            if before.folded == "menos", start < 2 || !least.contains(tokens[start - 2].folded) { return true }
        }
        let behind = tokens[place.upperBound...].prefix(3).map(\.folded)
        return belows.contains { behind.starts(with: $0) }
    }

    private static let belows = [
        ["below", "zero"], ["below", "freezing"], ["bajo", "cero"], ["abaixo", "de", "zero"], ["negativos"],
    ]
    /// The stems of words for what becomes less, beside which a minus is often left out.
    private static let losses = Set(
        [
            "loss", "losses", "lost", "lose", "fall", "fell", "fallen", "drop", "decline", "decrease", "down", "cut",
            "lower", "less", "shrank", "shrink", "sank", "deficit", "queda", "caiu", "baixou", "perdeu", "perda",
            "prejuizo", "caida", "cayo", "bajo", "perdio", "perdida",
        ].map(Stem.of))

    private static func share(_ percent: Double) -> Reading {
        Reading(value: percent, unit: .percent, slack: .around(1.5))
    }

    /// What a number counts: the words behind it, or behind “of the five”; or the word “number” before it.
    private static func counted(_ tokens: [FactToken], from end: Int, behind before: String) -> Set<String> {
        if ["number", "no", "numero"].contains(before) { return ["number"] }
        var place = end
        if place < tokens.count, !tokens[place].isApart, ["of", "de", "dos", "das"].contains(tokens[place].folded) {
            place += 1
            if place < tokens.count, FactWords.small.contains(tokens[place].folded) { place += 1 }
            if place < tokens.count, tokens[place].isNumeral || NumberWords.values[tokens[place].folded] != nil {
                place += 1
            }
        }
        // “Eleven other trees”
        let isOther = place < tokens.count && !tokens[place].isApart && others.contains(tokens[place].folded)
        let words = tokens[min(isOther ? place + 1 : place, tokens.count)...].prefix(3).prefix {
            !$0.isApart && FactWords.isContent($0) && !$0.isCapitalised && !notCounted.contains($0.folded)
        }
        // “The fifth of the year” counts no year.
        if place > end, words.last?.folded.hasSuffix("s") != true { return [] }
        return Set(words.map { Stem.of($0.folded) })
    }

    private static let others: Set<String> = ["other", "outros", "outras", "otros", "otras"]

    private static let hours: Set<String> = ["at", "before", "after", "until", "till", "by", "as", "las"]

    /// “Four times a week” counts what happens, “0.3 above the record” what is said before.
    private static let notCounted: Set<String> = [
        "times", "vezes", "veces", "above", "below", "higher", "lower", "ahead", "behind", "ago", "later", "earlier",
        "apart", "against", "compared",
    ]

    /// A time of day: `4:10`, `4.10 a.m.`, `9 p.m.`, `18h30`.
    private static func clock(_ number: Numeral, _ tokens: [FactToken]) -> (quantity: Quantity, end: Int)? {
        let (half, end) = number.end < tokens.count ? half(tokens[number.end...]) : (nil, number.end)
        let isMorning = half == .morning || number.suffix == "am"
        let isEvening = half == .evening || number.suffix == "pm"
        guard let time = number.time, isMorning || isEvening || half == .either || number.isTime else { return nil }
        let minutes = Double(time.hour % 24 * 60 + time.minute)
        let readings: [Double] =
            if isMorning { [minutes.truncatingRemainder(dividingBy: 720)] } else if isEvening {
                [minutes.truncatingRemainder(dividingBy: 720) + 720]
            } else if minutes < 720 { [minutes, minutes + 720] } else { [minutes] }
        return (Quantity(readings: readings.map { Reading(value: $0, unit: .clock) }), end)
    }

    private enum Half { case morning, evening, either }

    /// Which half of the day the words behind a number say, and the place behind them: “p.m.”, “o’clock”, “in the
    /// morning”, “da tarde”.
    private static func half(_ words: ArraySlice<FactToken>) -> (Half?, end: Int) {
        let start = words.startIndex
        guard let first = words.first, !first.isApart else { return (nil, start) }
        if first.folded == "am" { return (.morning, start + 1) }
        if first.folded == "pm" { return (.evening, start + 1) }
        let next = words.dropFirst().prefix(2).map(\.folded)
        if first.folded == "o", next.first == "clock" {
            let (half, end) = half(words.dropFirst(2))
            return (half ?? .either, half == nil ? start + 2 : end)
        }
        if first.folded == "in", next.first == "the", let half = partsOfDay[next.last ?? ""] {
            return (half, start + 3)
        }
        if first.folded == "at", next.first == "night" { return (.evening, start + 2) }
        if first.folded == "da", let half = partsOfDay[next.first ?? ""] { return (half, start + 2) }
        if first.folded == "de", next.first == "la", let half = partsOfDay[next.last ?? ""] { return (half, start + 3) }
        return (nil, start)
    }

    private static let partsOfDay: [String: Half] = [
        "morning": .morning, "afternoon": .evening, "evening": .evening, "manha": .morning, "manana": .morning,
        "madrugada": .morning, "tarde": .evening, "noite": .evening, "noche": .evening,
    ]
}

/// A number's own words or digits, without its unit.
private struct Numeral {
    var values: [Double] = []
    /// Readings that have a unit of their own already.
    var others: [Quantity.Reading] = []
    var unit: Unit?
    var literal: String?
    var suffix = ""
    /// What its last digit that is no zero stands for.
    var step = 1.0
    /// Whether it has two digits or more, the last of them no zero.
    var isPrecise = false
    /// Whether its digits are those of a year.
    var isYear = false
    /// As a time of day, where the digits can be one.
    var time: (hour: Int, minute: Int)?
    /// Whether it can hardly be anything else.
    var isTime = false
    var end: Int

    init?(_ tokens: [FactToken], at index: Int, language: FactLanguage) {
        let token = tokens[index]
        guard token.isNumeral else {
            if let half = Numeral.half(tokens, at: index) {
                values = [half.value]
                end = half.end
                return
            }
            guard !Numeral.isOther(tokens, at: index),
                let read = NumberWords.read(tokens[index...], isSpanish: language == .spanish)
            else { return nil }
            values = [read.value]
            end = read.end
            if let decimal = Numeral.decimal(tokens, from: end) {
                values = [read.value + decimal.value]
                end = decimal.end
                step = 0.1
                return
            }
            time = read.value <= 12 && read.value >= 1 ? (Int(read.value), 0) : nil
            step = Numeral.step(of: read.value)
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
        let decimals = parts.count > 1 && value != Double(parts.joined()) ? parts[parts.count - 1].count : 0
        step = decimals > 0 ? Numeral.power(-decimals) : Numeral.step(of: value)
        isPrecise = digits.count > 1 && digits.last != "0"
        isYear =
            decimals == 0 && parts.count == 1 && digits.count == 4 && (1000...2200).contains(value) && suffix.isEmpty
        switch suffix {
        case "", "st", "nd", "rd", "th", "º", "ª", "o", "a", "s": break
        case "m":
            values = [value * 1e6]
            step *= 1e6
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
                step *= factor
            } else if let read = Unit.read([FactToken(text: suffix, folded: suffix, isInitial: false, isApart: false)])
            {
                unit = read.unit
            } else {
                literal = token.folded
            }
        }
    }

    /// “half a million”, “medio millón”, “half a dozen”.
    private static func half(_ tokens: [FactToken], at index: Int) -> (value: Double, end: Int)? {
        guard NumberWords.halves.contains(tokens[index].folded), index + 1 < tokens.count else { return nil }
        let place = tokens[index + 1].folded == "a" ? index + 2 : index + 1
        guard place < tokens.count, let factor = NumberWords.multipliers[tokens[place].folded], factor > 10,
            tokens[place].folded.count > 2
        else { return nil }
        return (factor / 2, place + 1)
    }

    /// “two point six”
    private static func decimal(_ tokens: [FactToken], from index: Int) -> (value: Double, end: Int)? {
        guard index + 1 < tokens.count, ["point", "virgula", "coma"].contains(tokens[index].folded),
            !tokens[index].isApart, let digit = NumberWords.values[tokens[index + 1].folded], digit < 10
        else { return nil }
        return (digit / 10, index + 2)
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

    private static func step(of value: Double) -> Double {
        var step = 1.0
        while value > 0, step < 1e12, value.truncatingRemainder(dividingBy: step * 10) == 0 { step *= 10 }
        return step
    }

    private static func power(_ exponent: Int) -> Double {
        (0..<abs(min(exponent, 12))).reduce(1.0) { power, _ in exponent < 0 ? power / 10 : power * 10 }
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
