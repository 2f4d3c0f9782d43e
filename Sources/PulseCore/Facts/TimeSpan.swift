/// A time span of several parts: “2 hours 24 minutes and 9 seconds”, written 2:24:09.
enum TimeSpan {
    private static let units: [Double] = [3600, 60, 1]

    /// The parts of three numbers with colons between them, which texts also write out.
    static func parts(of literal: String) -> [Quantity] {
        let numbers = literal.split(separator: ":").compactMap { Double($0) }
        guard numbers.count == 3, literal.filter({ $0 == ":" }).count == 2 else { return [] }
        return zip(numbers, units).map {
            Quantity(readings: [.init(value: $0, unit: Unit(dimension: "time", factor: $1))])
        }
    }

    /// The times that stand one behind the other in a text, as they are written with colons.
    static func literals(of facts: [Fact]) -> [(literal: String, place: Int)] {
        var found: [(literal: String, place: Int)] = []
        for (index, fact) in facts.enumerated() {
            guard let hours = value(fact, 3600), index + 2 < facts.count, let minutes = value(facts[index + 1], 60),
                let seconds = value(facts[index + 2], 1),
                facts[index + 2].place.lowerBound - fact.place.upperBound <= 6
            else { continue }
            let texts = [minutes, seconds].map { $0 < 10 ? "0\(Int($0))" : "\(Int($0))" }
            found.append(("\(Int(hours)):" + texts.joined(separator: ":"), fact.place.lowerBound))
        }
        return found
    }

    /// “5 hours and 40 minutes”, “1 metre 80 centimetres”: each part may also be told as the whole.
    static func joined(_ facts: [Fact], _ tokens: [FactToken]) -> [Fact] {
        var facts = facts
        for index in facts.indices.dropLast() {
            guard case .quantity(var first) = facts[index].kind, !facts[index].place.isEmpty,
                let next = facts[(index + 1)...].firstIndex(where: { !$0.place.isEmpty }),
                case .quantity(var second) = facts[next].kind, let large = first.readings.first,
                let small = second.readings.first, let unit = large.unit, let part = small.unit,
                unit.dimension == part.dimension, part.factor < unit.factor,
                small.value * part.factor < unit.factor
            else { continue }
            let between = tokens[facts[index].place.upperBound..<facts[next].place.lowerBound]
            guard between.count <= 1, between.allSatisfy({ joiners.contains($0.folded) }) else { continue }
            let whole = Quantity.Reading(value: large.value + small.value * part.factor / unit.factor, unit: unit)
            first.readings.append(whole)
            second.readings.append(whole)
            facts[index] = Fact(kind: .quantity(first), place: facts[index].place)
            facts[next] = Fact(kind: .quantity(second), place: facts[next].place)
        }
        return facts
    }

    private static let joiners: Set<String> = ["and", "e", "y", "con", "com"]

    private static func value(_ fact: Fact, _ factor: Double) -> Double? {
        guard case .quantity(let quantity) = fact.kind, !fact.place.isEmpty, let reading = quantity.readings.first,
            reading.unit == Unit(dimension: "time", factor: factor), (0..<100).contains(reading.value)
        else { return nil }
        return reading.value
    }
}
