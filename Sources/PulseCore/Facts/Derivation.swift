/// A number that an article does not state and that follows from two that it does, in one step which the sentence
/// names: a sum (“together”), a difference (“more”, “behind”), a share, a ratio (“times”), the length of a span.
struct Derivation {
    /// What the words around a number say was done to get it.
    enum Step { case sum, difference, others, ratio }

    let article: Evidence
    /// The content words of the sentence, and those near the number.
    let stems: Set<String>
    let near: Set<String>
    let steps: Set<Step>

    init(_ fact: Fact, of read: ReadSentence, near: Set<String>, in article: Evidence) {
        self.article = article
        self.near = near
        stems = read.stems
        steps = Derivation.steps(of: fact.place, in: read.tokens)
    }

    /// The steps that the words beside a number name. Behind “from”, “to” or “than” stands a level, and no step to it;
    /// and the two numbers of a score are stated.
    private static func steps(of place: Range<Int>, in tokens: [FactToken]) -> Set<Step> {
        let before = tokens[..<place.lowerBound]
        let behind = tokens[place.upperBound...]
        if let last = before.last, last.isNumeral || levels.contains(last.folded) { return [] }
        if behind.first?.isNumeral == true { return [] }
        var steps: Set<Step> = []
        for token in before.suffix(2) + behind.prefix(3) { steps.formUnion(cues[token.folded] ?? []) }
        // “Twelve times as many” compares, “twelve times a week” counts.
        if let next = behind.dropFirst().first, ["a", "per", "since", "in"].contains(next.folded) {
            steps.remove(.ratio)
        }
        // Whole and parts may stand anywhere in a sentence: “thirteen boats, two of them lifeboats”.
        for index in max(0, place.lowerBound - 30)..<min(tokens.count, place.upperBound + 30)
        where !place.contains(index) {
            if sums.contains(tokens[index].folded) { steps.insert(.sum) }
            if index > place.upperBound, wholes.contains(tokens[index].folded), tokens[index - 1].folded == "of" {
                steps.insert(.sum)
            }
        }
        return steps
    }

    func yields(_ quantity: Quantity) -> Bool {
        guard quantity.literal == nil, !quantity.isYear else { return false }
        return article.lines.indices.contains { index in
            // Numbers to be put together stand in one sentence, or in two that follow one another.
            let line = article.lines[index]
            guard isNear(line) else { return false }
            let own = Derivation.operands(line)
            let next = index + 1 < article.lines.count ? Derivation.operands(article.lines[index + 1]) : []
            let before = index > 0 ? Derivation.operands(article.lines[index - 1]) : []
            if own.contains(where: { follows(quantity, from: $0) }) { return true }
            if sums(own + next).contains(where: { isSame(quantity, $0) }) { return true }
            for (place, left) in own.enumerated() {
                for right in own[(place + 1)...] where follows(quantity, from: left, right, isOneLine: true) {
                    return true
                }
                for right in before + next where follows(quantity, from: left, right, isOneLine: false) { return true }
            }
            return false
        }
    }

    /// Whether a line tells of what the sentence does: two of its words, the number's neighbours first.
    private func isNear(_ line: Evidence.Line) -> Bool {
        let shared = stems.intersection(line.stems).count + near.intersection(line.stems).count
        return shared >= 2 || shared == 1 && stems.intersection(line.around).count >= min(3, stems.count)
    }

    // MARK: - What is calculated with

    /// A number of an article, on the scale it is measured on.
    private struct Operand {
        enum Scale: Hashable { case amount(String?), year, day }
        var value: Double
        var scale: Scale
        var counted: Set<String> = []
    }

    private static func operands(_ line: Evidence.Line) -> [Operand] {
        let days: [Operand] = line.dates.compactMap {
            if case .date(let day, let month) = $0 {
                Operand(value: Double(daysBefore[month - 1] + day), scale: .day)
            } else {
                nil
            }
        }
        return days
            + line.quantities.prefix(24).compactMap { quantity in
                guard let reading = quantity.readings.first, quantity.counted != ["names"] else { return nil }
                if quantity.isYear { return Operand(value: reading.value, scale: .year) }
                return Operand(
                    value: reading.value * (reading.unit?.factor ?? 1), scale: .amount(reading.unit?.dimension),
                    counted: quantity.counted)
            }
    }

    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    // MARK: - The steps

    /// From one: “22 others” of 23, the rest of a share.
    private func follows(_ quantity: Quantity, from one: Operand) -> Bool {
        guard steps.contains(.others) else { return false }
        switch one.scale {
        case .amount(nil) where one.value > 2 && Derivation.isAlike(quantity.counted, one.counted):
            return isSame(quantity, Operand(value: one.value - 1, scale: one.scale, counted: one.counted))
        case .amount("percent") where one.value < 100:
            return isSame(quantity, Operand(value: 100 - one.value, scale: one.scale))
        default: return false
        }
    }

    private func follows(_ quantity: Quantity, from left: Operand, _ right: Operand, isOneLine: Bool) -> Bool {
        guard left.scale == right.scale, left.value != right.value else { return false }
        let (less, more) = left.value < right.value ? (left, right) : (right, left)
        let difference = more.value - less.value
        switch left.scale {
        case .year:
            // Who was born in 1950 is 63 or 64 in 2014.
            return [difference, difference - 1].contains {
                isSame(quantity, Operand(value: $0 * 12, scale: .amount("months")))
            }
        case .day: return isSame(quantity, Operand(value: difference * 86_400, scale: .amount("time")))
        case .amount("clock"): return isSame(quantity, Operand(value: difference * 60, scale: .amount("time")))
        case .amount(let dimension):
            let counted = left.counted.union(right.counted)
            guard left.counted.isEmpty || right.counted.isEmpty || Derivation.isAlike(left.counted, right.counted)
            else { return false }
            if steps.contains(.difference),
                isSame(quantity, Operand(value: difference, scale: left.scale, counted: counted))
            {
                return true
            }
            guard isOneLine, less.value > 0, dimension != "percent",
                dimension != nil || Derivation.isAlike(left.counted, right.counted)
            else { return false }
            var shares = [less.value / more.value]
            if steps.contains(.difference) { shares += [difference / less.value, difference / more.value] }
            if shares.contains(where: { isShare(quantity, $0 * 100) }) { return true }
            return steps.contains(.ratio)
                && quantity.readings.contains { reading in
                    reading.unit == nil && abs(more.value / less.value - reading.value) <= reading.value * 0.06
                }
        }
    }

    /// What stands side by side in a line, put together.
    private func sums(_ operands: [Operand]) -> [Operand] {
        guard steps.contains(.sum) else { return [] }
        var sums: [Operand] = []
        for start in operands.indices {
            var sum = operands[start]
            guard case .amount = sum.scale else { continue }
            for next in operands[(start + 1)...].prefix(4) {
                guard next.scale == sum.scale else { break }
                guard sum.scale != .amount(nil) || Derivation.isAlike(sum.counted, next.counted) else { continue }
                sum.value += next.value
                sum.counted.formUnion(next.counted)
                sums.append(sum)
            }
        }
        return sums
    }

    // MARK: - What comes out

    private func isSame(_ quantity: Quantity, _ result: Operand) -> Bool {
        guard result.value > 0 else { return false }
        if !quantity.counted.isEmpty {
            guard result.scale == .amount(nil),
                result.counted.isEmpty || Derivation.isAlike(quantity.counted, result.counted)
            else { return false }
        }
        return quantity.readings.contains { reading in
            if let unit = reading.unit {
                return result.scale == .amount(unit.dimension)
                    && reading.slack.allows(result.value / unit.factor, for: reading.value)
            }
            return result.scale == .amount(nil) && reading.slack.allows(result.value, for: reading.value)
        }
    }

    private func isShare(_ quantity: Quantity, _ percent: Double) -> Bool {
        quantity.readings.contains { $0.unit == .percent && $0.slack.allows(percent, for: $0.value) }
    }

    /// “Lifeboats” and “fishing boats” are boats.
    private static func isAlike(_ left: Set<String>, _ right: Set<String>) -> Bool {
        left.contains { one in
            right.contains { $0 == one || $0.count > 3 && one.hasSuffix($0) || one.count > 3 && $0.hasSuffix(one) }
        }
    }

    private static let cues: [String: Set<Step>] = {
        var cues: [String: Set<Step>] = [:]
        for (step, words) in table {
            for word in words.split(whereSeparator: \.isWhitespace) { cues[String(word), default: []].insert(step) }
        }
        return cues
    }()

    private static let levels: Set<String> = [
        "from", "to", "than", "at", "aged", "de", "desde", "que", "para", "a",
    ]
    private static let sums: Set<String> = [
        "together", "altogether", "total", "totals", "totalling", "totalled", "combined", "sum", "juntos", "juntas",
        "totais", "totales", "soma", "suma",
    ]
    private static let wholes: Set<String> = ["them", "which", "whom"]

    private static let table: [(Step, String)] = [
        (
            .difference,
            """
            more less fewer further extra additional up down rise rises rose risen increase increased grew grown growth
            gain gained climbed jumped added fell fall fallen drop dropped decline declined cut lost loss shed gap
            difference ahead behind lead leads margin longer shorter older younger higher lower taller heavier lighter
            larger smaller faster slower cheaper dearer late later early earlier short missing spare lacks remaining
            remain remains left rest
            mais menos maior menor aumento aumentou subiu caiu diferenca depois antes mas mayor subio cayo
            diferencia despues ventaja vantagem restantes restante resto
            """
        ),
        (
            .others,
            """
            other others another remaining remain remains rest left previous previously earlier
            outros outras restantes resto anteriores otros otras restante anterior
            """
        ),
        (.ratio, "times fold vezes veces"),
    ]
}
