/// Which articles support a sentence: by the content words they share with it, and by what it states.
extension Attribution {
    /// The articles that support a sentence, the best first.
    func supporters(of read: ReadSentence) -> [Int] {
        let shares = candidates(for: read)
        guard let best = shares.first?.score else { return [] }
        // An article that holds nearly as much as the best is a second source, one that merely shares a topic is not.
        var support = shares.filter { $0.score >= best * 0.9 }.map(\.index)
        // A sentence may tell two things, each from an article of its own.
        var rest = support.reduce(read.stems) { $0.subtracting(evidence[$1].stems) }
        while rest.count >= Attribution.leastRest {
            let next = evidence.indices.filter { !support.contains($0) }
                .map { (index: $0, share: Double(rest.intersection(evidence[$0].stems).count) / Double(rest.count)) }
                .max { ($0.share, $1.index) < ($1.share, $0.index) }
            guard let next, next.share >= Attribution.leastOverlap,
                rest.intersection(evidence[next.index].stems).count >= Attribution.leastRest
            else { break }
            support.append(next.index)
            rest.subtract(evidence[next.index].stems)
        }
        return support
    }

    /// The articles that hold enough of a sentence, the best first.
    func candidates(for read: ReadSentence) -> [(index: Int, share: Double, score: Double)] {
        guard !read.stems.isEmpty else { return [] }
        // Numbers and dates say which article is meant as well as words do.
        let facts = read.facts.filter { !$0.isName && !$0.place.isEmpty }
        return evidence.indices.map { index in
            let held = facts.filter { isHeld($0, of: read, by: [index]) }.count
            let words = read.stems.intersection(evidence[index].stems).count
            // A long article holds words of anything: those that stand together in one place of it count again.
            let together = evidence[index].lines.map { read.stems.intersection($0.around).count }.max() ?? 0
            return (
                index: index, share: Double(words + held) / Double(read.stems.count + facts.count),
                score: Double(words + held + together) / Double(2 * read.stems.count + facts.count)
            )
        }
        .filter { $0.share >= Attribution.leastOverlap }
        .sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    }

    /// The article that holds everything a sentence states and some of its words, where none holds many of them: other
    /// words for the same thing are no invention. What states nothing needs more words, and those in one place.
    func backer(of read: ReadSentence, _ claims: [Fact]) -> Int? {
        let words = Set(
            read.content.filter { word in !claims.contains { $0.place.contains(word.place) } }.map(\.stem))
        let ranked: [(index: Int, strength: Double)] = evidence.indices.compactMap { index in
            guard claims.allSatisfy({ isHeld($0, of: read, by: [index]) }) else { return nil }
            let article = evidence[index]
            let held = words.intersection(article.stems).count
            let share = Double(held) / Double(max(1, words.count))
            let strong = claims.filter(isStrong).count
            if strong == 0 {
                let together = article.lines.map { words.intersection($0.around).count }.max() ?? 0
                guard held >= 2 || words.count <= 2 && held > 0, together >= min(2, held),
                    share >= Attribution.leastWithoutFacts
                else { return nil }
            } else {
                guard held >= 1 || strong >= 2 && words.count <= 3, share >= Attribution.leastWithFacts(strong) else {
                    return nil
                }
            }
            return (index, share + Double(claims.count) / 10)
        }
        return ranked.max { ($0.strength, $1.index) < ($1.strength, $0.index) }?.index
    }

    /// Whether a fact tells which article is meant: a name, a date, a number that is not in every text.
    func isStrong(_ fact: Fact) -> Bool {
        switch fact.kind {
        case .quantity(let quantity): !quantity.isCommon
        case .name, .date: true
        case .month, .weekday: false
        }
    }
}
