/// How often something happens: “every 20 minutes” is three times an hour.
enum Interval {
    /// The seconds from one time to the next.
    static func read(_ value: Double, _ unit: Unit?, _ tokens: [FactToken], _ place: Range<Int>) -> Double? {
        guard value > 0 else { return nil }
        if let unit {
            let before = place.lowerBound > 0 ? tokens[place.lowerBound - 1].folded : ""
            guard ["every", "cada"].contains(before) else { return nil }
            return seconds(unit).map { value * $0 }
        }
        var index = place.upperBound
        if index < tokens.count, !tokens[index].isApart,
            times.contains(tokens[index].folded)
                || tokens[index].folded.hasSuffix("s") && FactWords.isContent(tokens[index])
        {
            // “Ten times an hour”, “ten trams an hour”
            index += 1
        } else if !["twice", "thrice"].contains(tokens[place.upperBound - 1].folded) {
            return nil
        }
        guard index < tokens.count, !tokens[index].isApart, pers.contains(tokens[index].folded) else { return nil }
        index +=
            ["a", "por"].contains(tokens[index].folded) && index + 1 < tokens.count && tokens[index + 1].folded == "la"
            ? 2 : 1
        guard index < tokens.count, let (unit, _) = Unit.read(tokens[index...]) else { return nil }
        return seconds(unit).map { $0 / value }
    }

    static func seconds(_ unit: Unit) -> Double? {
        switch unit.dimension {
        case "time": unit.factor
        case "months": unit.factor * 2_629_746
        default: nil
        }
    }

    private static let times: Set<String> = ["times", "vezes", "veces"]
    private static let pers: Set<String> = ["a", "an", "per", "each", "every", "por", "al", "ao", "cada"]
}
