/// The steps by which one number follows from others.
extension Derivation {
    /// From one: “22 others” of 23, the rest of a share, the two that came before a third.
    func follows(_ quantity: Quantity, from one: Operand) -> Bool {
        if one.isOrdinal || quantity.isOrdinal, one.scale == .amount(nil), steps.contains(.others) {
            let value = one.isOrdinal ? one.value - 1 : one.value + 1
            if one.isOrdinal != quantity.isOrdinal, isSame(quantity, Operand(value: value, scale: one.scale)) { return true }
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
        if isOneLine, isProduct(quantity, left, right) || isProduct(quantity, right, left) { return true }
        guard left.scale == right.scale, left.value != right.value else { return false }
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
        guard less.counted.isEmpty || more.counted.isEmpty || Operand.isAlike(less.counted, more.counted)
        else { return false }
        if steps.contains(.difference),
            isSame(quantity, Operand(value: difference, scale: less.scale, counted: counted))
        {
            return true
        }
        guard isOneLine || less.isStated && more.isStated, less.value > 0,
            dimension != nil || less.isAlike(more)
        else { return false }
        var shares = [less.value / more.value]
        if steps.contains(.difference) { shares += [difference / less.value, difference / more.value] }
        if steps.contains(.others) { shares.append(difference / more.value) }
        if shares.contains(where: { isShare(quantity, $0 * 100) }) { return true }
        return steps.contains(.ratio)
            && quantity.readings.contains { reading in
                let ratio = more.value / less.value
                return reading.unit == nil
                    && (abs(ratio - reading.value) <= reading.value * 0.06
                        || reading.slack.allows(ratio, for: reading.value))
            }
    }

    /// So much each, or a year, times so many; so many percent of so much; and so much for each of so many.
    private func isProduct(_ quantity: Quantity, _ amount: Operand, _ other: Operand) -> Bool {
        guard amount.isAmount, amount.value > 0, other.value > 0 else { return false }
        func isResult(_ value: Double) -> Bool {
            isSame(quantity, Operand(value: value, scale: amount.scale, counted: amount.counted))
        }
        // Without a word for it only where what comes out is plainly of the same kind.
        let isKin = quantity.readings.first?.unit != nil || Operand.isAlike(quantity.counted, amount.counted)
        if other.scale == .amount("percent"), other.value < 100, isKin || steps.contains(.share) {
            let share = steps.contains(.others) ? 1 - other.value / 100 : other.value / 100
            if isResult(amount.value * share) { return true }
        }
        if case .per(let seconds)? = amount.rate, let length = other.seconds {
            return isResult(amount.value * length / seconds)
        }
        if case .per(let seconds)? = quantity.rate, let length = other.seconds, length > seconds {
            return isResult(amount.value * seconds / length)
        }
        guard other.scale == .amount(nil), other.value > 1, other.value == other.value.rounded() else { return false }
        if amount.rate == .each, amount.scale != .amount(nil), isResult(amount.value * other.value) { return true }
        return steps.contains(.share) && isResult(amount.value / other.value)
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

    /// Two numbers of a line that count the same and stand side by side: “three of the one and four of the other” are
    /// “the seven”, “41 votes to 3” are “the 44 votes”.
    func isWhole(_ quantity: Quantity, of operands: [Operand]) -> Bool {
        guard isDefinite, !quantity.isOrdinal else { return false }
        return zip(operands, operands.dropFirst()).contains { left, right in
            left.scale == .amount(nil) && right.scale == left.scale && !left.isOrdinal && !right.isOrdinal
                && (right.counted.isEmpty || Operand.isAlike(left.counted, right.counted))
                && isSame(
                    quantity,
                    Operand(value: left.value + right.value, scale: left.scale, counted: left.counted.union(right.counted)))
        }
    }
}
