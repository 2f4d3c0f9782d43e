/// A number by its value, whatever it is written with.
struct Number: Sendable, Hashable {
    /// What a writer says of how exact it is.
    enum Hedge: Sendable, Hashable { case about, above, below }

    var value: Double
    /// `%`, a currency's sign, `th` for a place in a row, `:` for a time; empty for all others.
    var unit = ""
    var hedge: Hedge?
    /// Whether it was told as a part of a whole, such as a third.
    var isShare = false

    /// Whether a sentence may say this where its source says `other`: the same, or the same rounded. “About” may be
    /// left out, “more than” may not.
    func agrees(with other: Number) -> Bool {
        guard unit == other.unit else { return false }
        let gap = value - other.value
        let isSame = abs(gap) <= (isShare || other.isShare ? 0.5 : abs(other.value) * 1e-9)
        let isRounded = abs(gap) <= abs(other.value) * 0.05 && digits < other.digits
        return switch (hedge, other.hedge) {
        case (nil, nil), (nil, .about), (.about, .about), (.above, .above), (.below, .below): isSame
        case (.about, nil): isSame || isRounded
        case (.above, nil): isRounded && gap < 0
        case (.below, nil): isRounded && gap > 0
        default: false
        }
    }

    /// How many digits it has but for zeros at either end.
    private var digits: Int {
        let zeros: Set<Character> = ["0", "."]
        let text = value.magnitude < 1e15 && value == value.rounded() ? String(Int(value)) : String(value)
        let front = text.drop { zeros.contains($0) }
        return (front.lastIndex { !zeros.contains($0) }.map { front[...$0] } ?? "").count { $0 != "." }
    }

    /// The value of digits with points and commas; nil where they make no number, but a version or an address.
    static func value(of digits: String, thousands: Character) -> Double? {
        let groups = digits.split(whereSeparator: { !$0.isNumber })
        let marks = digits.filter { !$0.isNumber }
        var whole = groups[...]
        // “1,200.5”: what stands last and once begins the decimals, unless it is the mark of thousands.
        if let last = marks.last, marks.count(where: { $0 == last }) == 1, last != thousands || groups.last?.count != 3
        {
            whole = whole.dropLast()
        }
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }), Set(marks.prefix(whole.count - 1)).count <= 1 else {
            return nil
        }
        func plain(_ part: some Sequence<Substring>) -> String {
            part.joined().compactMap { $0.wholeNumberValue.map { String($0 % 10) } }.joined()
        }
        return Double(plain(whole) + "." + plain(groups[whole.count...]) + "0")
    }
}
