import Foundation

/// Numbers, with or without a noun, as messages.
public enum Counted {
    /// A number alone: `12,000`.
    public static func text(_ count: Int) -> Message { .number(count) }

    /// The key in catalogues is `%1$@ article` or `%1$@ articles`. All languages of the program have the singular for 1
    /// and the plural for the rest.
    public static func text(_ count: Int, _ one: String, _ many: String) -> Message {
        .number(count, noun: " " + (count == 1 ? one : many))
    }
}

/// Quotation marks. Those inside the quoted text become ‘ ’ if these are “ ”, else “ ”.
package struct QuotationMarks: Sendable {
    let opening, closing: String

    /// The text in quotation marks. A quotation mark inside it that lacks its partner gets one.
    package func callAsFunction(_ text: String) -> String {
        let (open, close): (Character, Character) = opening == "“" ? ("‘", "’") : ("“", "”")
        let spaces: [Character] = [" ", "\u{a0}", "\u{202f}"]
        let characters = Array(text)
        var (inner, opened, hasMark, isCut): (String, [Character], Bool, Bool) = ("", [], false, false)
        for (index, character) in characters.enumerated() {
            let before = index > 0 ? characters[index - 1] : " "
            let mayOpen = before.isWhitespace || "([—–«".contains(before)
            let opens: Bool
            switch character {
            case "„": opens = true
            // German closes „ with “, and » with «.
            case "“": opens = opened.last != "„"
            case "«": opens = opened.last != "»"
            // Swedish opens with the closing mark, too.
            case "”", "»":
                let next = index + 1 < characters.count ? characters[index + 1] : " "
                opens = !opened.contains("«") && mayOpen && (next.isLetter || next.isNumber)
            // After a number it means inches.
            case "\"" where !opened.isEmpty || !before.isNumber: opens = mayOpen
            default:
                if before != "«" || opened.last != "«" || !spaces.contains(character) { inner.append(character) }
                continue
            }
            if !opens, character == "»", inner.last.map(spaces.contains) == true { inner.removeLast() }
            isCut = isCut || !opens && !hasMark
            hasMark = true
            if opens { opened.append(character) } else { _ = opened.popLast() }
            inner.append(opens ? open : close)
        }
        return opening + (isCut ? String(open) : "") + inner + (opened.isEmpty ? "" : String(close)) + closing
    }
}

/// The program's own words in digests and summaries; all its other texts are `Message`s. The patterns and their rules
/// are in `Languages/*.txt`; a test checks that all files have the same phrases.
package struct Phrases: Sendable {
    /// Around text quoted from a publication.
    package let quotation: QuotationMarks
    let patterns: [String: String]
    /// The numbers that take the singular.
    private let singular: Set<String>
    /// The CLDR locale for thousands separators.
    private let locale: String

    init(_ file: LanguageFile) {
        let marks = file.list("language.quotation")
        quotation = QuotationMarks(opening: marks.first ?? "", closing: marks.last ?? "")
        patterns = file.section("phrases")
        singular = file.values["language.singular"] == nil ? ["1"] : file.words("language.singular")
        locale = file["language.locale"]
    }

    // MARK: - Filling a pattern

    private func fill(_ name: String, _ texts: [String: String] = [:], numbers: [String: Int] = [:]) -> String {
        expand((patterns[name] ?? name)[...], texts, numbers)
    }

    private func expand(_ pattern: Substring, _ texts: [String: String], _ numbers: [String: Int]) -> String {
        var (filled, rest) = ("", pattern)
        while let open = rest.firstIndex(of: "{") {
            var depth = 0
            let close = rest[open...].firstIndex { character in
                depth += character == "{" ? 1 : character == "}" ? -1 : 0
                return depth == 0
            }
            guard let close else { break }
            filled += rest[..<open] + value(of: rest[rest.index(after: open)..<close], texts, numbers)
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    /// The text for `name` or `name: one | many`.
    private func value(of placeholder: Substring, _ texts: [String: String], _ numbers: [String: Int]) -> String {
        guard let colon = placeholder.firstRange(of: ": ") else {
            let name = String(placeholder)
            return texts[name] ?? numbers[name].map { Phrases.grouped($0, locale) } ?? ""
        }
        let forms = placeholder[colon.upperBound...].split(separator: " | ")
        let number = numbers[String(placeholder[..<colon.lowerBound])] ?? 0
        return expand((singular.contains("\(number)") ? forms.first : forms.last) ?? "", texts, numbers)
    }

    static func grouped(_ count: Int, _ locale: String) -> String {
        count < 1000 ? "\(count)" : count.formatted(.number.locale(Locale(identifier: locale)))
    }
}

// MARK: - The phrases

extension Phrases {
    /// Punctuation with the space before it: French has a no-break space there.
    package var colon: String { fill("colon") }
    package var semicolon: String { fill("semicolon") }

    /// A number with its noun.
    package func article(_ count: Int) -> String { fill("article", numbers: ["count": count]) }
    package func source(_ count: Int) -> String { fill("source", numbers: ["count": count]) }
    package func story(_ count: Int) -> String { fill("story", numbers: ["count": count]) }

    /// The digest's title: `Your digest, Saturday, 21 November 2026`.
    package func title(_ day: String) -> String { fill("title", ["day": day]) }
    /// The title of a week's digest: `Your week, 15 November to 21 November 2026`.
    package func week(_ from: String, _ to: String) -> String { fill("week", ["from": from, "to": to]) }

    /// A time on a day.
    ///
    /// - Parameter time: Such as `02:46`.
    package func at(_ day: String, _ time: String) -> String {
        let parts = time.split(separator: ":").map(String.init)
        return fill(
            "at",
            [
                "day": day, "dayWithoutComma": day.replacing(",", with: ""), "time": time,
                "hh": parts.first ?? "", "mm": parts.last ?? "",
            ], numbers: ["hour": parts.first.flatMap { Int($0) } ?? 0])
    }

    /// Label of what is new in a story since an earlier digest, or of a column on it; a colon follows.
    package func update(_ weekday: String, isComment: Bool = false) -> String {
        fill(isComment ? "comment" : "update", ["weekday": weekday])
    }

    /// Label of sentences in which reports contradict each other; a colon follows.
    package var differ: String { fill("differ") }
    /// Note on a day whose sentence was in a digest.
    package var inDigest: String { fill("inDigest") }
    /// Titles of stories with nothing new.
    package func toldBefore(_ titles: String) -> String { fill("toldBefore", ["titles": titles]) }

    /// The opening line: how much was read, is unread or was saved, and since when.
    ///
    /// - Parameters:
    ///   - shown: How many articles these stories are from.
    ///   - all: Including those not shown.
    ///   - since: Day and time.
    ///   - sources: A number and its noun.
    package func opening(
        _ basis: DigestBasis, _ stories: Int, _ shown: Int, _ all: Int, since: String, sources: String
    ) -> String {
        let numbers = ["stories": stories, "shown": shown, "all": all]
        let share = fill(all == 1 ? "share.one" : shown < all ? "share.some" : "share.all", numbers: numbers)
        return fill(
            "opening.\(basis.rawValue)", ["share": share, "since": since, "sources": sources], numbers: numbers)
    }

    /// The heading of a section of mixed topics that comes first.
    package func everything(_ basis: DigestBasis) -> String { fill("everything.\(basis.rawValue)") }
    /// The heading of stories without a heading of their own.
    package var more: String { fill("more") }
    package var top: String { fill("top") }
    /// Label of a story without any read article, in a digest of read and unread articles.
    package var notRead: String { fill("notRead") }
    /// How many articles were muted. Follows the opening line and a semicolon.
    package func muted(_ count: Int) -> String { fill("muted", numbers: ["count": count]) }
    /// How many articles an earlier digest told. Follows the opening line like `muted`.
    package func toldArticles(_ count: Int) -> String { fill("toldArticles", numbers: ["count": count]) }
    /// On how many consecutive days something was read; at least two.
    package func daysInARow(_ days: Int) -> String { fill("daysInARow", numbers: ["days": days]) }
    /// The title of an Atom feed or a folder of digests.
    package var archive: String { fill("archive") }
    /// Heading of stories that are shown by title only.
    package var also: String { fill("also") }
    /// Before the name of another publication that reports the same.
    package var alsoBy: String { fill("alsoBy") }
    /// How many more there are, as a sentence.
    package func omitted(_ count: Int) -> String { fill("omitted", numbers: ["count": count]) }
    /// Label of the command that lists all articles of a section; a colon follows.
    package var listAll: String { fill("listAll") }

    /// Note: every sentence is quoted.
    package var ownWords: String { fill("ownWords") }
    package func writtenBy(_ model: String) -> String { fill("writtenBy", ["model": model]) }
    /// How many stories are in the model's words.
    package func inItsWords(_ stories: Int, _ all: Int) -> String {
        fill("inItsWords", numbers: ["stories": stories, "all": all])
    }
    /// How many of the model's sentences failed the check and were replaced.
    package func refused(_ count: Int) -> String { fill("refused", numbers: ["count": count]) }
    /// How many failed the check and are shown with marks.
    package func marked(_ count: Int) -> String { fill("marked", numbers: ["count": count]) }
    /// Note: the model's sentences were not checked.
    package var unchecked: String { fill("unchecked") }
    /// Note: none of the model's sentences passed the check.
    package func nothingShown(_ model: String) -> String { fill("nothingShown", ["model": model]) }
    /// How long the model worked; empty below a second.
    package func took(_ time: Duration) -> [String] {
        let seconds = Int(time.components.seconds)
        return seconds < 1 ? [] : [fill("took", numbers: ["seconds": seconds])]
    }
    /// Note: the model is unusable.
    package func unusable(_ model: String) -> String { fill("unusable", ["model": model]) }
    /// Note: every sentence is quoted; a model chose some of them.
    package func chosen(_ model: String, _ stories: Int, _ all: Int) -> String {
        fill("chosen", ["model": model], numbers: ["stories": stories, "all": all])
    }
    /// In speech, before a quotation.
    package func writes(_ source: String) -> String { fill("writes", ["source": source]) }
    /// Which commands show more of an article.
    package var readOn: String { readOn(fill("readOn.number")) }
    /// The same for the stories of the last mail, with `m1` as the example.
    package var readOnMailed: String { readOn(Digest.name(ofMailed: 1)) }
    /// - Parameter number: An article's, or a placeholder.
    package func readOn(_ number: String) -> String { fill("readOn", ["number": number]) }

    /// In place of a summary, for an article without a sentence that could be one.
    package var noSummary: String { fill("noSummary") }
    package var summaryShortened: String { fill("summaryShortened") }
    /// Note: no article answers the question.
    package func nothingSaysSo(_ basis: DigestBasis) -> String { fill("nothingSaysSo.\(key(basis))") }
    /// Note: no article is about the question.
    package func nothingAbout(_ basis: DigestBasis) -> String { fill("nothingAbout.\(key(basis))") }
    /// How many articles were not searched by their meaning, and what to do.
    package func byWordsOnly(_ articles: Int) -> String { fill("byWordsOnly", numbers: ["count": articles]) }
    /// Note: the model gave no answer that can be shown. An article may still answer the question.
    package var noAnswer: String { fill("noAnswer") }
    /// The heading of the nearest passages, which are shown instead.
    package func nearest(_ basis: DigestBasis) -> String { fill("nearest.\(key(basis))") }

    private func key(_ basis: DigestBasis) -> String { (basis == .readAndUnread ? .read : basis).rawValue }

    /// The filters of a question.
    package func searched(_ place: String) -> String { fill("searched", ["place": place]) }
    /// The same, if the search went beyond the filters because better matches are outside.
    ///
    /// - Parameter all: The publications that the wider search was limited to; nil: it was not limited.
    package func searchedBeyond(_ place: String, _ all: String?) -> String {
        fill(all == nil ? "searchedBeyond.everything" : "searchedBeyond.all", ["place": place, "all": all ?? ""])
    }
    /// Note: nothing is from this time or publication.
    package func nothingOf(_ place: String) -> String { fill("nothingOf", ["place": place]) }
    /// Note: no article has any of these words.
    ///
    /// - Parameter words: In quotation marks.
    package func noArticleHas(_ words: [String]) -> String {
        fill("noArticleHas", ["words": words.joined(separator: " \(fill("noArticleHas.or")) ")])
    }
    /// The day on which an article was read.
    package func readDay(_ day: String) -> String { fill("readDay", ["day": day]) }
    /// Note: only quotations of this model are shown.
    package func quotesOnly(_ model: String) -> String { fill("quotesOnly", ["model": model]) }

    /// A mail's subject, up to its first story.
    package func subject(_ day: String, _ stories: String) -> String {
        fill("subject", ["day": day, "stories": stories])
    }

    /// The heading of the statistics.
    package var reading: String { fill("reading") }
    /// The heading of the table of topics; also the accessible name of the links to them.
    package var topics: String { fill("topics") }
    package var articlesRead: String { fill("articlesRead") }
    /// The same for unread articles.
    package var articles: String { fill("articles") }
    /// The accessible name of the chart of reading times.
    package var times: String { fill("times") }
    /// When most was read.
    ///
    /// - Parameter hours: Nil if only days are known.
    package func most(_ day: String, _ hours: String?, _ articles: String) -> String {
        fill(hours == nil ? "most.day" : "most.hours", ["day": day, "hours": hours ?? "", "articles": articles])
    }

    /// The headings that are the program's own words.
    package var headings: [String] { [top, more, also, topics, reading] + DigestBasis.allCases.map(everything) }
}
