import PulseText

/// Finds which articles stand behind a sentence, and what in it they do not hold.
///
/// Which articles: by the content words they share with it. What they hold: every number, date and name by itself, in
/// any form it may be written in; a number also only beside words that stand beside it in the article.
public struct Attribution: Sendable {
    /// The least share of a sentence's content words that an article must hold to support it, whatever it states.
    ///
    /// Others demand 0.34. Here it only decides which articles are cited and held against a sentence, and what it
    /// states is checked fact by fact; whether 0.34 would do better has not been measured by itself.
    public static let leastOverlap = 0.3
    /// The same for a sentence that states no fact an article could be known by, and for one whose facts it all holds.
    private static let leastWithoutFacts = 0.25
    private static func leastWithFacts(_ count: Int) -> Double { count > 1 ? 0.1 : 0.15 }
    /// Of what one article leaves over, another must hold so much, and so many words, to stand behind the sentence too.
    private static let leastRest = 3
    /// How many content words to either side of a number are near it.
    private static let reach = 4

    private let ids: [String]
    private let evidence: [Evidence]

    public init(_ articles: [Article]) {
        ids = articles.map(\.id)
        evidence = articles.map(Evidence.init)
    }

    /// What was found out about a sentence.
    public struct Verdict: Sendable, Hashable {
        /// The ids of the articles that support it, the best first; empty where none does.
        public let sources: [String]
        /// The numbers, dates and names that its articles do not hold, as they are written.
        public let doubts: [String]
        /// Whether it stands in an article to the letter.
        public let isQuoted: Bool
        /// Whether there is anything in it to be supported.
        public let isEmpty: Bool

        /// Whether it may be shown as it is.
        public var isGrounded: Bool { isEmpty || !sources.isEmpty && doubts.isEmpty }
    }

    /// The sentences of a text, each with its sources.
    public func sentences(of text: String) -> [Sentence] {
        text.split(separator: "\n\n").flatMap { Sentences.split(String($0)) }.map { sentence in
            let verdict = verdict(on: sentence)
            return Sentence(
                text: sentence, sources: verdict.sources, isGrounded: verdict.isGrounded,
                origin: verdict.isQuoted ? .copied : .model)
        }
    }

    public func verdict(on sentence: String) -> Verdict {
        let quoted = evidence.indices.filter { evidence[$0].holds(sentence: sentence) }
        if !quoted.isEmpty {
            return Verdict(sources: quoted.map { ids[$0] }, doubts: [], isQuoted: true, isEmpty: false)
        }
        let read = read(sentence)
        let claims = read.facts.filter { isClaim($0, of: read) }
        guard !read.stems.isEmpty || !claims.isEmpty else {
            return Verdict(sources: [], doubts: [], isQuoted: false, isEmpty: true)
        }
        var support = supporters(of: read)
        if support.isEmpty, let own = backer(of: read, claims) { support = [own] }
        func doubts() -> [Fact] {
            read.facts.filter { fact in
                claims.contains(fact) && !isHeld(fact, of: read, by: support)
                    || isTornApart(fact, of: read, by: support)
            }
        }
        var open = doubts()
        // What the best article does not hold another that supports the sentence may: of one story told by several,
        // each has details of its own.
        if !open.isEmpty {
            let all = candidates(for: read)
            for other in all
            where !support.contains(other.index) && other.score >= (all.first?.score ?? 0) * 0.7
                && open.contains(where: { !$0.isName && isHeld($0, of: read, by: [other.index]) })
            {
                support.append(other.index)
                open = doubts()
            }
        }
        return Verdict(
            sources: support.map { ids[$0] }, doubts: open.map { Attribution.text(of: $0, in: read) },
            isQuoted: false, isEmpty: false)
    }

    /// A sentence whose small words do not tell its language is in that of the article it is nearest to.
    private func read(_ sentence: String) -> ReadSentence {
        if let language = FactLanguage(of: sentence) { return ReadSentence(sentence, language: language) }
        let read = ReadSentence(sentence, language: .english)
        guard let language = supporters(of: read).first.map({ evidence[$0].language }), language != .english else {
            return read
        }
        return ReadSentence(sentence, language: language)
    }

    private static func text(of fact: Fact, in read: ReadSentence) -> String {
        read.tokens[fact.place].map(\.text).joined(separator: " ")
    }

    // MARK: - Which articles

    /// The articles that support a sentence, the best first.
    private func supporters(of read: ReadSentence) -> [Int] {
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
    private func candidates(for read: ReadSentence) -> [(index: Int, share: Double, score: Double)] {
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
    private func backer(of read: ReadSentence, _ claims: [Fact]) -> Int? {
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
    private func isStrong(_ fact: Fact) -> Bool {
        switch fact.kind {
        case .quantity(let quantity): !quantity.isCommon
        case .name, .date: true
        case .month, .weekday: false
        }
    }

    // MARK: - What they hold

    /// Whether a fact is stated: every number and date; a name, unless it is the first word and may be any other.
    private func isClaim(_ fact: Fact, of read: ReadSentence) -> Bool {
        guard !fact.place.isEmpty else { return false }
        guard case .name(let name) = fact.kind else { return true }
        let token = read.tokens[fact.place.lowerBound]
        guard token.isInitial else { return true }
        // Known as an ordinary word, in whatever form.
        if evidence.contains(where: { $0.ordinary.contains(name) || $0.stems.contains(Stem.of(name)) }) { return false }
        let next = fact.place.upperBound
        // “Maria Antar” is a name; “Outsiders Vorran” begins with what they are.
        if next < read.tokens.count, !read.tokens[next].isApart, FactWords.canBeName(read.tokens[next]) {
            return FactWords.looksLikeName(token, read.language)
        }
        return token.isAcronym || FactWords.looksLikeName(token, read.language)
    }

    private func isHeld(_ fact: Fact, of read: ReadSentence, by support: [Int]) -> Bool {
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
                    article.lines.contains { $0.quantities.contains { $0.isYear && quantity.agrees(with: $0) } }
                }
            }
            // The two numbers of a score stand together or are of two scores.
            if let score = read.score(of: fact) {
                return articles.contains { $0.lines.contains { $0.scores.contains(score) } }
            }
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
                        return Attribution.isBeside(near, read.stems, quantity, found, line, together: together)
                    }
                }
            }
            return isBeside
                || articles.contains { article in
                    if quantity.isCommon
                        ? isInItsLine(quantity, near, of: read, in: article)
                        : isStated(quantity, near, others, of: read, in: article)
                    {
                        return true
                    }
                    return Derivation(fact, of: read, near: near, in: article).yields(quantity)
                }
        }
    }

    /// Whether a small number stands in the one line of an article that has more of the sentence's words than any other.
    private func isInItsLine(_ quantity: Quantity, _ near: Set<String>, of read: ReadSentence, in article: Evidence)
        -> Bool
    {
        func score(_ line: Evidence.Line) -> Int {
            read.stems.intersection(line.stems).count + near.intersection(line.stems).count
        }
        let scores = article.lines.map(score)
        guard let best = scores.max(), best >= 2, scores.filter({ $0 == best }).count == 1,
            let index = scores.firstIndex(of: best)
        else { return false }
        return article.lines[index].quantities.contains { quantity.agrees(with: $0) && $0.isCommon }
    }

    /// Whether an article counts something else with a number, and what the sentence counts with another one.
    private func isCountedOtherwise(
        _ quantity: Quantity, _ others: [Quantity], of read: ReadSentence, _ found: Quantity, in place: Evidence.Line,
        _ article: Evidence
    ) -> Bool {
        guard !quantity.counted.isEmpty, !found.counted.isEmpty, quantity.counted.isDisjoint(with: found.counted)
        else { return false }
        let score = read.stems.intersection(place.stems).count
        return article.lines.contains { line in
            read.stems.intersection(line.stems).count > score
                && line.quantities.contains { other in
                    !quantity.agrees(with: other) && quantity.counted == other.counted
                        && !others.contains { $0.agrees(with: other) }
                }
        }
    }

    /// Whether a number stands in an article and nothing in the line that tells of the same contradicts it.
    private func isStated(
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
                + read.stems.intersection(line.around).count
        }
        let best = holding.map(score).max() ?? 0
        return !article.lines.contains { line in
            score(line) >= best && !line.quantities.contains(where: quantity.agrees)
                && line.quantities.contains { found in
                    isKin(found) && !found.isYear && !quantity.agrees(with: found)
                        && !others.contains { $0.agrees(with: found) }
                }
        }
    }

    /// Whether a month or a weekday, of which an article names several, stands where it tells of the same thing.
    private func isInPlace(_ fact: Fact, of read: ReadSentence, by article: Evidence) -> Bool {
        if read.stems.count < 3 { return true }
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

    private static func isSameDay(_ left: Fact.Kind, _ right: Fact.Kind) -> Bool {
        if case .date(_, let month) = left, case .month(let other) = right { return month == other }
        return left == right
    }

    /// Whether a number's line tells of the same thing: what is counted is the same, or a word near it stands near
    /// there. Small numbers stand everywhere: they need one in their own line, and two about it.
    private static func isBeside(
        _ near: Set<String>, _ stems: Set<String>, _ quantity: Quantity, _ found: Quantity, _ line: Evidence.Line,
        together: Int
    ) -> Bool {
        // 2:24:09 and version 4.2.1 are no numbers that stand in two places by chance.
        if stems.count < 2 || near.isEmpty || quantity.literal != nil { return true }
        if !quantity.counted.isDisjoint(with: found.counted) { return true }
        let isNear = !near.isDisjoint(with: line.stems)
        let shared = stems.intersection(line.stems).count + 2 * together
        let sharedAround = stems.intersection(line.around).count + 2 * together
        if quantity.isCommon {
            // Other words for what is counted are not enough by themselves.
            if !quantity.counted.isEmpty, !found.counted.isEmpty { return isNear && shared >= 3 }
            return isNear && (shared >= 2 || line.stems.count < 6 && sharedAround >= 2)
        }
        // A length or a time is told by its unit too: what else in an article has the same one is rarely as long.
        if quantity.isMeasure, found.isMeasure { return isNear || sharedAround >= (line.stems.count < 4 ? 1 : 2) }
        return isNear || sharedAround >= (line.stems.count < 4 ? 2 : 3)
    }

    /// Whether a name stands before another one that it stands beside in no article: “Ruth Thorsen”, of two persons.
    private func isTornApart(_ fact: Fact, of read: ReadSentence, by support: [Int]) -> Bool {
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
        // “French chef Odile Marchetti”
        if Countries.named(read.tokens, at: fact.place.lowerBound) != nil { return false }
        return !support.contains { evidence[$0].holds(name: name, before: next.folded) }
            && !isSpelledOut(fact, of: read, by: support.map { evidence[$0] })
    }

    /// The content words nearest to a number.
    private func stems(near fact: Fact, in read: ReadSentence) -> Set<String> {
        let before = read.content.prefix { $0.place < fact.place.lowerBound }.suffix(Attribution.reach)
        let behind = read.content.drop { $0.place < fact.place.upperBound }.prefix(Attribution.reach)
        return Set((before + behind).map(\.stem))
    }

    /// Whether a word is part of a name that an article gives by its initials: “European Union”, where it says “EU”.
    private func isSpelledOut(_ fact: Fact, of read: ReadSentence, by articles: [Evidence]) -> Bool {
        var start = fact.place.lowerBound
        var end = fact.place.upperBound
        func isPart(_ index: Int) -> Bool {
            read.tokens[index].isCapitalised
                || ["of", "the", "and", "for", "de", "da", "do", "del"].contains(read.tokens[index].folded)
        }
        while start > 0, !read.tokens[start].isApart, isPart(start - 1) { start -= 1 }
        while end < read.tokens.count, !read.tokens[end].isApart, isPart(end) { end += 1 }
        let runs = Evidence.runs(of: Array(read.tokens[start..<end]))
        return articles.contains { article in
            runs.contains { run in article.acronyms.contains { $0.count > 1 && (run == $0 || run.hasSuffix($0)) } }
        }
    }

    // MARK: - What to say instead

    /// The sentence of an article that says what comes nearest to another, and the article's id; nil where none does.
    public func nearest(to sentence: String) -> (text: String, source: String)? {
        let read = read(sentence)
        var best: (article: Int, line: Int, score: Double)?
        for article in supporters(of: read) {
            for (index, line) in evidence[article].lines.enumerated() where Attribution.isWhole(line.text) {
                let shared = line.stems.intersection(read.stems).count
                guard shared >= 2 else { continue }
                // Of the sentences that share as much, the one that says least besides.
                let score = Double(shared) / Double(read.stems.count + line.stems.count - shared)
                if score > (best?.score ?? 0) { best = (article, index, score) }
            }
        }
        return best.map { (evidence[$0.article].lines[$0.line].text, ids[$0.article]) }
    }

    /// A heading or a caption is no sentence to print.
    static func isWhole(_ text: String) -> Bool {
        text.last { !"\"'”’»)]".contains($0) }.map { ".!?。！？…".contains($0) } == true
    }

    // MARK: - Joins

    /// Whether a sentence that was joined of two keeps to one of them in what it states: all its numbers and names
    /// stand together in the one it begins as or in the one it ends as. Otherwise what the one says of its subject
    /// might be told of the other's.
    public func isSoundJoin(_ sentence: String) -> Bool {
        let read = read(sentence)
        let words = sentence.split(whereSeparator: \.isWhitespace)
        return evidence.contains { article in
            let halves = [
                Attribution.longest(article.lines) { zip($0, words).prefix { $0 == $1 }.count },
                Attribution.longest(article.lines) { zip($0.reversed(), words.reversed()).prefix { $0 == $1 }.count },
            ].compactMap(\.self)
            return halves.contains { line in
                read.facts.filter { !$0.place.isEmpty }
                    .allSatisfy { Attribution.holds($0, in: line, of: article) }
            }
        }
    }

    /// The sentence of an article that another begins as, and the article's id.
    public func beginning(of sentence: String) -> (text: String, source: String)? {
        let words = sentence.split(whereSeparator: \.isWhitespace)
        let lines = zip(ids, evidence).flatMap { id, article in article.lines.map { (id, $0) } }
        let best = lines.map { id, line in
            (id, line, zip(line.text.split(whereSeparator: \.isWhitespace), words).prefix { $0 == $1 }.count)
        }.max { $0.2 < $1.2 }
        guard let best, best.2 > 2 else { return nil }
        return (best.1.text, best.0)
    }

    private static func longest(_ lines: [Evidence.Line], by length: ([Substring]) -> Int) -> Evidence.Line? {
        lines.map { ($0, length($0.text.split(whereSeparator: \.isWhitespace))) }.max { $0.1 < $1.1 }
            .flatMap { $0.1 > 0 ? $0.0 : nil }
    }

    private static func holds(_ fact: Fact, in line: Evidence.Line, of article: Evidence) -> Bool {
        switch fact.kind {
        case .quantity(let quantity): line.quantities.contains { quantity.agrees(with: $0) }
        case .name(let name): line.words.contains(name)
        // A date is as good as a number here.
        case .date(let day, let month): line.dates.contains { $0 == .date(day: day, month: month) }
        case .month, .weekday: line.dates.contains(fact.kind)
        }
    }
}
