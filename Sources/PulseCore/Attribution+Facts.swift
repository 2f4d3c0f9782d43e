/// Whether the articles hold what a sentence states: every number, date and name by itself, in any form it may be
/// written in; a number also only beside words that stand beside it in the article.
extension Attribution {
    /// Whether a fact is stated: every number and date; a name, unless it is the first word and may be any other.
    func isClaim(_ fact: Fact, of read: ReadSentence) -> Bool {
        guard !fact.place.isEmpty else { return false }
        guard case .name(let name) = fact.kind else { return true }
        let token = read.tokens[fact.place.lowerBound]
        guard token.isInitial else { return true }
        // Known as an ordinary word, in whatever form.
        if evidence.contains(where: { $0.ordinary.contains(name) || $0.stems.contains(Stem.of(name)) }) { return false }
        if Countries.named(read.tokens, at: fact.place.lowerBound) != nil { return true }
        // “o11” and “iPhone” are no ordinary words, wherever they stand.
        if !token.isAcronym, token.text.dropFirst().contains(where: { $0.isUppercase || $0.isNumber }) { return true }
        let next = fact.place.upperBound
        // “Maria Antar” is a name; “Outsiders Vorran” begins with what they are.
        if next < read.tokens.count, !read.tokens[next].isApart, read.tokens[next].isCapitalised {
            return FactWords.looksLikeName(token, before: nil, read.language)
        }
        return token.isAcronym
            || FactWords.looksLikeName(
                token, before: next < read.tokens.count ? read.tokens[next] : nil, read.language)
    }

    func isHeld(_ fact: Fact, of read: ReadSentence, by support: [Int]) -> Bool {
        let articles = support.map { evidence[$0] }
        switch fact.kind {
        case .date(let day, let month): return articles.contains { $0.holds(day: day, month: month) }
        case .month(let month):
            return articles.contains { $0.holds(month: month) && isInPlace(fact, of: read, by: $0) }
        case .weekday(let day):
            return articles.contains { $0.holds(weekday: day) && isInPlace(fact, of: read, by: $0) }
        case .name(let name):
            let country = Countries.named(read.tokens, at: fact.place.lowerBound)
            let isAcronym = read.tokens[fact.place.lowerBound].isAcronym
            return articles.contains {
                $0.holds(name: name) || country.map($0.countries.contains) == true
                    || isAcronym && $0.holds(acronym: name)
            } || isSpelledOut(fact, of: read, by: articles)
        case .quantity(let quantity):
            // A year is as good as a date.
            if quantity.isYear {
                return articles.contains { article in
                    quantity.readings.contains { article.years.contains(Int($0.value)) }
                        || article.lines.contains { $0.quantities.contains { $0.isYear && quantity.agrees(with: $0) } }
                }
            }
            // The two numbers of a score stand together or are of two scores.
            if let score = read.score(of: fact) {
                return articles.contains { $0.lines.contains { $0.scores.contains(score) } }
            }
            if articles.contains(where: { isGroup(fact, quantity, of: read, in: $0) }) { return true }
            let near = stems(near: fact, in: read)
            let others = read.numbers(beside: fact)
            let isBeside = articles.contains { article in
                // What is the only amount of its kind in an article cannot be mistaken for another.
                let unit = quantity.readings.first?.unit
                let isAlone = unit.map { article.values(of: $0.dimension).count == 1 } == true
                return article.lines.contains { line in
                    line.quantities.contains { found in
                        guard quantity.agrees(with: found),
                            !isCountedOtherwise(quantity, others, of: read, found, in: line, article)
                        else { return false }
                        if isAlone, found.readings.first?.unit == unit { return true }
                        // The other numbers of the sentence tell which line is meant as well as words do.
                        let together = others.filter { other in
                            !other.agrees(with: found) && line.quantities.contains { other.agrees(with: $0) }
                        }.count
                        return Attribution.isBeside(
                            near, read.stems, quantity, found, line, together: together,
                            isDated: read.isDated(fact, in: line))
                    }
                }
            }
            return isBeside
                || articles.contains { article in
                    if quantity.isCommon, isInItsLine(quantity, near, others, of: read, in: article) { return true }
                    if isStated(quantity, near, others, of: read, in: article) { return true }
                    return !read.isTable && Derivation(fact, of: read, near: near, in: article).yields(quantity)
                }
        }
    }

    /// Whether a month or a weekday, of which an article names several, stands where it tells of the same thing.
    func isInPlace(_ fact: Fact, of read: ReadSentence, by article: Evidence) -> Bool {
        // What an article has only by the day it came out stands in no line.
        guard read.stems.count >= 3,
            article.lines.contains(where: { $0.dates.contains { Attribution.isSameDay($0, fact.kind) } })
        else { return true }
        let near = stems(near: fact, in: read)
        return article.lines.enumerated().contains { index, line in
            guard line.dates.contains(where: { Attribution.isSameDay($0, fact.kind) }) else { return false }
            // The day that the front names is that of all that follows.
            if index < article.leadCount { return true }
            let together = read.facts.filter { other in
                guard case .quantity(let quantity) = other.kind, !other.place.isEmpty else { return false }
                return line.quantities.contains { quantity.agrees(with: $0) }
            }.count
            return together > 0 || !near.isDisjoint(with: line.stems)
                || read.stems.intersection(line.stems).count >= 2
                || line.stems.count < 6 && !read.stems.isDisjoint(with: line.around)
        }
    }

    static func isNamed(_ day: Fact.Kind, in line: Evidence.Line) -> Bool {
        line.dates.contains { isSameDay($0, day) || isSameDay(day, $0) }
    }

    static func isSameDay(_ left: Fact.Kind, _ right: Fact.Kind) -> Bool {
        if case .date(_, let month) = left, case .month(let other) = right { return month == other }
        return left == right
    }

    /// Whether a number's line tells of the same thing: what is counted is the same, or a word near it stands near
    /// there. Small numbers stand everywhere: they need one in their own line, and two about it.
    static func isBeside(
        _ near: Set<String>, _ stems: Set<String>, _ quantity: Quantity, _ found: Quantity, _ line: Evidence.Line,
        together: Int, isDated: Bool
    ) -> Bool {
        // 2:24:09 and version 4.2.1 are no numbers that stand in two places by chance.
        if stems.count < 2 || near.isEmpty || quantity.literal != nil { return true }
        if !quantity.counted.isDisjoint(with: found.counted) { return true }
        // The day that both name tells what is meant as well as a word does.
        let isNear = isDated || !near.isDisjoint(with: line.stems)
        let shared = stems.intersection(line.stems).count + 2 * together + (isDated ? 2 : 0)
        let sharedAround = stems.intersection(line.around).count + 2 * together
        if quantity.isRepeated, found.isRepeated { return isNear }
        if quantity.isCommon {
            // Other words for what is counted are not enough by themselves.
            if !quantity.counted.isEmpty, !found.counted.isEmpty {
                return isNear && shared >= (quantity.counted.isDisjoint(with: line.stems) ? 3 : 2)
            }
            return isNear && (shared >= 2 || line.stems.count < 6 && sharedAround >= 2)
        }
        // A length or a time is told by its unit too: what else in an article has the same one is rarely as long.
        if quantity.isMeasure, found.isMeasure { return isNear || sharedAround >= (line.stems.count < 4 ? 1 : 2) }
        return isNear || sharedAround >= (line.stems.count < 4 ? 2 : 3)
    }

    /// Whether a name stands before another one that it stands beside in no article: “Ruth Thorsen”, of two persons.
    func isTornApart(_ fact: Fact, of read: ReadSentence, by support: [Int]) -> Bool {
        guard case .name(let name) = fact.kind, fact.place.upperBound < read.tokens.count else { return false }
        let next = read.tokens[fact.place.upperBound]
        guard !next.isApart, FactWords.canBeName(next) else { return false }
        // An ordinary word with a capital, because the sentence begins with it.
        if read.tokens[fact.place.lowerBound].isInitial,
            !evidence.contains(where: { $0.holds(name: name) && !$0.ordinary.contains(name) })
        {
            return false
        }
        // “Bishop Antar”, where the article has “Antar, the bishop”.
        if support.contains(where: { evidence[$0].ordinary.contains(name) }) { return false }
        // “Callum Rusk and his brother Dominic”
        if support.contains(where: { evidence[$0].tellsOfFamily(name, next.folded) }) { return false }
        // “French chef Odile Marchetti”
        if Countries.named(read.tokens, at: fact.place.lowerBound) != nil { return false }
        return !support.contains { evidence[$0].holds(name: name, before: next.folded) }
            && !isSpelledOut(fact, of: read, by: support.map { evidence[$0] })
    }

    /// The content words nearest to a number.
    func stems(near fact: Fact, in read: ReadSentence) -> Set<String> {
        let before = read.content.prefix { $0.place < fact.place.lowerBound }.suffix(Attribution.reach)
        let behind = read.content.drop { $0.place < fact.place.upperBound }.prefix(Attribution.reach)
        return Set((before + behind).map(\.stem))
    }

    /// Whether a word is part of a name that an article gives by its initials: “European Union”, where it says “EU”.
    func isSpelledOut(_ fact: Fact, of read: ReadSentence, by articles: [Evidence]) -> Bool {
        var start = fact.place.lowerBound
        var end = fact.place.upperBound
        func isPart(_ index: Int) -> Bool {
            read.tokens[index].isCapitalised
                || ["of", "the", "and", "for", "de", "da", "do", "del"].contains(read.tokens[index].folded)
        }
        while start > 0, !read.tokens[start].isApart, isPart(start - 1) { start -= 1 }
        while end < read.tokens.count, !read.tokens[end].isApart, isPart(end) { end += 1 }
        // How many of the run's names come behind this one.
        let behind = Evidence.runs(of: Array(read.tokens[fact.place.upperBound..<end]), shortest: 1).first?.count ?? 0
        let runs = Evidence.runs(of: Array(read.tokens[start..<end]))
        return articles.contains { article in
            runs.contains { run in
                article.acronyms.contains {
                    $0.count > 1 && (run == $0 || run.hasSuffix($0) && behind < $0.count)
                }
            }
        }
    }
}
