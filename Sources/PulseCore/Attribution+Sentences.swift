import PulseText

/// The articles' own sentences: what is said instead of one that they do not support, and what a join was made of.
extension Attribution {
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

    static func longest(_ lines: [Evidence.Line], by length: ([Substring]) -> Int) -> Evidence.Line? {
        lines.map { ($0, length($0.text.split(whereSeparator: \.isWhitespace))) }.max { $0.1 < $1.1 }
            .flatMap { $0.1 > 0 ? $0.0 : nil }
    }

    static func holds(_ fact: Fact, in line: Evidence.Line, of article: Evidence) -> Bool {
        switch fact.kind {
        case .quantity(let quantity): line.quantities.contains { quantity.agrees(with: $0) }
        case .name(let name): line.words.contains(name)
        // A date is as good as a number here.
        case .date(let day, let month): line.dates.contains { $0 == .date(day: day, month: month) }
        case .month, .weekday: line.dates.contains(fact.kind)
        }
    }
}
