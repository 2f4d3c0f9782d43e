/// Reads a sentence into tokens: first the words as they stand, then what they are.
struct Reader {
    private let lexicon: Lexicon
    private var tokens: [Token] = []
    private var opensClause = true
    private var isInitial = true
    private let hasSmallLetters: Bool
    /// Whether a quotation is open at the end.
    private(set) var isQuoted: Bool

    private static let contractions: Set<String> = ["s", "re", "ll", "ve", "d", "m"]

    /// - Parameter isQuoted: Whether a quotation of the sentence before goes on.
    init(_ sentence: String, _ lexicon: Lexicon, isQuoted: Bool = false) {
        self.lexicon = lexicon
        self.isQuoted = isQuoted
        hasSmallLetters = sentence.contains(where: \.isLowercase)
        let text = Array(sentence)
        var index = 0
        while index < text.count {
            if text[index].isNumber {
                index = addDigits(text, index)
            } else if text[index].isLetter {
                index = addWord(text, index)
            } else {
                readSign(text, index)
                index += 1
            }
        }
    }

    /// The tokens, with numbers and days read.
    func read() -> [Token] {
        var read: [Token] = []
        var index = 0
        while index < tokens.count {
            let (kind, end) = number(at: index) ?? day(at: index) ?? (kind(of: tokens[index]), index + 1)
            read.append(tokens[index])
            read[read.count - 1].kind = kind
            index = end
        }
        return read
    }

    // MARK: - As it stands

    private mutating func readSign(_ text: [Character], _ index: Int) {
        let sign = text[index]
        switch sign {
        case "\"": isQuoted.toggle()
        case "“", "„", "«": isQuoted = true
        case "”", "»": isQuoted = false
        case "%", "$", "€", "£", "¥": add(String(sign))
        case "-", "\u{2212}":
            let next = index + 1 < text.count ? text[index + 1] : " "
            guard index == 0 || text[index - 1].isWhitespace else { break }
            if next.isNumber { add("minus") } else if next.isWhitespace { opensClause = true }
        default: break
        }
        // No full stop: inside a sentence it ends an abbreviation.
        if ",;:()[]–—\"“”„«»!?…".contains(sign) { opensClause = true }
        if ":\"“„«".contains(sign) { isInitial = true }
    }

    /// Digits, with the points, commas, colons and narrow spaces between them.
    private mutating func addDigits(_ text: [Character], _ start: Int) -> Int {
        var end = start + 1
        while end < text.count {
            let joins =
                ".,:\u{a0}\u{202f}\u{2009}".contains(text[end]) && end + 1 < text.count && text[end + 1].isNumber
            guard text[end].isNumber || joins else { break }
            end += 1
        }
        add(String(text[start..<end].filter { !$0.isWhitespace }))
        return end
    }

    /// A word without what an apostrophe adds to it, and a shortened “not” as one; “U.S.” and “a.m.” without points.
    private mutating func addWord(_ text: [Character], _ start: Int) -> Int {
        var end = start
        var word = ""
        while end < text.count {
            let next = end + 1 < text.count ? text[end + 1] : " "
            if text[end].isLetter || text[end].isNumber {
                word.append(text[end])
            } else if "'’".contains(text[end]), next.isLetter {
                let ending = text[(end + 1)...].prefix { $0.isLetter }
                if word.hasSuffix("n"), ending.count == 1, ending.first == "t" {
                    add(String(word.dropLast()))
                    word = "not"
                } else if !Reader.contractions.contains(String(ending).lowercased()) {
                    end += 1
                    continue
                }
                end += 1 + ending.count
                break
            } else if text[end] != "." || text[end - 1] == "." || end > start + 1 && text[end - 2] != "."
                || word.count == 1 && !next.isLetter
            {
                break
            }
            end += 1
        }
        add(word)
        return end
    }

    private mutating func add(_ text: String) {
        guard let first = text.first else { return }
        let folded = Token.fold(text)
        let country = lexicon.demonyms[folded] ?? lexicon.demonyms[Token.singular(folded)]
        let isAcronym =
            hasSmallLetters && text.count > 1 && first.isLetter && text.allSatisfy { $0.isUppercase || $0.isNumber }
        tokens.append(
            Token(
                kind: .plain, key: isAcronym ? text : first.isUppercase ? country ?? folded : folded, folded: folded,
                text: text, opensClause: opensClause, isInitial: isInitial, isQuoted: isQuoted))
        (opensClause, isInitial) = (false, false)
    }

    // MARK: - What it is

    private func kind(of token: Token) -> Token.Kind {
        if token.isAcronym { return .name }
        if lexicon.conditions.contains(token.folded) { return .condition }
        if lexicon.free.contains(token.folded) { return .free }
        return token.text.first?.isUppercase == true && !token.isInitial ? .name : .plain
    }

    private func phrase(_ start: Int, _ length: Int) -> String {
        start + length <= tokens.count ? tokens[start..<start + length].map(\.folded).joined(separator: " ") : ""
    }

    /// What a table says of the words from a place on: of two of them, or of one.
    private func look<Value>(_ table: [String: Value], _ index: Int) -> (value: Value, end: Int)? {
        table[phrase(index, 2)].map { ($0, index + 2) } ?? table[phrase(index, 1)].map { ($0, index + 1) }
    }

    /// A weekday, or a month with the day before or behind it.
    private func day(at index: Int) -> (Token.Kind, Int)? {
        if let (day, end) = calendar(lexicon.weekdays, index) { return (.weekday(day), end) }
        if let (month, end) = calendar(lexicon.months, index) {
            guard let day = dayOfMonth(at: end) else { return (.date(month: month, day: nil), end) }
            return (.date(month: month, day: day), end + 1)
        }
        guard let day = dayOfMonth(at: index) else { return nil }
        let next = ["of", "de"].contains(phrase(index + 1, 1)) ? index + 2 : index + 1
        return calendar(lexicon.months, next).map { (.date(month: $0.value, day: day), $0.end) }
    }

    private func calendar(_ table: [String: Int], _ index: Int) -> (value: Int, end: Int)? {
        guard index < tokens.count, let found = look(table, index) else { return nil }
        return lexicon.daysHaveCapitals && tokens[index].text.first?.isLowercase == true ? nil : found
    }

    private func dayOfMonth(at index: Int) -> Int? {
        Int(phrase(index, 1)).flatMap { 1...31 ~= $0 ? $0 : nil }
    }

    /// A number with what belongs to it: a hedge and a currency before it, a multiplier and a unit behind it.
    private func number(at start: Int) -> (Token.Kind, Int)? {
        var number = Number(value: 0)
        var index = start
        if let (hedge, end) = look(lexicon.hedges, index) { (number.hedge, index) = (hedge, end) }
        if let (share, end) = look(lexicon.shares, index) {
            (number.value, number.unit, number.isShare) = (share, "%", true)
            return (.number(number), end)
        }
        if index < tokens.count, ["$", "€", "£", "¥"].contains(tokens[index].text) {
            number.unit = tokens[index].text
            index += 1
        }
        guard index < tokens.count, day(at: index) == nil, let (value, unit, end) = value(at: index) else { return nil }
        (number.value, index) = (value, end)
        if number.unit.isEmpty { number.unit = unit }
        let next = phrase(index, 1) == "de" ? index + 1 : index
        if number.unit.isEmpty, let (unit, end) = look(lexicon.units, next) { (number.unit, index) = (unit, end) }
        return (.number(number), index)
    }

    private func value(at start: Int) -> (value: Double, unit: String, end: Int)? {
        let text = tokens[start].text
        if let place = lexicon.ordinals[tokens[start].folded] { return (Double(place), "th", start + 1) }
        guard text.first?.isNumber == true else { return scaled(nil, at: start) }
        if text.contains(":") {
            let parts = text.split(separator: ":").map { Double($0.filter(\.isNumber)) ?? 0 }
            return (parts.reduce(0) { $0 * 60 + $1 }, ":", start + 1)
        }
        guard let value = Number.value(of: text, thousands: lexicon.thousands) else { return nil }
        let isPlace = ["st", "nd", "rd", "th"].contains(phrase(start + 1, 1))
        return isPlace ? (value, "th", start + 2) : scaled(value, at: start)
    }

    /// “Forty-one”, “two hundred and five thousand”, “treinta y dos”; or digits with what multiplies them.
    private func scaled(_ digits: Double?, at start: Int) -> (value: Double, unit: String, end: Int)? {
        var (total, group, index) = (0.0, digits ?? 0, digits == nil ? start : start + 1)
        // What the last word was worth, and the last of “thousand”, “million” ….
        var (last, scale) = (digits == nil ? Double.infinity : 0, Double.infinity)
        while index < tokens.count, index == start || !tokens[index].opensClause {
            // “Un” is a number behind another.
            let isArticle = index == start && lexicon.free.contains(tokens[index].folded)
            if let value = lexicon.numbers[tokens[index].folded], value < last, last >= 20, !isArticle {
                group += value
                last = value
            } else if let factor = lexicon.multipliers[tokens[index].folded] {
                if factor <= 100 {
                    (group, last) = (max(group, 1) * factor, factor)
                } else {
                    // “Dos mil millones”: what is greater multiplies all of it.
                    total = factor > scale ? (total + group) * factor : total + (group == 0 ? 1 : group) * factor
                    (group, last, scale) = (0, .infinity, factor)
                }
            } else {
                guard index > start, lexicon.numberJoiners.contains(tokens[index].folded), last >= 20,
                    let next = lexicon.numbers[phrase(index + 1, 1)], next < last
                else { break }
            }
            index += 1
        }
        return index > start ? (total + group, "", index) : nil
    }
}
