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

    /// How many of the other numbers and of the dates of the sentence a line of an article has.
    func anchors(_ others: [Quantity], in line: Evidence.Line) -> Int {
        others.count { other in line.quantities.contains { other.agrees(with: $0) } }
            + dates.count { Attribution.isNamed($0.kind, in: line) }
    }

    /// Whether a day that is named near a number is named in a line of an article too.
    func isDated(_ fact: Fact, in line: Evidence.Line) -> Bool {
        dates.contains { other in
            abs(other.place.lowerBound - fact.place.lowerBound) <= 2 * Attribution.reach
                && Attribution.isNamed(other.kind, in: line)
        }
    }

    /// The other numbers of a sentence, those nearest to a number.
    func numbers(beside fact: Fact) -> [Quantity] {
        var numbers: [(distance: Int, quantity: Quantity)] = []
        for other in facts where !other.place.isEmpty && other != fact {
            let distance = abs(other.place.lowerBound - fact.place.lowerBound)
            if distance <= 40, case .quantity(let quantity) = other.kind { numbers.append((distance, quantity)) }
        }
        return numbers.sorted { $0.distance < $1.distance }.prefix(12).map(\.quantity)
    }

    /// Whether a number is told of as known: “the two sides”, “los 44 votos”.
    func isDefinite(_ fact: Fact) -> Bool {
        guard fact.place.lowerBound > 0, !tokens[fact.place.lowerBound].isApart else { return false }
        return ReadSentence.definite.contains(tokens[fact.place.lowerBound - 1].folded)
    }

    /// The number behind another one and “of”: “three of the 14”, “onze das catorze”.
    func whole(of fact: Fact) -> Double? {
        let end = fact.place.upperBound
        guard end < tokens.count, ["of", "de", "dos", "das", "out"].contains(tokens[end].folded), !tokens[end].isApart,
            let next = facts.first(where: { $0.place.lowerBound > end && !$0.isName }),
            next.place.lowerBound <= end + 4,
            case .quantity(let quantity) = next.kind
        else { return nil }
        return quantity.readings.first.flatMap { $0.unit == nil ? $0.value : nil }
    }

    private static let definite: Set<String> = [
        "the", "these", "those", "its", "their", "his", "her", "all", "both", "los", "las", "os", "as", "dos", "das",
        "nos", "nas", "aos", "estos", "estas", "esos", "esas", "estes", "esses", "essas", "sus", "seus", "suas",
    ]

    /// Pairs of numbers with nothing or a “to” between them, the smaller first.
    var scores: Set<[Double]> {
        let numbers = facts.filter { if case .quantity = $0.kind { !$0.place.isEmpty } else { false } }
        return Set(
            zip(numbers, numbers.dropFirst()).compactMap { left, right in
                let between = tokens[left.place.upperBound..<max(left.place.upperBound, right.place.lowerBound)]
                // “13-4”, “13 to 4”, “13 votes to 4”
                guard between.count <= 2,
                    between.last.map({ ["to", "a", "contra", "against"].contains($0.folded) }) != false,
                    between.dropLast().allSatisfy({ FactWords.isContent($0) && !$0.isCapitalised })
                else { return nil }
                return ReadSentence.pair(left, right)
            })
    }

    /// The score that a number is a part of: “6-5”, where both are small.
    func score(of fact: Fact) -> [Double]? {
        let behind = fact.place.upperBound < tokens.count && tokens[fact.place.upperBound].isNumeral
        guard behind || fact.place.lowerBound > 0 && tokens[fact.place.lowerBound - 1].isNumeral,
            let other = facts.first(where: { other in
                !other.place.isEmpty
                    && (other.place.lowerBound == fact.place.upperBound && !tokens[other.place.lowerBound].isApart
                        || other.place.upperBound == fact.place.lowerBound && !tokens[fact.place.lowerBound].isApart)
                    && tokens[other.place.lowerBound].isNumeral && tokens[fact.place.lowerBound].isNumeral
            }), case .quantity(let left) = fact.kind, case .quantity(let right) = other.kind, left.isCommon,
            right.isCommon
        else { return nil }
        return ReadSentence.pair(fact, other)
    }

    private static func pair(_ left: Fact, _ right: Fact) -> [Double]? {
        guard case .quantity(let first) = left.kind, case .quantity(let second) = right.kind,
            let one = first.readings.first, let other = second.readings.first
        else { return nil }
        return [one.value, other.value].sorted()
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
            let neighbours = facts.enumerated().filter { $0.offset != index && !$0.element.place.isEmpty }
                .sorted { abs($0.offset - index) < abs($1.offset - index) }.map(\.element)
            let unit = neighbours.lazy.compactMap { other in
                if case .quantity(let other) = other.kind { other.readings.first?.unit } else { nil }
            }.first
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

    /// “It cost 88 million crowns, of which 50 are there”, “it weighs 18 kg and carries seven more”: a number that stands
    /// alone may be of what the one before it is.
    private static func implied(
        _ bare: Quantity.Reading, at place: Range<Int>, behind facts: ArraySlice<Fact>, _ tokens: [FactToken]
    ) -> Quantity.Reading? {
        if place.upperBound < tokens.count {
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
