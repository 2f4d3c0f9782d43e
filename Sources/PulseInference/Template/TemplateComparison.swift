/// Comparisons as in Python, charged by the bytes read.
extension TemplateEvaluator {
    mutating func compare(_ left: TemplateValue, _ operation: String, _ right: TemplateValue) throws -> Bool {
        switch operation {
        case "==": return try equal(left, right)
        case "!=": return try !equal(left, right)
        case "<": return try isLess(left, right)
        case ">": return try isLess(right, left)
        case "<=": return try !isLess(right, left)
        case ">=": return try !isLess(left, right)
        default: return try contains(right, left) == (operation == "in")
        }
    }

    private mutating func contains(_ whole: TemplateValue, _ part: TemplateValue) throws -> Bool {
        switch whole {
        case .text(let whole):
            guard case .text(let part) = part else { throw TemplateFault("it looks for what is no text in one") }
            return try !places(of: part, in: whole, atMost: 1).isEmpty
        case .dictionary(let dictionary): return try look(part, in: dictionary) != nil
        default:
            for item in try items(of: whole) where try equal(item, part) { return true }
            return false
        }
    }

    mutating func equal(_ one: TemplateValue, _ two: TemplateValue) throws -> Bool {
        try spend(Self.step)
        if let one = one.whole, let two = two.whole { return one == two }
        if let one = one.number, let two = two.number { return one == two }
        switch (one, two) {
        case (.undefined, .undefined), (.none, .none): return true
        case (.text(let one), .text(let two)):
            guard one.utf8.count == two.utf8.count else { return false }
            try spend(one.utf8.count)
            return one.utf8.elementsEqual(two.utf8)
        case (.list(let one), .list(let two)):
            guard one.items.count == two.items.count else { return false }
            for (item, other) in zip(one.items, two.items) where try !equal(item, other) { return false }
            return true
        case (.dictionary(let one), .dictionary(let two)):
            guard one.entries.count == two.entries.count else { return false }
            for (key, value) in one.entries {
                guard let other = try look(key, in: two), try equal(value, other) else { return false }
            }
            return true
        case (.namespace(let one), .namespace(let two)): return one === two
        case (.macro(let one), .macro(let two)): return one === two
        case (.function(let one), .function(let two)): return one == two
        default: return false
        }
    }

    /// Python's `<`.
    mutating func isLess(_ one: TemplateValue, _ two: TemplateValue) throws -> Bool {
        try spend(Self.step)
        if let one = one.whole, let two = two.whole { return one < two }
        if let one = one.number, let two = two.number { return one < two }
        guard case .text(let one) = one, case .text(let two) = two else {
            throw TemplateFault("it compares what has no order")
        }
        try spend(min(one.utf8.count, two.utf8.count))
        // UTF-8 has the order of the code points.
        return one.utf8.lexicographicallyPrecedes(two.utf8)
    }
}
