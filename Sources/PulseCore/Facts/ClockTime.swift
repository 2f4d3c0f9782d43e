/// A time of day, as it is written.
enum ClockTime {
    /// `4:10`, `4.10 a.m.`, `9 p.m.`, `18h30`, “ocho y cuarto”.
    static func read(_ number: Numeral, _ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        var number = number
        let isTold = addQuarters(to: &number, tokens, at: index)
        let (half, end) = number.end < tokens.count ? half(tokens[number.end...]) : (nil, number.end)
        let isMorning = half == .morning || number.suffix == "am"
        let isEvening = half == .evening || number.suffix == "pm"
        guard let time = number.time, isMorning || isEvening || half == .either || isTold || number.isTime else {
            return nil
        }
        let minutes = Double(time.hour % 24 * 60 + time.minute)
        let readings: [Double] =
            if isMorning { [minutes.truncatingRemainder(dividingBy: 720)] } else if isEvening {
                [minutes.truncatingRemainder(dividingBy: 720) + 720]
            } else if minutes < 720 { [minutes, minutes + 720] } else { [minutes] }
        var quantity = ClockTime.quantity(readings, tokens, at: index)
        if !isMorning, !isEvening, tokens[index].folded.contains(":") {
            // 15:58 is a quarter of an hour, too, in a race.
            quantity.readings.append(
                .init(
                    value: Double(time.hour) + Double(time.minute) / 60, unit: Unit(dimension: "time", factor: 60),
                    isImplied: true))
        }
        return (quantity, end)
    }

    private static func quantity(_ readings: [Double], _ tokens: [FactToken], at index: Int) -> Quantity {
        let slack = Rounding.clock(
            tokens[max(0, index - 4)..<index].map(\.folded),
            isWholeHour: readings.allSatisfy { $0.truncatingRemainder(dividingBy: 60) == 0 })
        return Quantity(readings: readings.map { .init(value: $0, unit: .clock, slack: slack) })
    }

    /// “Half past two”, “a quarter to nine”, “um quarto para as oito”.
    static func read(_ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        var place = index
        if ["a", "um"].contains(tokens[place].folded) { place += 1 }
        guard place + 2 < tokens.count, !tokens[place + 1].isApart, let minutes = minutes[tokens[place].folded] else {
            return nil
        }
        let isBefore = ["to", "para"].contains(tokens[place + 1].folded)
        guard isBefore || tokens[place + 1].folded == "past" else { return nil }
        let hour = tokens[place + 2].folded == "as" ? place + 3 : place + 2
        guard hour < tokens.count, let value = hourValue(tokens[hour]) else { return nil }
        let (half, end) = hour + 1 < tokens.count ? half(tokens[(hour + 1)...]) : (nil, hour + 1)
        let time = (value * 60 + (isBefore ? -minutes : minutes) + 720).truncatingRemainder(dividingBy: 720)
        let readings = half == .morning ? [time] : half == .evening ? [time + 720] : [time, time + 720]
        return (quantity(readings, tokens, at: index), end)
    }

    /// “Las ocho y cuarto”, “las nueve menos diez”, “às oito e meia”: whether there was anything to add.
    private static func addQuarters(to number: inout Numeral, _ tokens: [FactToken], at index: Int) -> Bool {
        guard let time = number.time, time.minute == 0, index > 0, number.end + 1 < tokens.count,
            ["la", "las", "as", "das"].contains(tokens[index - 1].folded), !tokens[number.end].isApart,
            let minutes = minutes[tokens[number.end + 1].folded]
        else { return false }
        switch tokens[number.end].folded {
        case "y", "e": number.time = (time.hour, Int(minutes))
        case "menos": number.time = (time.hour == 0 ? 23 : time.hour - 1, 60 - Int(minutes))
        default: return false
        }
        number.end += 2
        return true
    }

    private static func hourValue(_ token: FactToken) -> Double? {
        let value =
            token.isNumeral ? Double(token.folded) : token.folded == "one" ? 1 : NumberWords.values[token.folded]
        return value.flatMap { (1...12).contains($0) ? $0 : nil }
    }

    private static let minutes: [String: Double] = [
        "quarter": 15, "half": 30, "cuarto": 15, "quarto": 15, "media": 30, "meia": 30, "five": 5, "ten": 10,
        "twenty": 20, "cinco": 5, "diez": 10, "dez": 10, "quince": 15, "quinze": 15, "veinte": 20, "vinte": 20,
        "veinticinco": 25,
    ]

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
