/// A sentence, held against one report.
struct Claim {
    private let report: Report
    private let tokens: [Token]
    private var lexicon: Lexicon { report.lexicon }

    /// So many words that somebody said may stand without quotation marks: a name, a phrase.
    private static let quotedPhrase = 3

    init(_ sentence: String, _ report: Report) {
        self.report = report
        tokens = Reader(sentence, report.lexicon).read()
    }

    // MARK: - Support

    /// Nil where a sentence of the report says it.
    ///
    /// But for articles and the like, its words are a stretch of that sentence: none is new, none has another place,
    /// and none is missing between the first and the last. Looser rules were tried on what a small model really wrote:
    /// some new words, some words or asides left out of the middle, inflections, two sentences in one. None won more
    /// true sentences than it let false ones through.
    func refusal() -> StoryCheck.Refusal? {
        let content = tokens.indices.filter { !tokens[$0].isFree }
        guard content.count >= 3 else { return .words }
        var refusal: StoryCheck.Refusal?
        for line in report.lines {
            guard let range = stretch(content, in: line) else { continue }
            guard let reason = loss(line, range, content) else { return nil }
            refusal = refusal ?? reason
        }
        return refusal ?? reason(content)
    }

    /// Where the words stand one after another among those of the line.
    private func stretch(_ content: [Int], in line: Report.Line) -> Range<Int>? {
        guard line.content.count >= content.count else { return nil }
        for start in 0...(line.content.count - content.count) {
            let isHere = content.indices.allSatisfy {
                tokens[content[$0]].agrees(with: line.tokens[line.content[start + $0]])
            }
            if isHere { return start..<(start + content.count) }
        }
        return nil
    }

    /// What is wrong with leaving out the rest of the line.
    private func loss(_ line: Report.Line, _ range: Range<Int>, _ content: [Int]) -> StoryCheck.Refusal? {
        // Less than half of it is no sentence, but “On Thursday evening.”
        guard 2 * content.count >= line.content.count else { return .words }
        let used = range.map { line.tokens[line.content[$0]] }
        let quoted = zip(content, used).count { tokens[$0].kind == .plain && !tokens[$0].isQuoted && $1.isQuoted }
        if quoted > Claim.quotedPhrase { return .quotation }
        let front = line.content[..<range.lowerBound].map { line.tokens[$0] }
        let back = line.content[range.upperBound...].map { line.tokens[$0] }
        // Who said so, and on what condition, belongs to what was said.
        if (front + back).contains(where: { $0.kind == .condition || lexicon.speaking.contains($0.key) }) {
            return .words
        }
        // “LONDON (Reuters) -” may go; what else stands before its beginning is its subject, or its time.
        guard front.isEmpty || front[0].isAcronym && front.allSatisfy({ $0.kind == .name }) else { return .words }
        // The end may go from a comma on, unless that divides a list: what no comma divides from the rest may limit it.
        let rest = line.tokens[(line.content[range.upperBound - 1] + 1)...]
            .drop { ($0.isDay || $0.isFree) && !$0.opensClause }
        guard let next = rest.first else { return nil }
        return next.opensClause && !rest.contains { lexicon.listJoiners.contains($0.folded) } ? nil : .words
    }

    /// What the line that shares most with the sentence lacks of it.
    private func reason(_ content: [Int]) -> StoryCheck.Refusal {
        let shared = report.lines.map { line in content.count { line.keys.contains(tokens[$0].key) } }
        let nearest = zip(report.lines, shared).max { $0.1 < $1.1 }?.0.tokens ?? []
        let new = content.map { tokens[$0] }.filter { token in !nearest.contains(where: token.agrees) }
        if new.contains(where: \.isNumber) { return .number }
        if new.contains(where: \.isDay) { return .day }
        return new.contains { $0.kind == .name } ? .name : .words
    }

    // MARK: - What is never shown

    /// Whether it says “I” without saying who speaks, or has nothing but what somebody said in the line it copies,
    /// without the quotation marks.
    func isUnquoted(copied line: Report.Line? = nil) -> Bool {
        let hasMarks = tokens.contains(where: \.isQuoted)
        if let line, !hasMarks, line.tokens.count(where: { $0.isQuoted && $0.kind == .plain }) > Claim.quotedPhrase {
            return true
        }
        guard tokens.contains(where: { lexicon.firstPerson.contains($0.key) }) else { return false }
        return !hasMarks || !tokens.contains { !$0.isQuoted && lexicon.speaking.contains($0.key) }
    }

    /// Whether it speaks of a story, a text or an article, and the report does not.
    var isAboutItself: Bool {
        let about = tokens.map(\.key).filter(lexicon.aboutText.contains)
        return about.contains { key in !report.lines.contains { $0.keys.contains(key) } }
    }
}
