/// A number that an article does not state and that follows from two that it does, in one step which the sentence
/// names: a sum (“together”), a difference (“more”, “behind”), a share, a ratio (“times”), the length of a span.
struct Derivation {
    let article: Evidence
    /// The content words of the sentence, and those near the number.
    let stems: Set<String>
    let near: Set<String>
    let steps: Set<Step>
    /// The other numbers of the sentence, which are checked by themselves.
    let stated: [Quantity]
    /// Whether it is told of as known: “the seven deaths”.
    let isDefinite: Bool
    /// The whole that it is a part of: “three of the 14”.
    let whole: Double?
    /// Whether the sentence says what is not so, or what is alone.
    let isNegated: Bool

    /// Whether it has so many digits that it is hardly worked out by chance.
    let isRare: Bool

    init(_ fact: Fact, of read: ReadSentence, near: Set<String>, in article: Evidence) {
        self.article = article
        self.near = near
        stems = read.stems
        isRare = if case .quantity(let quantity) = fact.kind { quantity.isRare } else { false }
        steps = Step.all(of: fact.place, in: read.tokens)
        stated = read.numbers(beside: fact)
        isDefinite = read.isDefinite(fact)
        whole = read.whole(of: fact)
        isNegated = read.tokens[max(0, fact.place.lowerBound - 30)..<min(read.tokens.count, fact.place.upperBound + 30)]
            .contains { Derivation.negations.contains($0.folded) }
    }

    func yields(_ quantity: Quantity) -> Bool {
        guard quantity.literal == nil, !quantity.isYear else { return false }
        let own = stated.compactMap { Operand($0, isStated: true) }
        // What the sentence says itself: “fell from 85 to 7, to less than a tenth”.
        if own.indices.contains(where: { place in
            own[(place + 1)...].contains { follows(quantity, from: own[place], $0, isOneLine: true) }
        }) {
            return true
        }
        if steps.contains(.age), let published = article.published,
            article.lines.contains(where: { isNear($0) && isSince($0, published.year, quantity) })
        {
            return true
        }
        return article.lines.indices.contains { follows(quantity, fromLine: $0, with: own) }
    }

    private func follows(_ quantity: Quantity, fromLine index: Int, with stated: [Operand]) -> Bool {
        // Numbers to be put together stand in one sentence, or in two that follow one another.
        let line = article.lines[index]
        guard isNear(line) else { return false }
        func operands(_ index: Int) -> [Operand] {
            article.lines.indices.contains(index) ? Operand.all(in: article.lines[index], stated: self.stated) : []
        }
        let own = operands(index)
        let next = operands(index + 1)
        let before = operands(index - 1)
        if own.contains(where: { follows(quantity, from: $0) }) { return true }
        if sums(own + next).contains(where: { isSame(quantity, $0) }) { return true }
        if isWhole(quantity, of: own) { return true }
        for (place, left) in own.enumerated() {
            for right in own[(place + 1)...] where follows(quantity, from: left, right, isOneLine: true) {
                return true
            }
            for right in before + next where follows(quantity, from: left, right, isOneLine: false) { return true }
            for right in stated where !left.isStated && follows(quantity, from: left, right, isOneLine: true) {
                return true
            }
        }
        return false
    }

    /// Whether a number is how long ago a year of a line was when the article came out.
    private func isSince(_ line: Evidence.Line, _ year: Int, _ quantity: Quantity) -> Bool {
        line.quantities.contains { found in
            guard found.isYear, let value = found.readings.first?.value else { return false }
            return [Double(year) - value, Double(year) - value - 1].contains {
                isSame(quantity, Operand(value: $0 * 12, scale: .amount("months")))
            }
        }
    }

    /// Whether a line tells of what the sentence does: two of its words, the number's neighbours first.
    private func isNear(_ line: Evidence.Line) -> Bool {
        let numbers = line.quantities.contains { found in stated.contains { !$0.isCommon && $0.agrees(with: found) } }
        let shared = stems.intersection(line.stems).count + near.intersection(line.stems).count + (numbers ? 1 : 0)
        if isRare || isDefinite && steps.contains(.others), shared > 0 || !stems.isDisjoint(with: line.around) {
            return true
        }
        return shared >= 2 || shared == 1 && stems.intersection(line.around).count >= min(3, stems.count)
    }

    // MARK: - What comes out

    func isSame(_ quantity: Quantity, _ result: Operand) -> Bool {
        guard result.value > 0 else { return false }
        let isPoints = result.scale == .amount("points")
        if !quantity.counted.isEmpty {
            if isPoints {
                guard !quantity.counted.isDisjoint(with: Derivation.points) else { return false }
                return quantity.readings.contains { $0.unit == nil && $0.slack.allows(result.value, for: $0.value) }
            }
            guard result.scale == .amount(nil),
                result.counted.isEmpty || isDefinite || Operand.isAlike(quantity.counted, result.counted)
            else { return false }
        }
        guard case .amount(let dimension) = result.scale else { return false }
        let unit = dimension.map { Unit(dimension: $0, factor: 1) }
        return quantity.readings.contains { reading in
            // A difference of two percentages is told in points.
            // “A fine of about 36 million”: millions need no currency.
            let isBareMoney = reading.unit == nil && quantity.factor > 1 && result.isMoney
            guard (reading.unit == nil) == (unit == nil) || isBareMoney,
                !isPoints || reading.unit?.dimension == "points"
            else {
                return false
            }
            return reading.agrees(with: .init(value: result.value, unit: unit))
        }
    }

    func isShare(_ quantity: Quantity, _ percent: Double) -> Bool {
        quantity.readings.contains { $0.unit == .percent && $0.slack.allows(percent, for: $0.value) }
    }

    private static let negations: Set<String> = [
        "not", "no", "without", "only", "nao", "sem", "so", "apenas", "sin", "solo", "nor", "neither", "nunca",
    ]
    private static let points = Set(["point", "points", "ponto", "pontos", "punto", "puntos"].map(Stem.of))
}
