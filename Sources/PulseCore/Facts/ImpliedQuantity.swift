/// Numbers that a text holds without writing one: “an hour”, “both”, “half”, “noon”, two names with an “and” between
/// them. A sentence that says so states nothing that could be checked; but where an article says so, a sentence may
/// write the number: 60 minutes, two, 50 percent.
enum ImpliedQuantity {
    static func read(_ tokens: [FactToken], at index: Int) -> [Quantity] {
        let word = tokens[index].folded
        if let share = shares[word] {
            // “Half an hour”, “a quarter of an hour”, “a half-hour”, “media hora”.
            let behind = tokens[(index + 1)...].prefix(4).drop { ["of", "de"].contains($0.folded) }
            let isSpoken = behind.first.map { articles.contains($0.folded) } == true
            if let (unit, _) = Unit.read(isSpoken ? behind.dropFirst() : behind), unit != .percent {
                return [Quantity(readings: [.init(value: share / 100, unit: unit)])]
            }
            // “La media” is an average.
            if NumberWords.halves.contains(word), word != "half" { return [] }
            return [Quantity(readings: [.init(value: share, unit: .percent, slack: .around(1.5))])]
        }
        if word.hasSuffix("fold"), let value = NumberWords.values[String(word.dropLast(4))] {
            return [Quantity(readings: [.init(value: value)], counted: [word])]
        }
        if let value = counts[word] { return [Quantity(readings: [.init(value: value)], counted: [word])] }
        // “The second day” is day two; “a second” is a time.
        if let value = ordinals[word], index > 0, definite.contains(tokens[index - 1].folded) {
            return [Quantity(readings: [.init(value: value)])]
        }
        if let minutes = hours[word] {
            return [Quantity(readings: minutes.map { .init(value: $0, unit: .clock) })]
        }
        if articles.contains(word), index + 1 < tokens.count, !tokens[index + 1].isApart,
            let (unit, _) = Unit.read(tokens[(index + 1)...]), ["time", "months"].contains(unit.dimension)
        {
            return [Quantity(readings: [.init(value: 1, unit: unit)])]
        }
        return names(tokens, at: index).map { [Quantity(readings: [.init(value: $0)], counted: ["names"])] } ?? []
    }

    /// How many names a list has that begins here: “Kestria, Vellmark and Orvanto”.
    private static func names(_ tokens: [FactToken], at index: Int) -> Double? {
        guard FactWords.canBeName(tokens[index]),
            index == 0 || tokens[index].isApart || !FactWords.canBeName(tokens[index - 1])
        else { return nil }
        var count = 1.0
        var place = index + 1
        while place < tokens.count {
            let token = tokens[place]
            if joiners.contains(token.folded), place + 1 < tokens.count, FactWords.canBeName(tokens[place + 1]) {
                return count + 1
            }
            guard FactWords.canBeName(token) else { return nil }
            if token.isApart { count += 1 }
            place += 1
        }
        return nil
    }

    private static let ordinals: [String: Double] = ["second": 2, "segundo": 2, "segunda": 2]
    private static let definite: Set<String> = [
        "the", "its", "his", "her", "their", "o", "a", "el", "la", "seu", "sua", "su",
    ]
    private static let joiners: Set<String> = ["and", "e", "y"]
    private static let articles: Set<String> = [
        "a", "an", "one", "per", "each", "every", "um", "uma", "un", "una", "cada",
    ]
    private static let shares: [String: Double] = [
        "half": 50, "metade": 50, "mitad": 50, "quarter": 25, "halved": 50, "halves": 50, "meia": 50, "meio": 50,
        "media": 50, "medio": 50, "halving": 50,
    ]
    private static let counts: [String: Double] = [
        "both": 2, "ambos": 2, "ambas": 2, "pair": 2, "couple": 2, "double": 2, "doubled": 2, "doubling": 2, "par": 2,
        "trio": 3, "triple": 3, "tripled": 3, "treble": 3, "trebled": 3, "quartet": 4, "dobro": 2,
        "doble": 2, "duplicou": 2, "duplicaram": 2, "duplico": 2, "duplicaron": 2, "dobrou": 2, "dobraram": 2,
        "doblo": 2, "triplo": 3, "tripling": 3, "triplicou": 3, "triplicaram": 3, "triplico": 3, "triplicaron": 3,
        "quadrupled": 4, "quadruple": 4, "quadruplicou": 4, "cuadruplico": 4, "cuadruple": 4, "quadruplo": 4,
        "quintupled": 5, "quintuple": 5, "quintuplo": 5, "quintuplicou": 5, "quintuplico": 5, "twin": 2, "twins": 2,
        "duo": 2, "dupla": 2, "triplets": 3, "quartets": 4, "quarteto": 4, "cuarteto": 4, "quintet": 5, "quinteto": 5,
    ]
    /// Minutes since midnight.
    private static let hours: [String: [Double]] = [
        "noon": [720], "midday": [720], "midnight": [0], "mediodia": [720], "medianoche": [0],
    ]
}
