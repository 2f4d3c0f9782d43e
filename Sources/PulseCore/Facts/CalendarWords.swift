/// The names of months and weekdays in the three languages.
enum CalendarWords {
    /// The number of the month that a token names. English months are written with a capital, so that “may” and
    /// “march” are none; a short form such as “mar” is one with a capital only.
    static func month(_ token: FactToken) -> Int? {
        // “Março” is one, “marcó” and “marco” are none.
        if token.folded == "marco", !token.text.lowercased().contains("ç") { return nil }
        if let month = lowerCase[token.folded] { return month }
        guard token.isCapitalised else { return nil }
        return capitalised[token.folded]
    }

    /// The weekday, Monday being 1, and how many tokens name it: “segunda-feira” are two.
    static func weekday(_ tokens: [FactToken], at index: Int) -> (day: Int, length: Int)? {
        let word = tokens[index].folded
        if let day = weekdays[word] { return (day, 1) }
        if let day = before[word], index + 1 < tokens.count, tokens[index + 1].folded == "feira" { return (day, 2) }
        return tokens[index].isCapitalised ? shortWeekdays[word].map { ($0, 1) } : nil
    }

    private static func table(_ rows: [String]) -> [String: Int] {
        var table: [String: Int] = [:]
        for (index, row) in rows.enumerated() {
            for word in row.split(separator: " ") { table[String(word)] = index + 1 }
        }
        return table
    }

    private static let capitalised = table([
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sept sep", "october oct", "november nov", "december dec",
    ])

    private static let lowerCase = table([
        "janeiro enero january", "fevereiro febrero february", "marco marzo", "abril april", "maio mayo", "junho junio",
        "julho julio", "agosto", "setembro septiembre setiembre september", "outubro octubre october",
        "novembro noviembre november", "dezembro diciembre december",
    ])

    private static let weekdays = table([
        "monday lunes", "tuesday martes", "wednesday miercoles", "thursday jueves", "friday viernes",
        "saturday sabado", "sunday domingo",
    ])
    private static let shortWeekdays = table(["mon", "tue tues", "wed", "thu thurs", "fri", "sat", "sun"])
    private static let before = ["segunda": 1, "terca": 2, "quarta": 3, "quinta": 4, "sexta": 5]
}
