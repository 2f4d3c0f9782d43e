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

    private static func value(_ fact: Fact, _ factor: Double) -> Double? {
        guard case .quantity(let quantity) = fact.kind, !fact.place.isEmpty, let reading = quantity.readings.first,
            reading.unit == Unit(dimension: "time", factor: factor), (0..<100).contains(reading.value)
        else { return nil }
        return reading.value
    }
}
