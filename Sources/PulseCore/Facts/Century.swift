/// A century: “the 19th century” reads as a number by itself, “siglo XIX” and “século 19” do not.
enum Century {
    static let unit = Unit(dimension: "months", factor: 1200)

    static func read(_ tokens: [FactToken], at index: Int) -> (quantity: Quantity, end: Int)? {
        guard index > 0, ["seculo", "siglo"].contains(tokens[index - 1].folded), !tokens[index].isApart else {
            return nil
        }
        let token = tokens[index]
        guard
            let value = token.isNumeral
                ? Int(token.folded) : token.isAcronym || token.text == "I" ? roman(token.folded) : nil,
            (1...21).contains(value)
        else { return nil }
        var quantity = Quantity(readings: [.init(value: Double(value), unit: unit)])
        quantity.isOrdinal = true
        return (quantity, index + 1)
    }

    private static func roman(_ word: String) -> Int? {
        let values: [Character: Int] = ["i": 1, "v": 5, "x": 10]
        let digits = word.compactMap { values[$0] }
        guard digits.count == word.count else { return nil }
        return zip(digits, digits.dropFirst() + [0]).reduce(0) { $0 + ($1.0 < $1.1 ? -$1.0 : $1.0) }
    }
}
