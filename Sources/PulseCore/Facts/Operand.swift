/// A number of an article or of the sentence itself that another may be worked out from, on the scale it is measured on.
struct Operand: Sendable {
    enum Scale: Sendable, Hashable { case amount(String?), year, day }
    var value: Double
    var scale: Scale
    var counted: Set<String> = []
    var isOrdinal = false
    var rate: Rate?
    var isChange = false
    var isOthers = false
    /// Whether the sentence states it too: then it is one of those that are told of.
    var isStated = false

    /// The numbers of a line, dates first.
    static func all(in line: Evidence.Line, stated: [Quantity]) -> [Operand] {
        let days: [Operand] = line.dates.compactMap {
            if case .date(let day, let month) = $0 {
                Operand(value: Double(daysBefore[month - 1] + day), scale: .day)
            } else {
                nil
            }
        }
        return days
            + line.quantities.prefix(24).compactMap { quantity in
                Operand(quantity, isStated: stated.contains { $0.agrees(with: quantity) })
            }
    }

    /// Nil for what nothing is calculated with: the number of names in a list.
    init?(_ quantity: Quantity, isStated: Bool) {
        guard let reading = quantity.readings.first, quantity.counted != ["names"] else { return nil }
        self.init(value: reading.value, scale: .year)
        if !quantity.isYear {
            value = reading.value * (reading.unit?.factor ?? 1)
            scale = .amount(reading.unit?.dimension)
        }
        counted = quantity.counted
        isOrdinal = quantity.isOrdinal
        rate = quantity.rate
        isChange = quantity.isChange
        isOthers = quantity.isOthers
        self.isStated = isStated
    }

    init(value: Double, scale: Scale, counted: Set<String> = []) {
        self.value = value
        self.scale = scale
        self.counted = counted
    }

    /// How long it is in seconds, for a time.
    var seconds: Double? {
        switch scale {
        case .amount("time"): value
        case .amount("months"): value * 2_629_746
        default: nil
        }
    }

    /// What “double”, “half” or “fivefold” multiplies by.
    var ratio: Double? {
        scale == .amount(nil) && counted.contains { $0.hasSuffix("fold") || Operand.ratios.contains($0) } ? value : nil
    }

    private static let ratios: Set<String> = [
        "double", "doubled", "doubling", "dobro", "doble", "triple", "tripled", "triplo", "treble", "quadruple",
        "quadrupled", "duplicou", "duplico", "dobrou", "triplicou", "triplico", "quadruplicou", "cuadruplico",
    ]

    /// Whether it is an amount that can be multiplied: money, tonnes, things counted.
    var isAmount: Bool {
        if case .amount(let dimension) = scale { dimension != "percent" && dimension != "clock" } else { false }
    }

    var isMoney: Bool { if case .amount(let dimension?) = scale { dimension.hasPrefix("money") } else { false } }

    /// Whether both count the same, or one of them says nothing of it and is told of in the sentence.
    func isAlike(_ other: Operand) -> Bool {
        if counted.isEmpty || other.counted.isEmpty {
            return isStated || other.isStated || counted == other.counted && scale != .amount(nil)
        }
        return Operand.isAlike(counted, other.counted)
    }

    /// “Lifeboats” and “fishing boats” are boats.
    static func isAlike(_ left: Set<String>, _ right: Set<String>) -> Bool {
        left.contains { one in
            right.contains { $0 == one || $0.count > 3 && one.hasSuffix($0) || one.count > 3 && $0.hasSuffix(one) }
        }
    }

    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
}
