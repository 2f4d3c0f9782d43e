/// How far a number may be from what it stands for: “about 1,900” may be 1,874, “more than 300” may be 312.
struct Rounding: Sendable, Hashable {
    /// How much less, and how much more, the exact number may be.
    var below = 0.0
    var above = 0.0

    static func around(_ slack: Double) -> Rounding { Rounding(below: slack, above: slack) }

    func allows(_ exact: Double, for stated: Double) -> Bool {
        // Binary fractions are not exact either.
        let error = 1e-9 * max(abs(exact), abs(stated))
        return exact >= stated - below - error && exact <= stated + above + error
    }

    /// - Parameters:
    ///   - value: The number with its millions.
    ///   - step: What its last digit that is no zero stands for.
    ///   - words: The two words before it.
    ///   - isPrecise: Whether it has two digits or more and ends in none that is zero: such a number is a rounded one
    ///     by itself, 35 percent for 34.6.
    init(value: Double, step: Double, behind words: [String], isPrecise: Bool) {
        let word =
            words.last == "de" || words.last == "than" || words.last == "to"
            ? words.joined(separator: " ") : words.last ?? ""
        if Rounding.abouts.contains(word) {
            self = .around(min(step / 2, max(value * 0.06, value < 10 ? 0.5 : 0)))
        } else if Rounding.overs.contains(word) {
            // Nobody says “more than nine” for ten.
            above = min(step, value * 0.2) * 0.99
        } else if Rounding.unders.contains(word) {
            below = min(step, value * 0.1)
        } else if isPrecise {
            self = .around(step / 2)
        }
    }

    init(below: Double = 0, above: Double = 0) {
        self.below = below
        self.above = above
    }

    private static let abouts: Set<String> = [
        "about", "around", "roughly", "approximately", "some", "circa", "close to", "nearer to", "estimated",
        "cerca de", "aproximadamente",
        "uns", "unos", "umas", "unas", "alrededor de",
    ]
    private static let overs: Set<String> = [
        "over", "more than", "greater than", "higher than", "longer than", "older than", "above", "least", "beyond",
        "exceeding", "exceeded", "topped", "mais de", "mas de",
    ]
    private static let unders: Set<String> = [
        "under", "below", "nearly", "almost", "less than", "fewer than", "approaching", "quase", "casi", "menos de",
    ]
}
