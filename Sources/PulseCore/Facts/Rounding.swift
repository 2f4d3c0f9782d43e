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
    ///   - hedge: What the words beside it say.
    ///   - isPrecise: Whether it has two digits or more and ends in none that is zero: such a number is a rounded one
    ///     by itself, 35 percent for 34.6.
    init(value: Double, step: Double, hedge: Hedge?, isPrecise: Bool) {
        switch hedge {
        case .about: self = .around(min(step / 2, max(value * 0.06, value < 10 ? 0.5 : 0)))
        // Nobody says “more than nine” for ten.
        case .over: above = min(step, value * 0.25) * 0.99
        case .nearly, .most: below = min(step, value * 0.1)
        case .under: below = min(step, value * 0.25) * 0.999
        case nil: if isPrecise { self = .around(step / 2) }
        }
    }

    /// For a share in percent that is told as a part of a whole: “nearly a third”, “two in five”.
    init(part percent: Double, hedge: Hedge?) {
        switch hedge {
        case .about: self = .around(max(1.5, percent * 0.1))
        case .over: self.init(below: 0.5, above: percent * 0.25)
        case .under, .nearly, .most: self.init(below: percent * 0.2, above: 0.5)
        case nil: self = .around(1.5)
        }
    }

    /// For a time of day in minutes: “just before nine”.
    ///
    /// - Parameter isWholeHour: “Before five” says less than “before 4.45”.
    static func clock(_ words: [String], isWholeHour: Bool) -> Rounding {
        if isWholeHour, let last = words.last(where: { !["the", "as", "las", "a", "la"].contains($0) }) {
            if ["before", "by", "antes"].contains(last) || words.suffix(2) == ["antes", "de"] {
                return Rounding(below: 45)
            }
            if ["after", "past", "depois", "despues"].contains(last) { return Rounding(above: 45) }
        }
        guard words.count > 1 else { return Rounding() }
        // Of “poco antes de las nueve” the last words are what joins.
        let words = words.drop {
            ![
                "just", "shortly", "soon", "pouco", "poco", "logo", "about", "around", "cerca", "por", "hacia", "sobre",
                "nearly", "almost", "quase", "casi",
            ].contains($0)
        }
        guard let first = words.first else { return Rounding() }
        if words.contains("before") || words.contains("antes") || ["nearly", "almost", "quase", "casi"].contains(first)
        {
            return Rounding(below: 15)
        }
        if words.contains("after") || words.contains("depois") || words.contains("despues") {
            return Rounding(above: 15)
        }
        return ["about", "around", "cerca", "por", "hacia", "sobre"].contains(first) ? .around(15) : Rounding()
    }

    init(below: Double = 0, above: Double = 0) {
        self.below = below
        self.above = above
    }
}
