/// A part of a whole, written in words: “two thirds”, “one in five”, “nine out of ten”, “la cuarta parte”.
enum Fraction {
    struct Part {
        var percent: Double
        /// What it is a part of, where that is a measure: “a quarter of a percentage point”.
        var unit: Unit?
        /// What it is besides, where no whole follows: “a third suspension”.
        var ordinal: Double?
        var end: Int
    }

    /// The part that begins at a place among tokens.
    static func read(_ tokens: [FactToken], at index: Int, language: FactLanguage) -> Part? {
        guard let (count, next) = count(tokens, at: index, language), next < tokens.count, !tokens[next].isApart
        else { return nil }
        if let whole = parts[tokens[next].folded] {
            guard count < whole else { return nil }
            return part(count, of: whole, tokens, from: next + 1)
        }
        // “Una cuarta parte”, “tres quintas partes”
        if next + 1 < tokens.count, ["parte", "partes"].contains(tokens[next + 1].folded), !tokens[next + 1].isApart,
            let whole = shares[tokens[next].folded], count < whole
        {
            return Part(percent: count / whole * 100, end: next + 2)
        }
        return ratio(count, tokens, at: next, language)
    }

    /// “Two thirds”, and of what.
    private static func part(_ count: Double, of whole: Double, _ tokens: [FactToken], from end: Int) -> Part? {
        var part = Part(percent: count / whole * 100, end: end)
        guard end < tokens.count, !tokens[end].isApart else { return part }
        var place = end
        let isOf = ["of", "de", "do", "da", "del"].contains(tokens[place].folded)
        if isOf { place += 1 }
        if place < tokens.count, ["a", "an", "one", "um", "uma", "un", "una"].contains(tokens[place].folded) {
            place += 1
        }
        if place > end || !isOf, place < tokens.count, let (unit, last) = Unit.read(tokens[place...]), unit != .percent
        {
            part.unit = unit
            part.end = last
        } else if count == 1, !isOf, FactWords.isContent(tokens[end]) {
            part.ordinal = whole
        }
        return part
    }

    /// “One in five”, “nine out of ten”, “una de cada cuatro”.
    private static func ratio(_ count: Double, _ tokens: [FactToken], at next: Int, _ language: FactLanguage) -> Part? {
        var place = next
        switch tokens[place].folded {
        case "in", "em", "de": place += 1
        case "out" where place + 1 < tokens.count && tokens[place + 1].folded == "of": place += 2
        case "of" where place + 1 < tokens.count && tokens[place + 1].folded == "every": place += 2
        case "cada": place += 1
        default: return nil
        }
        if place < tokens.count, tokens[place].folded == "every" || tokens[place].folded == "cada" { place += 1 }
        guard place < tokens.count, let (whole, end) = self.count(tokens, at: place, language),
            wholes.contains(whole), count < whole
        else { return nil }
        // “three in five days” counts days.
        if end < tokens.count, Unit.read(tokens[end...]) != nil { return nil }
        return Part(percent: count / whole * 100, end: end)
    }

    private static let wholes = Set((2...20).map(Double.init) + [25, 30, 40, 50, 100, 200, 500, 1000])

    private static func count(_ tokens: [FactToken], at index: Int, _ language: FactLanguage) -> (Double, Int)? {
        let token = tokens[index]
        if ["a", "one", "um", "uma", "un", "una", "uno", "la"].contains(token.folded) {
            // “La cuarta parte”; “la” and “a” before anything else count nothing.
            return (1, index + 1)
        }
        if token.isNumeral { return Double(token.folded).map { ($0, index + 1) } }
        return NumberWords.read(tokens[index...(index)], isSpanish: language == .spanish).map { ($0.value, $0.end) }
    }

    private static let parts: [String: Double] = [
        "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6,
        "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9, "tenth": 10,
        "tenths": 10, "terco": 3, "tercos": 3, "tercio": 3, "tercios": 3, "quarto": 4, "quartos": 4, "cuarto": 4,
        "cuartos": 4, "quinto": 5, "quintos": 5, "sexto": 6, "sextos": 6, "setimo": 7, "setimos": 7, "septimo": 7,
        "septimos": 7, "oitavo": 8, "oitavos": 8, "octavo": 8, "octavos": 8, "decimo": 10, "decimos": 10,
        "twentieth": 20, "hundredth": 100,
    ]
    /// With “parte” behind them.
    private static let shares: [String: Double] = [
        "terca": 3, "tercera": 3, "terceira": 3, "terceras": 3, "quarta": 4, "quartas": 4, "cuarta": 4, "cuartas": 4,
        "quinta": 5, "quintas": 5, "sexta": 6, "sextas": 6, "setima": 7, "septima": 7, "oitava": 8, "octava": 8,
        "decima": 10, "decimas": 10,
    ]
}
