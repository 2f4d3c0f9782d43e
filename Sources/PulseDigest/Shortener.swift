import Foundation
import PulseCore
import PulseText

/// Shortens a sentence by leaving parts out. Nothing is joined or reworded, so the rest can be quoted; an omission
/// inside is marked by “…”. Parts whose removal would break the sentence (“said on, that”) stay.
struct Shortener {
    /// In words. A sentence longer than `long` may lose its last clause; at least `shortest` remain.
    private static let long = 34
    private static let shortest = 12
    /// The most of the title's weighted words that may be lost.
    private static let loss = 0.01

    // Made once per digest, because regular expressions cannot be shared between threads.
    private let dateline =
        #/^\p{Lu}[\w.’'-]*(?: (?:d[aeo]s? |del? |of )?\p{Lu}[\w.’'-]*){0,3}(?: \([\p{L} ]{2,30}\)(?=,))?(?:, \p{Lu}[\w.’' -]{2,20})?(?:,? \d{1,2}(?: de)? \p{L}{3,10}\.?(?: (?:de )?\d{4})?)?\s?(?:\([\w .\/]+\)\s?)?\.?[–—-]\s(?=["“«]?\p{Lu})/#
    /// Footnote numbers: `[12]`.
    private let notes = #/ ?\[\d{1,3}\]/#
    private let spaceBeforeMark = #/\s+(?=[,.;])/#
    private let spaceBeforeCommaOrStop = #/\s+(?=[,.])/#

    /// - Parameter titles: The story's titles, whose words the sentence keeps.
    func shorten(_ sentence: String, titles: String, by lexicon: LeadWords?, _ weights: Weights) -> String {
        var text = sentence.replacing(dateline, with: "")
        if text.wordCount < Shortener.shortest / 2 { text = sentence }
        text = text.replacing(notes, with: "")
        if let lexicon { text = withoutDays(text, lexicon) }
        let space = lexicon?.setsSemicolonsApart == true ? spaceBeforeCommaOrStop : spaceBeforeMark
        text = text.replacing(space, with: "")
        if let lexicon, text.wordCount > Shortener.long { text = withoutLastClause(text, titles, lexicon, weights) }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    // MARK: - Days

    /// Removes “today” and “yesterday”, which are wrong by the time of reading.
    private func withoutDays(_ text: String, _ lexicon: LeadWords) -> String {
        var text = text
        for day in lexicon.days {
            var from = text.startIndex
            while let range = text.range(of: day, options: [.caseInsensitive], range: from..<text.endIndex) {
                from = range.upperBound
                guard let gap = gap(around: range, in: text, lexicon) else { continue }
                let offset = text.distance(from: text.startIndex, to: gap.lowerBound)
                let isInside = offset > 0 && text[gap.upperBound...].contains { $0.isLetter || $0.isNumber }
                let mark = isInside ? " …" : ""
                text.replaceSubrange(gap, with: mark)
                from = text.index(text.startIndex, offsetBy: offset + mark.count)
            }
        }
        return text
    }

    /// The range to remove for a day's word, with the space before it or the comma after it; nil where it must stay.
    private func gap(
        around range: Range<String.Index>, in text: String, _ lexicon: LeadWords
    ) -> Range<String.Index>? {
        let before = text[..<range.lowerBound]
        let after = text[range.upperBound...]
        guard let next = after.first, before.last.map(\.isWhitespace) ?? true else { return nil }
        let following = Terms.words(of: after.prefix(24)).first ?? ""
        guard !lexicon.daysGoOn.contains(following) else { return nil }
        if before.isEmpty {
            // “Yesterday, the court …” and “Yesterday the court …”, but not “Yesterday was …” or “Today on …”.
            let rest = after.drop { $0 == "," || $0.isWhitespace }
            guard next == "," || rest.first?.isUppercase == true || lexicon.isDefinite(following),
                !lexicon.prepositions.contains(following)
            else { return nil }
            return range.lowerBound..<rest.startIndex
        }
        // A capital inside a sentence means a name.
        guard text[range.lowerBound].isLowercase, " ,.;".contains(next),
            let word = Terms.words(of: before.suffix(24)).last,
            !lexicon.prepositions.contains(word)
        else { return nil }
        let space = text.index(before: range.lowerBound)
        // “, today,” loses one of its commas.
        let isEnclosed = before.dropLast().last == "," && next == ","
        return (isEnclosed ? text.index(before: space) : space)..<range.upperBound
    }

    // MARK: - The last clause

    private func withoutLastClause(_ text: String, _ titles: String, _ lexicon: LeadWords, _ weights: Weights) -> String
    {
        let overlap = weights.overlap(text, titles)
        var end = text.endIndex
        while let comma = text[..<end].lastIndex(of: ",") {
            end = comma
            let clause = text[text.index(after: comma)...]
            guard clause.first == " ", let word = Terms.words(of: clause.prefix(24)).first,
                lexicon.clauses.contains(word)
            else { continue }
            let head = String(text[..<comma])
            let words = head.wordCount
            guard words >= Shortener.shortest else { break }
            guard words <= Shortener.long, head.filter({ $0 == "\"" }).count.isMultiple(of: 2),
                Terms.words(of: head).contains(where: lexicon.isVerb),
                weights.overlap(head, titles) >= overlap - Shortener.loss
            else { continue }
            return head + "."
        }
        return text
    }
}
