/// A number as a text gives it: what it may mean, and what it counts.
struct Quantity: Sendable, Hashable {
    /// All readings: `5m` is five metres or five million, `4.10` in “4.10 a.m.” is a time of day.
    var readings: [Reading]
    /// For what is no number though it looks like one: `4.2.1`.
    var literal: String?
    /// The stems of the words behind it, where they are what it counts: “six boats”, “two of the five gates”.
    var counted: Set<String> = []
    /// What it is multiplied by in a word of its own: “million”.
    var factor = 1.0
    /// Whether it tells a place in a row: “the third”.
    var isOrdinal = false
    /// What it is told for: “5 million a year”, “€5 each”.
    var rate: Rate?
    /// Whether it tells by how much something became more or less: “300 million more than planned”.
    var isChange = false
    /// Whether somebody was told of before: “six others”.
    var isOthers = false
    /// A year, which is a date and stands for itself: “in 2007”.
    var isYear = false
    /// Whether it is below zero, and whether words beside it say the same of a number without a minus: “a loss of 5”.
    var isNegative = false
    var isLoss = false

    struct Reading: Sendable, Hashable {
        var value: Double
        var unit: Unit?
        var slack = Rounding()
        /// Whether its unit is that of the number before it.
        var isImplied = false
    }

    /// Whether it is one of the small numbers without a unit that any text has.
    var isCommon: Bool { literal == nil && readings.allSatisfy { $0.isImplied || $0.unit == nil && $0.value < 20 } }

    /// Whether it is one of those that any text has several of.
    var isSmall: Bool { isCommon && readings.allSatisfy { $0.value < 10 } }

    /// Whether it has so many digits that tell something that it is hardly met with by chance: 168, 1.5 million.
    var isRare: Bool {
        guard let value = readings.first?.value, value > 0, value.isFinite else { return false }
        if readings[0].unit?.dimension == "points" { return true }
        // 1,500 and 168, but neither 12 nor 300.
        var digits = value
        while digits < 1000 { digits *= 10 }
        while digits >= 10_000 { digits /= 10 }
        let step = value >= 1000 ? 1000.0 : 100
        return digits.truncatingRemainder(dividingBy: step) != 0
    }

    /// Whether another number is about as large, and may count the same: one could be mistaken for the other.
    func isLike(_ other: Quantity) -> Bool {
        guard let mine = readings.first?.value, let theirs = other.readings.first?.value, mine > 0, theirs > 0 else {
            return true
        }
        return max(mine, theirs) <= (isSmall ? 8 : 50) * min(mine, theirs)
    }

    /// Whether it tells how often.
    var isRepeated: Bool { readings.contains { $0.unit == .interval } }

    /// Whether it is a length, a time, a weight …, which few things of one article share; money and shares are many.
    var isMeasure: Bool {
        !readings.isEmpty
            && readings.allSatisfy {
                $0.unit.map { $0.dimension != "percent" && !$0.dimension.hasPrefix("money") } ?? false
            }
    }

    /// Whether this may stand for the other amount: a unit counts where both have one.
    func agrees(with other: Quantity) -> Bool {
        if let literal { return literal == other.literal }
        if isNegative != other.isNegative, !(isNegative ? other.isLoss : isLoss) { return false }
        // “In the 19th century” is said of 1876; nobody says the year for the century.
        if other.isYear, !isYear, readings.first?.unit == Century.unit, isOrdinal {
            return other.readings.contains { year in
                readings.contains { $0.value == ((year.value - 1) / 100).rounded(.down) + 1 }
            }
        }
        // A year counts nothing: “in 1981” is not “1981 workers”.
        for (year, number) in [(self, other), (other, self)] where year.isYear && !number.isYear {
            if !number.counted.isEmpty || number.readings.allSatisfy({ $0.unit != nil }) { return false }
        }
        // What counts boats is no length and no price.
        if !counted.isEmpty, !other.readings.isEmpty, other.readings.allSatisfy({ $0.unit != nil }) { return false }
        if !other.counted.isEmpty, !readings.isEmpty, readings.allSatisfy({ $0.unit != nil }) { return false }
        // A small number by itself is no time and no length. A price and a share may lose their unit: “from 3 to 4 percent”.
        if isCommon, other.isMeasure {
            return readings.contains { mine in mine.isImplied && other.readings.contains { mine.agrees(with: $0) } }
        }
        return readings.contains { mine in other.readings.contains { mine.agrees(with: $0) } }
    }
}
