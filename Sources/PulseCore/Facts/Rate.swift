/// What a number is told for, if not for all: a year, a day, each.
enum Rate: Sendable, Hashable {
    /// In seconds.
    case per(Double)
    case each
    /// A measure: “1,500 crowns a tonne”.
    case of(Unit)

    /// The one in the words behind a number: “5 million crowns a year”, “5,5 millones anuales”, “€5 each”.
    static func read(_ tokens: [FactToken], behind end: Int, before start: Int) -> Rate? {
        read(tokens, behind: end) ?? read(tokens, before: start)
    }

    /// “Each day of the strike costs 30 million”, “cada camión llevó 20 toneladas”.
    private static func read(_ tokens: [FactToken], before start: Int) -> Rate? {
        for place in stride(from: start - 1, through: max(0, start - 10), by: -1) {
            if tokens[place].isNumeral { return nil }
            guard ["each", "every", "cada"].contains(tokens[place].folded), place + 1 < start else { continue }
            if let (unit, _) = Unit.read(tokens[(place + 1)...]), let seconds = Interval.seconds(unit) {
                return .per(seconds)
            }
            return .each
        }
        return nil
    }

    private static func read(_ tokens: [FactToken], behind end: Int) -> Rate? {
        for place in end..<min(end + 6, tokens.count) {
            let token = tokens[place]
            if ["and", "e", "y", "or"].contains(token.folded) { return nil }
            if token.isApart, place > end || !token.isCapitalised { return nil }
            if let unit = adjectives[token.folded] { return Interval.seconds(unit).map(Rate.per) }
            if eachs.contains(token.folded) { return .each }
            if ["a", "an", "per", "al", "por", "ao", "every", "each", "cada"].contains(token.folded),
                place + 1 < tokens.count
            {
                if let (unit, _) = Unit.read(tokens[(place + 1)...]) {
                    return Interval.seconds(unit).map(Rate.per) ?? .of(unit)
                }
                if ["per", "each", "por", "cada"].contains(token.folded) || place == end { return .each }
            }
        }
        return nil
    }

    private static let eachs: Set<String> = ["each", "apiece", "cada"]

    private static let adjectives: [String: Unit] = {
        var adjectives: [String: Unit] = [:]
        for (unit, words) in table { for word in words.split(separator: " ") { adjectives[String(word)] = unit } }
        return adjectives
    }()

    private static let table = [
        (Unit(dimension: "months", factor: 12), "annually yearly annual anual anuales anuais anualmente"),
        (Unit(dimension: "months", factor: 1), "monthly mensual mensuales mensal mensais"),
        (Unit(dimension: "time", factor: 604_800), "weekly semanal semanales semanais"),
        (Unit(dimension: "time", factor: 86_400), "daily diario diarios diaria diarias"),
        (Unit(dimension: "time", factor: 3600), "hourly"),
    ]
}
