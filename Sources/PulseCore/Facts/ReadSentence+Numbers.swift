/// The numbers of a sentence, and what stands beside each.
extension ReadSentence {
    /// Whether it has more to check than any sentence: a table, or what was made to keep the check busy.
    var isTable: Bool { facts.count > 200 }

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
        if isTable { return [] }
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
}
