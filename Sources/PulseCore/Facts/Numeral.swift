/// A number's own words or digits, without its unit.
struct Numeral {
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
    /// What it is multiplied by in words of their own: “million”.
    var multiplier = 1.0
    /// Whether it tells a place in a row: “the third”, “5th”.
    var isOrdinal = false
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
                step = half.value / 2
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
            isOrdinal = NumberWords.ordinals.contains(tokens[end - 1].folded)
            time = read.value <= 12 && read.value >= 1 ? (Int(read.value), 0) : nil
            step = Numeral.step(of: read.value)
            return
        }
        end = index + 1
        let digits = String(token.folded.prefix { !$0.isLetter && $0 != "º" && $0 != "ª" })
        suffix = String(token.folded.dropFirst(digits.count))
        let parts = digits.split { ".,:".contains($0) }.map(String.init)
        time = Numeral.time(parts)
        // “A las 20.15”, “às 5h”
        let isAtTime = index > 0 && ["las", "às", "das"].contains(tokens[index - 1].text.lowercased())
        // “18h30”
        if suffix == "h", end < tokens.count, !tokens[end].isApart, tokens[end].folded.count == 2,
            let hour = time?.hour,
            let minute = Int(tokens[end].folded), minute < 60
        {
            time = (hour, minute)
            isTime = true
            end += 1
            return
        }
        if isAtTime, time != nil, suffix == "h" || suffix.isEmpty && parts.count == 2 && digits.contains(".") {
            isTime = true
            return
        }
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
            decimals == 0 && parts.count == 1 && digits.count == 4 && (1000...2200).contains(value)
            && ["", "s"].contains(suffix)
        switch suffix {
        case "", "s": break
        case "st", "nd", "rd", "th", "º", "ª", "o", "a": isOrdinal = true
        case "m":
            values = [value * 1e6]
            step *= 1e6
            others = [Quantity.Reading(value: value, unit: Unit(dimension: "length", factor: 1000))]
        case "h":
            unit = Unit(dimension: "time", factor: 3600)
        case "am", "pm": break
        default:
            if let factor = NumberWords.multipliers[suffix] {
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

    /// Whether it is so many millions: “de” stands behind them.
    var isMillions: Bool { (values.first ?? 0) >= 1e6 }

    /// “31 mil”, “$5 million”, “5 bn”, “four and a half”.
    mutating func readMultipliers(_ tokens: [FactToken]) {
        while end < tokens.count, !tokens[end].isApart, let factor = NumberWords.multipliers[tokens[end].folded],
            tokens[end].folded != "m"
        {
            values = values.map { $0 * factor }
            step *= factor
            multiplier *= factor
            end += 1
        }
        if let half = Numeral.fraction(tokens, from: end) {
            // “Un millón y medio”
            let word = NumberWords.multipliers[tokens[end - 1].folded] ?? 1
            values = values.map { $0 + half.value * (multiplier > 1 ? multiplier : word >= 1000 ? word : 1) }
            end = half.end
        }
        // “Two and a half million”
        if multiplier == 1, end < tokens.count, !tokens[end].isApart, values.contains(where: { $0 != $0.rounded() }),
            let factor = NumberWords.multipliers[tokens[end].folded], factor >= 1000, tokens[end].folded.count > 2
        {
            values = values.map { $0 * factor }
            multiplier = factor
            step = factor / 10
            end += 1
        }
    }

    /// “and a half”, “y medio”, “e um quarto”.
    static func fraction(_ tokens: [FactToken], from index: Int) -> (value: Double, end: Int)? {
        guard index + 1 < tokens.count, !tokens[index].isApart, NumberWords.connectors.contains(tokens[index].folded)
        else { return nil }
        var place = index + 1
        if ["a", "one", "um", "un"].contains(tokens[place].folded) { place += 1 }
        // “Five a month and half as many” has no half month.
        guard place < tokens.count, place > index + 1 || tokens[index].folded != "and" else { return nil }
        if NumberWords.halves.contains(tokens[place].folded) { return (0.5, place + 1) }
        return place > index + 1 && ["quarter", "quarto", "cuarto"].contains(tokens[place].folded)
            ? (0.25, place + 1) : nil
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
