/// When two readings of numbers may be of the same amount, in whatever units.
extension Quantity.Reading {
    /// Whether this may stand for the other one.
    func agrees(with other: Quantity.Reading) -> Bool {
        guard let mine = unit, let theirs = other.unit else {
            // Written with a point and nothing behind it, a time of day reads like any number: “at 11.20”.
            for (clock, number) in [(self, other), (other, self)] where clock.unit == .clock {
                let hour = (clock.value / 60).rounded(.down)
                let digits = hour + (clock.value - hour * 60) / 100
                return [digits, digits - 12].contains { Self.isSame($0, number.value) }
            }
            return slack.allows(other.value, for: value)
        }
        if mine.dimension == theirs.dimension { return agrees(mine, other, theirs) }
        // Months are as long as 28 to 31 days: “90 days” are three months, “eight weeks” two.
        for (months, days) in [(self, other), (other, self)]
        where months.unit?.dimension == "months" && days.unit?.dimension == "time" {
            let value = months.value * (months.unit?.factor ?? 1)
            let exact = days.value * (days.unit?.factor ?? 1) / 86_400 / 30.44
            return exact >= 0.9 && abs(exact - value) <= value * 0.085
        }
        // “18 horas” and “6 p.m.” are the same time of day.
        for (clock, hours) in [(self, other), (other, self)]
        where clock.unit == .clock && hours.unit == Unit(dimension: "time", factor: 3600) {
            return Self.isSame(clock.value, hours.value * 60)
        }
        switch (mine.dimension, theirs.dimension) {
        // A rate is cut by a quarter of a point, or by 0.25 percent, as some say.
        case ("points", "percent"), ("percent", "points"):
            return slack.allows(other.value * theirs.factor / mine.factor, for: value)
        case ("degrees", "fahrenheit"):
            return isSame(other.value, or: (other.value - 32) / 1.8, within: 0.6)
        case ("fahrenheit", "degrees"):
            return isSame(other.value, or: other.value * 1.8 + 32, within: 1.1)
        default: return false
        }
    }

    private func agrees(_ mine: Unit, _ other: Quantity.Reading, _ theirs: Unit) -> Bool {
        let exact = other.value * theirs.factor / mine.factor
        if slack.allows(exact, for: value) { return true }
        // Three times an hour, three times a month: no month is just as long.
        if mine == .interval { return abs(exact - value) <= value * 0.02 }
        // Who turns miles into kilometres rounds.
        return mine.isImperial != theirs.isImperial && abs(exact - value) <= max(value, exact) * 0.04
    }

    private func isSame(_ exact: Double, or turned: Double, within slack: Double) -> Bool {
        Self.isSame(value, exact) || abs(turned - value) <= slack
    }

    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(abs(left), abs(right))
    }
}

extension Quantity {
    /// How many years ago it says something was: “seven years ago”, “hace siete años”.
    func yearsAgo(_ tokens: [FactToken], _ place: Range<Int>) -> Int? {
        guard let reading = readings.first, let unit = reading.unit, unit.dimension == "months", unit.factor >= 12
        else {
            return nil
        }
        let behind = place.upperBound < tokens.count ? tokens[place.upperBound].folded : ""
        let before = place.lowerBound > 0 && !place.isEmpty ? tokens[place.lowerBound - 1].folded : ""
        guard ["ago", "atras"].contains(behind) || ["hace", "ha"].contains(before) else { return nil }
        return Int((reading.value * unit.factor / 12).rounded())
    }
}
