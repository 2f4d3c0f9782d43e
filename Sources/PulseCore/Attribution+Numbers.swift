/// Whether a number stands in an article for what the sentence tells with it.
extension Attribution {
    /// Whether a number counts those that an article names: “the two countries”, of “Kestria and Vaudren” or of both.
    func isGroup(_ fact: Fact, _ quantity: Quantity, of read: ReadSentence, in article: Evidence) -> Bool {
        guard quantity.isCommon, read.isDefinite(fact), let value = quantity.readings.first?.value,
            (2...5).contains(value)
        else { return false }
        return article.lines.contains { line in
            line.quantities.contains { found in
                found.readings.first?.value == value
                    && (found.counted == ["names"] || !found.counted.isDisjoint(with: Attribution.pairs))
            }
        }
    }

    private static let pairs: Set<String> = ["both", "ambos", "ambas", "pair", "couple", "par", "duo", "trio"]

    /// Whether a small number stands in the one line of an article that has more of the sentence's words than any other.
    func isInItsLine(
        _ quantity: Quantity, _ near: Set<String>, _ others: [Quantity], of read: ReadSentence, in article: Evidence
    )
        -> Bool
    {
        func score(_ line: Evidence.Line) -> Int {
            read.stems.intersection(line.stems).count + near.intersection(line.stems).count
                + read.anchors(others, in: line)
        }
        let scores = article.lines.map(score)
        guard let best = scores.max(), best >= 2, scores.filter({ $0 == best }).count == 1,
            let index = scores.firstIndex(of: best)
        else { return false }
        return article.lines[index].quantities.contains { quantity.agrees(with: $0) && $0.isCommon }
    }

    /// Whether an article counts something else with a number, and what the sentence counts with another one.
    func isCountedOtherwise(
        _ quantity: Quantity, _ others: [Quantity], of read: ReadSentence, _ found: Quantity, in place: Evidence.Line,
        _ article: Evidence
    ) -> Bool {
        guard !quantity.counted.isEmpty, !found.counted.isEmpty, quantity.counted.isDisjoint(with: found.counted)
        else { return false }
        let score = read.stems.intersection(place.stems).count
        return article.lines.contains { line in
            read.stems.intersection(line.stems).count > score
                && line.quantities.contains { other in
                    !quantity.agrees(with: other) && !quantity.counted.isDisjoint(with: other.counted)
                        && !others.contains { $0.agrees(with: other) }
                }
        }
    }

    /// Whether a line tells of what stands near a number, or of much else that its sentence does.
    private func tellsTheSame(_ near: Set<String>, _ read: ReadSentence, _ line: Evidence.Line) -> Bool {
        let beside = near.intersection(line.stems).count
        return beside >= 2 || beside == 1 && read.stems.intersection(line.stems).count >= 2
    }

    /// Whether a number stands in an article and nothing in the line that tells of the same contradicts it.
    func isStated(
        _ quantity: Quantity, _ near: Set<String>, _ others: [Quantity], of read: ReadSentence, in article: Evidence
    ) -> Bool {
        let unit = quantity.readings.first?.unit?.dimension
        func isKin(_ other: Quantity) -> Bool { other.literal == nil && other.readings.first?.unit?.dimension == unit }
        let holding = article.lines.filter { line in
            line.quantities.contains {
                quantity.agrees(with: $0) && (isKin($0) || quantity.literal != nil)
                    && !isCountedOtherwise(quantity, others, of: read, $0, in: line, article)
            }
        }
        guard !holding.isEmpty else { return false }
        func score(_ line: Evidence.Line) -> Int {
            read.stems.intersection(line.stems).count * 2 + near.intersection(line.stems).count
                + read.stems.intersection(line.around).count + 2 * read.anchors(others, in: line)
        }
        let best = holding.map(score).max() ?? 0
        return !article.lines.contains { line in
            score(line) >= best && tellsTheSame(near, read, line) && !line.quantities.contains(where: quantity.agrees)
                && line.quantities.contains { found in
                    isKin(found) && quantity.isLike(found) && !found.isYear && !quantity.agrees(with: found)
                        && !others.contains { $0.agrees(with: found) }
                }
        }
    }
}
