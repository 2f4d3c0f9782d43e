extension Quantity {
    /// The number that begins at a place among the tokens of a sentence, and the place behind it.
    static func read(_ tokens: [FactToken], at index: Int, language: FactLanguage) -> (quantity: Quantity, end: Int)? {
        if let time = ClockTime.read(tokens, at: index) { return time }
        if let century = Century.read(tokens, at: index) { return century }
        let sign = index > 0 && !tokens[index].isApart ? Unit.sign(tokens, at: index - 1) : nil
        let fraction = Fraction.read(tokens, at: index, language: language)
        guard var number = Numeral(tokens, at: index, language: language) else {
            return fraction.map { part($0, tokens, at: index) } ?? Span.one(tokens, at: index)
        }
        if let clock = ClockTime.read(number, tokens, at: index) { return clock }
        if let literal = number.literal { return (Quantity(readings: [], literal: literal), number.end) }
        number.readMultipliers(tokens)
        var unit = sign ?? number.unit
        var unitPlace = number.end - 1
        // “2,5 millones de euros”
        let isOf = number.isMillions && number.end < tokens.count && tokens[number.end].folded == "de"
        if unit == nil, number.end < tokens.count, let read = Unit.read(tokens[(number.end + (isOf ? 1 : 0))...]) {
            unit = read.unit
            unitPlace = number.end
            number.end = read.end
            // “Dos años y medio”
            if let half = Numeral.fraction(tokens, from: number.end) {
                number.values = number.values.map { $0 + half.value }
                number.step = 0.1
                number.end = half.end
            }
        }
        var first = sign == nil ? index : index - 1
        // “Quase US$ 9 bilhões”
        if sign != nil, first > 0, tokens[first - 1].isAcronym || tokens[first - 1].text.count == 1 { first -= 1 }
        let before = tokens[max(0, first - 2)..<first].map(\.folded)
        let hedge = Hedge.read(tokens, before: first, behind: number.end)
        var quantity = Quantity(
            readings: number.values.map { value in
                let slack = Rounding(value: value, step: number.step, hedge: hedge, isPrecise: number.isPrecise)
                return Reading(value: value, unit: unit, slack: slack)
            } + number.others)
        quantity.factor = number.multiplier
        if unit == nil, let age = quantity.readings.first?.value, age < 130,
            before.last == "aged" || before.suffix(2) == ["age", "of"]
        {
            quantity.readings.append(
                Reading(value: age, unit: Unit(dimension: "months", factor: 12), isImplied: true))
        }
        quantity.isOrdinal = number.isOrdinal
        quantity.rate = Rate.read(tokens, behind: number.end, before: index)
        quantity.isChange = hedge == nil && Step.all(of: index..<number.end, in: tokens).contains(.difference)
        quantity.isNegative = isNegative(tokens, index..<number.end)
        quantity.isLoss = tokens[max(0, index - 5)..<min(tokens.count, number.end + 4)]
            .contains { losses.contains(Stem.of($0.folded)) }
        if let unit, unitPlace < tokens.count {
            quantity.readings += quantity.readings.flatMap { $0.others(unit, tokens, at: unitPlace, from: index) }
        }
        if let interval = Interval.read(number.values.first ?? 0, unit, tokens, index..<number.end) {
            quantity.readings.append(Reading(value: interval, unit: .interval, isImplied: true))
        }
        if let fraction {
            quantity.readings.append(Reading(part: fraction, tokens, at: index))
            number.end = max(number.end, fraction.end)
        } else if unit == nil, number.others.isEmpty {
            quantity.counted = counted(tokens, from: number.end, behind: before.last ?? "")
            quantity.isOthers =
                others.contains(before.last ?? "")
                || number.end < tokens.count && others.contains(tokens[number.end].folded)
            if quantity.counted.isEmpty, quantity.isCommon, let hour = before.last, hours.contains(hour),
                let time = number.time
            {
                // “Before nine” may be a time of day.
                let slack = Rounding.clock(
                    tokens[max(0, index - 4)..<index].map(\.folded), isWholeHour: time.minute == 0)
                quantity.readings += [0, 720].map {
                    Reading(value: Double(time.hour % 12 * 60 + time.minute) + $0, unit: .clock, slack: slack)
                }
            }
            // “The 2004 election”, but not “2004 trees”.
            let next = number.end < tokens.count ? tokens[number.end].folded : ""
            let isIn =
                ["in", "since", "until", "em", "en", "desde", "hasta", "ate"].contains(before.last ?? "")
                || first > 0 && CalendarWords.month(tokens[first - 1]) != nil
            quantity.isYear = number.isYear && (quantity.counted.isEmpty || isIn || !next.hasSuffix("s"))
            if quantity.isYear { quantity.counted = [] }
            if quantity.isYear, number.suffix == "s" { quantity.readings[0].slack = Rounding(above: 9) }
        }
        return (quantity, number.end)
    }

    private static func part(_ part: Fraction.Part, _ tokens: [FactToken], at index: Int) -> (Quantity, Int) {
        var quantity = Quantity(readings: [Reading(part: part, tokens, at: index)])
        if let ordinal = part.ordinal {
            quantity.readings.append(Reading(value: ordinal))
            quantity.isOrdinal = true
        }
        return (quantity, part.end)
    }

    /// “-5”, “minus 5”, “5 below zero”, “5 grados bajo cero”.
    private static func isNegative(_ tokens: [FactToken], _ place: Range<Int>) -> Bool {
        let start = place.lowerBound
        if tokens[start].isNegative { return true }
        if start > 0 {
            let before = tokens[start - 1]
            if before.isNegative, Unit.sign(tokens, at: start - 1) != nil { return true }
            if before.folded == "minus" { return true }
            // “Al menos” and “pelo menos” are “at least”.
            let least: Set<String> = ["al", "ao", "pelo", "a", "o"]
            if before.folded == "menos", start < 2 || !least.contains(tokens[start - 2].folded) {
                // “Menos 5 graus” is below zero, “menos 38 %” and “menos 7000 automóveis” are a fall.
                return Unit.read(tokens[(place.upperBound - 1)...])?.unit.dimension == "degrees"
                    || place.upperBound < tokens.count
                        && Unit.read(tokens[place.upperBound...])?.unit.dimension == "degrees"
            }
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

    /// What a number counts: the words behind it, or behind “of the five”; or the word “number” before it.
    private static func counted(_ tokens: [FactToken], from end: Int, behind before: String) -> Set<String> {
        if ["number", "no", "numero"].contains(before) { return ["number"] }
        var place = end
        if place < tokens.count, !tokens[place].isApart, ["of", "de", "dos", "das"].contains(tokens[place].folded) {
            place += 1
            if place < tokens.count, FactWords.small.contains(tokens[place].folded) { place += 1 }
            // “1,450 of the terminal’s 1,800 workers”
            for index in place..<min(place + 3, tokens.count) {
                if tokens[index].isNumeral || NumberWords.values[tokens[index].folded] != nil {
                    place = index + 1
                    break
                }
                if tokens[index].isApart, index > place + 1 { break }
            }
        }
        let isPart = place > end
        // “Two or more attacks”
        if place + 1 < tokens.count, ["or", "ou", "o"].contains(tokens[place].folded),
            ["more", "so", "fewer", "less", "mais", "mas", "menos"].contains(tokens[place + 1].folded)
        {
            place += 2
        }
        // “Eleven other trees”
        let isOther = place < tokens.count && !tokens[place].isApart && others.contains(tokens[place].folded)
        let words = tokens[min(isOther ? place + 1 : place, tokens.count)...].prefix(3).prefix {
            !$0.isApart && FactWords.isContent($0) && !$0.isCapitalised && !notCounted.contains($0.folded)
        }
        // “The fifth of the year” counts no year.
        if isPart, words.first?.folded.hasSuffix("s") != true { return [] }
        return Set(words.map { Stem.of($0.folded) })
    }

    private static let others: Set<String> = ["other", "outros", "outras", "otros", "otras"]

    private static let hours: Set<String> = ["at", "before", "after", "until", "till", "by", "as", "las"]

    /// “Four times a week” counts what happens, “0.3 above the record” what is said before.
    private static let notCounted: Set<String> = [
        "times", "vezes", "veces", "above", "below", "higher", "lower", "ahead", "behind", "ago", "later", "earlier",
        "apart", "against", "compared", "foram", "eram", "sao", "estao", "estavam", "ficaram", "ficam", "serao",
        "tinham",
        "fueron", "eran", "estan", "estaban", "quedaron", "quedan", "seran", "habian", "hubo", "houve", "ha", "han",
        "pudieron", "puderam", "tienen", "deben", "devem", "pueden", "podem", "van", "vao",
    ]
}

extension Quantity.Reading {
    /// “Nearly a third”: of all, or of a measure.
    init(part: Fraction.Part, _ tokens: [FactToken], at index: Int) {
        if let unit = part.unit {
            self.init(value: part.percent / 100, unit: unit)
            return
        }
        let hedge = Hedge.read(tokens, before: index, behind: part.end)
        self.init(value: part.percent, unit: .percent, slack: Rounding(part: part.percent, hedge: hedge))
    }

    /// What else the unit may be: pounds are money or a weight, `c` and cents of any currency, “às 5h” a time of day.
    func others(_ unit: Unit, _ tokens: [FactToken], at place: Int, from index: Int) -> [Quantity.Reading] {
        let word = tokens[place].folded
        if unit == .pound, Unit.pounds.contains(word) {
            return [.init(value: value, unit: Unit(dimension: "mass", factor: 453.592), slack: slack)]
        }
        if unit.dimension == "money:dollar", unit.factor < 1 {
            return [.init(value: value, unit: Unit(dimension: "money:euro", factor: unit.factor), slack: slack)]
        }
        return []
    }
}
