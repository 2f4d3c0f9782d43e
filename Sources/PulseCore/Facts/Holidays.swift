/// Days of the year that have a name: “Valentine’s Day” is 14 February.
enum Holidays {
    static func read(_ tokens: [FactToken], at index: Int) -> (day: Int, month: Int, end: Int)? {
        guard tokens[index].isCapitalised || tokens[index].folded == "dia" else { return nil }
        for length in [4, 3, 2, 1] where index + length <= tokens.count {
            let words = tokens[index..<index + length].map(\.folded).joined(separator: " ")
            if let date = dates[words] { return (date.0, date.1, index + length) }
        }
        return nil
    }

    private static let dates: [String: (Int, Int)] = [
        "new year day": (1, 1), "ano nuevo": (1, 1), "valentine day": (14, 2),
        "st patrick day": (17, 3), "saint patrick day": (17, 3), "april fools day": (1, 4), "may day": (1, 5),
        "halloween": (31, 10), "christmas eve": (24, 12), "christmas day": (25, 12), "boxing day": (26, 12),
        "new year eve": (31, 12), "dia de ano novo": (1, 1), "dia de reis": (6, 1), "dia de reyes": (6, 1),
        "dia do trabalhador": (1, 5), "dia dos namorados": (12, 6), "dia de san valentin": (14, 2),
        "san valentin": (14, 2), "dia de natal": (25, 12), "dia de navidad": (25, 12), "vespera de natal": (24, 12),
        "nochebuena": (24, 12), "nochevieja": (31, 12), "sao joao": (24, 6), "armistice day": (11, 11),
    ]
}
