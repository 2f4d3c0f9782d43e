/// A part of a whole, written in words: “two thirds”, “one in five”, “nine out of ten”.
enum Fraction {
    /// The share in percent that begins at a place among tokens, and the place behind it.
    static func read(
        _ tokens: [FactToken], at index: Int, language: FactLanguage
    ) -> (percent: Double, end: Int)? {
        guard let (count, next) = count(tokens, at: index, language), next < tokens.count, !tokens[next].isApart
        else { return nil }
        // “A quarter of an hour” is a time.
        let behind = tokens[(next + 1)...].prefix(4)
        if behind.first?.folded == "of", Unit.read(behind.dropFirst(2)).map({ $0.unit.dimension == "time" }) == true {
            return nil
        }
        if let whole = parts[tokens[next].folded] { return share(count, of: whole).map { ($0, next + 1) } }
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
            [3, 4, 5, 6, 8, 10, 20, 100].contains(whole), count < whole
        else { return nil }
        // “three in five days” counts days.
        if end < tokens.count, Unit.read(tokens[end...]) != nil { return nil }
        return share(count, of: whole).map { ($0, end) }
    }

    private static func share(_ count: Double, of whole: Double) -> Double? {
        count < whole ? count / whole * 100 : nil
    }

    private static func count(_ tokens: [FactToken], at index: Int, _ language: FactLanguage) -> (Double, Int)? {
        let token = tokens[index]
        if ["a", "one", "um", "uma", "un", "una"].contains(token.folded) { return (1, index + 1) }
        if token.isNumeral { return Double(token.folded).map { ($0, index + 1) } }
        return NumberWords.read(tokens[index...(index)], isSpanish: language == .spanish).map { ($0.value, $0.end) }
    }

    private static let parts: [String: Double] = [
        "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6,
        "sixths": 6, "seventh": 7, "eighth": 8, "eighths": 8, "ninth": 9, "tenth": 10, "tenths": 10, "terco": 3,
        "tercos": 3, "tercio": 3, "tercios": 3, "quarto": 4, "quartos": 4, "cuarto": 4, "cuartos": 4, "quinto": 5,
        "quintos": 5, "decimo": 10, "decimos": 10, "twentieth": 20,
    ]
}
