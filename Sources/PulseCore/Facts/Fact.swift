import Foundation

/// Something in a sentence that is either so or not so: a number, a date, a name.
struct Fact: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case quantity(Quantity)
        case date(day: Int, month: Int)
        case month(Int)
        case weekday(Int)
        /// Folded.
        case name(String)
    }

    let kind: Kind
    /// Its tokens in the sentence; none for what it holds without saying it.
    let place: Range<Int>

    var isName: Bool { if case .name = kind { true } else { false } }
}

/// A sentence taken apart.
struct ReadSentence: Sendable {
    let language: FactLanguage
    let tokens: [FactToken]
    let facts: [Fact]
    /// The stems of the words that carry content, numbers and calendar words left out, with their places.
    let content: [(stem: String, place: Int)]
    let stems: Set<String>

    /// The first of its days, months and weekdays.
    let dates: [Fact]

    init(_ text: String, language: FactLanguage) {
        let tokens = FactToken.all(in: text)
        var facts: [Fact] = []
        var content: [(stem: String, place: Int)] = []
        var index = 0
        while index < tokens.count {
            if let (fact, end) = ReadSentence.fact(tokens, at: index, language: language) {
                facts.append(Fact(kind: fact, place: index..<end))
                if case .quantity = fact { facts += ReadSentence.names(in: index..<end, of: tokens) }
                if case .quantity(let quantity) = fact, let literal = quantity.literal {
                    facts += TimeSpan.parts(of: literal).map { Fact(kind: .quantity($0), place: index..<index) }
                }
                // A date holds the number of its day too: “on the 20th”.
                if case .date(let day, _) = fact {
                    facts.append(
                        Fact(kind: .quantity(Quantity(readings: [.init(value: Double(day))])), place: index..<index))
                }
                index = end
                continue
            }
            let token = tokens[index]
            facts += ImpliedQuantity.read(tokens, at: index).map { Fact(kind: .quantity($0), place: index..<index) }
            if FactWords.isContent(token) { content.append((Stem.of(token.folded), index)) }
            if FactWords.canBeName(token) { facts.append(Fact(kind: .name(token.folded), place: index..<index + 1)) }
            index += 1
        }
        self.language = language
        self.tokens = tokens
        for (literal, place) in TimeSpan.literals(of: facts) {
            facts.append(Fact(kind: .quantity(Quantity(readings: [], literal: literal)), place: place..<place))
        }
        self.facts = TimeSpan.joined(ReadSentence.withUnits(facts, tokens), tokens)
        dates = Array(
            self.facts.lazy.filter { fact in
                if case .quantity = fact.kind { false } else { !fact.isName }
            }.prefix(12))
        self.content = content
        self.stems = Set(content.map(\.stem))
    }

    /// “60,000 Australian dollars” says whose they are.
    private static func names(in place: Range<Int>, of tokens: [FactToken]) -> [Fact] {
        place.dropFirst().filter { index in
            let token = tokens[index]
            return token.text.count > 3 && token.isCapitalised && FactWords.canBeName(token)
                && Unit.scales[token.folded] == nil && NumberWords.values[token.folded] == nil
                && Unit.read(tokens[index...])?.end != index + 1
        }.map { Fact(kind: .name(tokens[$0].folded), place: $0..<$0 + 1) }
    }

    private static func fact(
        _ tokens: [FactToken], at index: Int, language: FactLanguage
    ) -> (Fact.Kind, end: Int)? {
        if let (day, month, end) = date(tokens, at: index) ?? Holidays.read(tokens, at: index) {
            return (.date(day: day, month: month), end)
        }
        if let month = CalendarWords.month(tokens[index]) {
            // At the front of a sentence “May” and “March” may be anything.
            if tokens[index].isInitial, ["may", "march", "mar"].contains(tokens[index].folded) { return nil }
            return (.month(month), index + 1)
        }
        if let (day, length) = CalendarWords.weekday(tokens, at: index) { return (.weekday(day), index + length) }
        guard let (quantity, end) = Quantity.read(tokens, at: index, language: language) else { return nil }
        return (.quantity(quantity), end)
    }

    /// Behind “from”, “to”, “than” and the like a number may have its unit from the number before or behind it: “4
    /// minutes an hour, down from 19”, “from 1.8 to 1.4 percent”.
    private static func withUnits(_ facts: [Fact], _ tokens: [FactToken]) -> [Fact] {
        var facts = facts
        for (index, fact) in facts.enumerated() {
            guard case .quantity(var quantity) = fact.kind, !fact.place.isEmpty, fact.place.lowerBound > 0,
                quantity.counted.isEmpty, !quantity.isYear, let bare = quantity.readings.first, bare.unit == nil
            else { continue }
            // “150 and 130 beds”
            if index + 1 < facts.count, case .quantity(let next) = facts[index + 1].kind,
                facts[index + 1].place.lowerBound == fact.place.upperBound + 1,
                ["and", "or", "e", "ou", "y", "o", "u"].contains(tokens[fact.place.upperBound].folded),
                !next.counted.isEmpty
            {
                quantity.counted = next.counted
                facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
                continue
            }
            // “Ten to twelve minutes”
            if index + 1 < facts.count, case .quantity(let next) = facts[index + 1].kind, quantity.factor == 1,
                facts[index + 1].place.lowerBound == fact.place.upperBound + 1, let unit = next.readings.first?.unit,
                ["to", "or", "and", "a", "e", "y", "ou", "o", "ate"].contains(tokens[fact.place.upperBound].folded)
            {
                quantity.readings.append(
                    Quantity.Reading(value: bare.value * next.factor, unit: unit, slack: bare.slack, isImplied: true))
                facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
                continue
            }
            guard isCompared(tokens, at: fact.place.lowerBound) else {
                if let implied = implied(bare, at: fact.place, behind: facts[..<index], tokens) {
                    quantity.readings.append(implied)
                    facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
                }
                continue
            }
            // “588 million marks instead of 420 million”
            if index > 0, quantity.factor > 1, case .quantity(let other) = facts[index - 1].kind,
                !other.counted.isEmpty, !facts[index - 1].place.isEmpty
            {
                quantity.counted = other.counted
                facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
                continue
            }
            // “41 to 26 in favour of a bridge of £38 million”: the one it is compared with has none.
            if index > 0, facts[index - 1].place.upperBound + 1 == fact.place.lowerBound,
                case .quantity(let other) = facts[index - 1].kind, !facts[index - 1].place.isEmpty,
                tokens[fact.place.lowerBound - 1].folded == "to", other.readings.first?.unit == nil
            {
                continue
            }
            let unit = unit(like: quantity, at: index, in: facts, tokens)
            // “From 3.2 to 4.1 million”: the first are millions too.
            if index + 1 < facts.count, facts[index + 1].place.lowerBound == fact.place.upperBound + 1,
                case .quantity(let next) = facts[index + 1].kind, next.factor > 1, quantity.factor == 1
            {
                quantity.readings.append(
                    Quantity.Reading(value: bare.value * next.factor, unit: next.readings.first?.unit))
                facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
                continue
            }
            guard let unit else { continue }
            quantity.readings = [Quantity.Reading(value: bare.value, unit: unit, slack: bare.slack)]
            facts[index] = Fact(kind: .quantity(quantity), place: fact.place)
        }
        return facts
    }

    /// The unit of the number that another one is compared with: the nearest; of millions, those that are about as
    /// many, since a sentence may have them in two currencies.
    private static func unit(
        like quantity: Quantity, at index: Int, in facts: [Fact], _ tokens: [FactToken]
    ) -> Unit? {
        let others: [(distance: Double, unit: Unit)] = facts.enumerated().compactMap { place, other in
            guard place != index, !other.place.isEmpty, case .quantity(let other) = other.kind,
                let reading = other.readings.first, let unit = reading.unit
            else { return nil }
            // “Last year” and “an hour” are no numbers to be compared with.
            let words = tokens[facts[place].place.prefix(2)]
            guard words.contains(where: { $0.isNumeral || NumberWords.values[$0.folded] != nil }) else { return nil }
            guard quantity.factor > 1 else { return (Double(abs(place - index)), unit) }
            guard other.factor > 1, let value = quantity.readings.first?.value, value > 0, reading.value > 0 else {
                return nil
            }
            return (abs(log(reading.value / value)), unit)
        }
        return others.min { $0.distance < $1.distance }?.unit
    }

    /// “It cost 88 million crowns, of which 50 are there”, “it weighs 18 kg and carries seven more”: a number that stands
    /// alone may be of what the one before it is.
    private static func implied(
        _ bare: Quantity.Reading, at place: Range<Int>, behind facts: ArraySlice<Fact>, _ tokens: [FactToken]
    ) -> Quantity.Reading? {
        // “After 30 kilometres, … the next five in 16 minutes”
        let isElliptic = place.lowerBound > 0 && following.contains(tokens[place.lowerBound - 1].folded)
        if place.upperBound < tokens.count, !isElliptic {
            let next = tokens[place.upperBound]
            guard next.isApart || comparatives.contains(next.folded) || pers.contains(next.folded) else { return nil }
        }
        // The two numbers of a score.
        guard !tokens[place.lowerBound - 1].isNumeral, !tokens[place.lowerBound].isApart else { return nil }
        let before = facts.last { if case .quantity = $0.kind { !$0.place.isEmpty } else { false } }
        guard case .quantity(let whole)? = before?.kind, let reading = whole.readings.first, !whole.isYear,
            reading.unit != nil && reading.unit != .clock || whole.factor > 1
        else { return nil }
        return Quantity.Reading(
            value: bare.value * whole.factor, unit: reading.unit, slack: bare.slack, isImplied: true)
    }

    private static let following: Set<String> = [
        "next", "last", "first", "final", "remaining", "seguintes", "ultimos", "ultimas", "siguientes", "proximos",
    ]
    private static let pers: Set<String> = ["a", "an", "per", "each", "every", "al", "por", "cada", "annually"]
    private static let comparatives: Set<String> = ["more", "less", "fewer", "mais", "mas", "menos"]

    private static func isCompared(_ tokens: [FactToken], at index: Int) -> Bool {
        let before = tokens[max(0, index - 3)..<index].map(\.folded)
        if before.suffix(2) == ["instead", "of"] || before.suffix(2) == ["compared", "with"] { return true }
        if before.suffix(2) == ["frente", "a"] || before == ["frente", "a", "los"] { return true }
        return before.last.map(comparing.contains) == true
    }

    private static let comparing: Set<String> = ["from", "to", "than", "against", "versus", "vs", "contra"]

    /// “20 November”, “Nov. 20”, “20 de noviembre”, “the 20th of November”.
    private static func date(_ tokens: [FactToken], at index: Int) -> (day: Int, month: Int, end: Int)? {
        if let day = day(tokens[index]) {
            var next = index + 1
            if next < tokens.count, ["of", "de"].contains(tokens[next].folded) { next += 1 }
            if next < tokens.count, !tokens[next].isApart, let month = CalendarWords.month(tokens[next]) {
                return (day, month, next + 1)
            }
        }
        // The point of “Nov.” stands between.
        if let month = CalendarWords.month(tokens[index]), index + 1 < tokens.count, let day = day(tokens[index + 1]),
            index + 2 >= tokens.count || Unit.read(tokens[(index + 2)...]) == nil
        {
            return (day, month, index + 2)
        }
        return nil
    }

    private static func day(_ token: FactToken) -> Int? {
        guard token.isNumeral else { return nil }
        let digits = token.folded.prefix { $0.isNumber }
        guard ["", "st", "nd", "rd", "th", "º", "o"].contains(token.folded.dropFirst(digits.count)) else { return nil }
        return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
    }
}
