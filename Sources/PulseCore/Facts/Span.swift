/// A measure whose number is left unsaid but for its half: “a year and a half”, “una hora y media”.
enum Span {
    static func one(_ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        if let number = number(tokens, at: index) ?? counted(tokens, at: index) { return number }
        guard ["a", "an", "one", "um", "uma", "un", "una"].contains(tokens[index].folded), index + 1 < tokens.count,
            !tokens[index + 1].isApart, let (unit, end) = Unit.read(tokens[(index + 1)...]), unit != .percent,
            let half = Numeral.fraction(tokens, from: end)
        else { return nil }
        return (Quantity(readings: [.init(value: 1 + half.value, unit: unit)]), half.end)
    }

    /// “One and a half hours”, “um milhão e meio” without its million: what is one and more.
    private static func number(_ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        guard ["one", "um", "uma", "uno", "una"].contains(tokens[index].folded),
            let half = Numeral.fraction(tokens, from: index + 1)
        else { return nil }
        var value = 1 + half.value
        var end = half.end
        if end < tokens.count, let factor = NumberWords.multipliers[tokens[end].folded], factor >= 1000 {
            value *= factor
            end += 1
        }
        let read = end < tokens.count ? Unit.read(tokens[end...]) : nil
        return (Quantity(readings: [.init(value: value, unit: read?.unit)]), read?.end ?? end)
    }

    /// “A page and a half”
    private static func counted(_ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        guard ["a", "an", "uma", "una", "un", "um"].contains(tokens[index].folded), index + 1 < tokens.count,
            !tokens[index + 1].isApart, FactWords.isContent(tokens[index + 1]),
            Unit.read(tokens[(index + 1)...]) == nil,
            let half = Numeral.fraction(tokens, from: index + 2)
        else { return nil }
        return (
            Quantity(readings: [.init(value: 1 + half.value)], counted: [Stem.of(tokens[index + 1].folded)]), half.end
        )
    }
}
