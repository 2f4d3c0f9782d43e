/// The steps by which one number follows from others.
extension Derivation {
    /// From one: “22 others” of 23, the rest of a share, the two that came before a third.
    func follows(_ quantity: Quantity, from one: Operand) -> Bool {
        if one.isOrdinal || quantity.isOrdinal, one.scale == .amount(nil), steps.contains(.others) {
            let value = one.isOrdinal ? one.value - 1 : one.value + 1
            if one.isOrdinal != quantity.isOrdinal, isSame(quantity, Operand(value: value, scale: one.scale)) {
                return true
            }
        }
        // One and six others are seven.
        if one.isOthers, !quantity.isOthers, one.scale == .amount(nil),
            quantity.readings.contains(where: { $0.unit == nil && $0.value == one.value + 1 })
        {
            return true
        }
        // So much a month is so much more a year.
        if case .per(let own)? = one.rate, case .per(let other)? = quantity.rate, own != other,
            isSame(quantity, Operand(value: one.value * other / own, scale: one.scale, counted: one.counted))
        {
            return true
        }
        // A quarter of the distance: it is four times as long.
        if steps.contains(.ratio), one.scale == .amount("percent"), one.value < 100,
            quantity.readings.contains(where: { $0.unit == nil && abs($0.value - 100 / one.value) < 0.05 * $0.value })
        {
            return true
        }
        if isNegated, one.scale == .amount("percent"), one.value < 100,
            isSame(quantity, Operand(value: 100 - one.value, scale: one.scale))
        {
            return true
        }
        guard steps.contains(.others) else { return false }
        switch one.scale {
        case .amount(nil) where one.value > 2 && Operand.isAlike(quantity.counted, one.counted):
            return isSame(quantity, Operand(value: one.value - 1, scale: one.scale, counted: one.counted))
        case .amount("percent") where one.value < 100:
            return isSame(quantity, Operand(value: 100 - one.value, scale: one.scale))
        default: return false
        }
    }

    func follows(_ quantity: Quantity, from left: Operand, _ right: Operand, isOneLine: Bool) -> Bool {
        if isProduct(quantity, left, right, isOneLine: isOneLine)
            || isProduct(quantity, right, left, isOneLine: isOneLine)
        {
            return true
        }
        guard left.scale == right.scale, left.value != right.value else { return false }
        if isOneLine, isLevel(quantity, left, right) || isLevel(quantity, right, left) { return true }
        if isComplement(quantity, left, right) { return true }
        let (less, more) = left.value < right.value ? (left, right) : (right, left)
        let difference = more.value - less.value
        switch left.scale {
        case .year:
            // Who was born in 1950 is 63 or 64 in 2014.
            return [difference, difference - 1].contains {
                isSame(quantity, Operand(value: $0 * 12, scale: .amount("months")))
            }
        case .day:
            return [difference, 365 - difference].contains {
                isSame(quantity, Operand(value: $0 * 86_400, scale: .amount("time")))
            }
        case .amount("clock"):
            // From the evening to the morning.
            return [difference, 1440 - difference].contains {
                isSame(quantity, Operand(value: $0 * 60, scale: .amount("time")))
            }
        case .amount("percent"):
            let isStep = steps.contains(.difference) || quantity.readings.first?.unit?.dimension == "points"
            return isStep && isSame(quantity, Operand(value: difference, scale: .amount("points")))
        case .amount(let dimension):
            return follows(quantity, less, more, difference, dimension, isOneLine: isOneLine)
        }
    }

    /// A difference, a share or a ratio of two amounts.
    private func follows(
        _ quantity: Quantity, _ less: Operand, _ more: Operand, _ difference: Double, _ dimension: String?,
        isOneLine: Bool
    ) -> Bool {
        let counted = less.counted.union(more.counted)
        guard
            less.counted.isEmpty || more.counted.isEmpty || Operand.isAlike(less.counted, more.counted)
                || isDefinite && steps.contains(.others)
        else { return false }
        if steps.contains(.difference),
            isSame(quantity, Operand(value: difference, scale: less.scale, counted: counted))
        {
            return true
        }
        // Of three digits or more, and exactly: hardly by chance.
        if isRare, less.isStated || more.isStated, less.counted.isEmpty || more.counted.isEmpty || less.isAlike(more),
            [difference, less.value + more.value].contains(where: { result in
                quantity.readings.contains { abs($0.value * ($0.unit?.factor ?? 1) - result) < 1e-6 * result }
                    && isSame(quantity, Operand(value: result, scale: less.scale))
            })
        {
            return true
        }
        guard isOneLine || less.isStated && more.isStated, less.value > 0,
            dimension != nil || less.isAlike(more)
        else { return false }
        var shares = [less.value / more.value]
        if steps.contains(.difference) { shares += [difference / less.value, difference / more.value] }
        if steps.contains(.others) { shares.append(difference / more.value) }
        // “54 million, 9 million more than planned” is a fifth above the plan.
        if less.isChange, !more.isChange, steps.contains(.difference) {
            shares += [less.value / difference, less.value / (more.value + less.value)]
        }
        if shares.contains(where: { isShare(quantity, $0 * 100) }) { return true }
        return steps.contains(.ratio)
            && quantity.readings.contains { reading in
                let ratio = more.value / less.value
                return reading.unit == nil
                    && (abs(ratio - reading.value) <= reading.value * 0.06
                        || reading.slack.allows(ratio, for: reading.value))
            }
    }

    /// What an article tells by how much it changed, before or after: “1.2 billion, 300 million more than planned”.
    private func isLevel(_ quantity: Quantity, _ level: Operand, _ change: Operand) -> Bool {
        guard change.isChange, !level.isChange, level.scale == change.scale, level.isAmount, isTelling(quantity),
            isKin(quantity, level)
        else { return false }
        return [level.value - change.value, level.value + change.value].contains {
            isSame(quantity, Operand(value: $0, scale: level.scale, counted: level.counted))
        }
    }

    /// What is left of a whole that the sentence names: “three of the 14”, where eleven of 14 are told of.
    private func isComplement(_ quantity: Quantity, _ left: Operand, _ right: Operand) -> Bool {
        guard let whole, left.scale == .amount(nil), right.scale == left.scale else { return false }
        let (part, all) = left.value < right.value ? (left, right) : (right, left)
        return all.value == whole && part.value > 0 && !part.isOrdinal
            && quantity.readings.contains { $0.unit == nil && $0.value == all.value - part.value }
    }

    /// So much each, or a year, times so many; so many percent of so much; and so much for each of so many.
    private func isProduct(_ quantity: Quantity, _ amount: Operand, _ other: Operand, isOneLine: Bool) -> Bool {
        guard amount.isAmount, amount.value > 0, other.value > 0 else { return false }
        func isResult(_ value: Double) -> Bool {
            isSame(quantity, Operand(value: value, scale: amount.scale, counted: amount.counted))
        }
        if other.scale == .amount("percent") {
            guard other.value < 100, !other.isChange,
                isKin(quantity, amount) && isTelling(quantity) || steps.contains(.share)
            else { return false }
            let share = steps.contains(.others) ? 1 - other.value / 100 : other.value / 100
            // And the whole, of which the amount is that part.
            return isResult(amount.value * share) || isOneLine && isTelling(quantity) && isResult(amount.value / share)
        }
        guard isOneLine else { return false }
        if let ratio = other.ratio, isTelling(quantity), isKin(quantity, amount) {
            return isResult(amount.value * ratio) || isResult(amount.value / ratio)
        }
        if case .per(let seconds)? = amount.rate, let length = other.seconds {
            if isResult(amount.value * length / seconds) { return true }
        }
        switch quantity.rate {
        case .per(let seconds)?:
            if let length = other.seconds, length > seconds { return isResult(amount.value * seconds / length) }
        case .of(let unit)?:
            if other.scale == .amount(unit.dimension) { return isResult(amount.value / (other.value / unit.factor)) }
        case .each?, nil: break
        }
        guard other.scale == .amount(nil), other.value > 1, other.value == other.value.rounded() else { return false }
        if amount.rate == .each, amount.scale != .amount(nil), isResult(amount.value * other.value) { return true }
        return (steps.contains(.share) || quantity.rate == .each) && isResult(amount.value / other.value)
    }

    /// Whether a number comes out hardly by chance: it has digits enough, or is money, or is said to be rounded.
    private func isTelling(_ quantity: Quantity) -> Bool {
        isRare || quantity.readings.first?.unit?.dimension.hasPrefix("money") == true
            || (quantity.readings.first?.value ?? 0) >= 100
    }

    /// Whether a number is plainly of the same kind as an amount: in a unit, or counting the same.
    private func isKin(_ quantity: Quantity, _ amount: Operand) -> Bool {
        quantity.readings.first?.unit != nil || Operand.isAlike(quantity.counted, amount.counted)
            || quantity.factor > 1 && amount.isMoney
    }

    /// What stands side by side in a line, put together.
    func sums(_ operands: [Operand]) -> [Operand] {
        guard steps.contains(.sum) else { return [] }
        var sums: [Operand] = []
        for start in operands.indices {
            var sum = operands[start]
            guard case .amount = sum.scale else { continue }
            for next in operands[(start + 1)...].prefix(4) {
                guard next.scale == sum.scale else { break }
                guard sum.scale != .amount(nil) || Operand.isAlike(sum.counted, next.counted) else { continue }
                sum.value += next.value
                sum.counted.formUnion(next.counted)
                sums.append(sum)
            }
        }
        return sums
    }

    private static func arePersons(_ operand: Operand) -> Bool {
        operand.scale == .amount(nil) && !operand.counted.isDisjoint(with: persons)
    }

    private static let persons = Set(
        [
            "men", "man", "women", "woman", "boy", "girl", "child", "children", "adult", "teenager", "passenger",
            "crew",
            "homem", "homens", "mulher", "mulheres", "rapaz", "rapariga", "menino", "menina", "crianca", "adulto",
            "hombre", "mujer", "mujeres", "nino", "nina", "chico", "chica",
        ].map(Stem.of))

    /// Two numbers of a line that count the same and stand side by side: “three of the one and four of the other” are
    /// “the seven”, “41 votes to 3” are “the 44 votes”.
    func isWhole(_ quantity: Quantity, of operands: [Operand]) -> Bool {
        guard !quantity.isOrdinal else { return false }
        // Four men and a woman are five people, whatever they are called.
        let arePeople = zip(operands, operands.dropFirst()).contains { left, right in
            Derivation.arePersons(left) && Derivation.arePersons(right)
                && quantity.readings.contains { $0.unit == nil && $0.value == left.value + right.value }
        }
        if arePeople { return true }
        guard isDefinite else { return false }
        return zip(operands, operands.dropFirst()).contains { left, right in
            left.scale == .amount(nil) && right.scale == left.scale && !left.isOrdinal && !right.isOrdinal
                && (right.counted.isEmpty || Operand.isAlike(left.counted, right.counted))
                && isSame(
                    quantity,
                    Operand(
                        value: left.value + right.value, scale: left.scale, counted: left.counted.union(right.counted)))
        }
    }
}
