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

/// Quotation marks, in which those of a text become others.
package struct QuotationMarks: Sendable {
    private let opening, closing: String
    private let isDouble: Bool

    /// - Parameter isDouble: Whether the marks are “ ”; those inside the text then become ‘ ’, otherwise “ ”.
    package init(_ opening: String, _ closing: String, isDouble: Bool) {
        self.opening = opening
        self.closing = closing
        self.isDouble = isDouble
    }

    package static let curly = QuotationMarks("“", "”", isDouble: true)
    package static let angular = QuotationMarks("«", "»", isDouble: false)
    /// The French style, with no-break spaces.
    package static let spaced = QuotationMarks("«\u{a0}", "\u{a0}»", isDouble: false)

    /// A text that begins or ends within a quotation of its own gets the mark that it lacks.
    package func callAsFunction(_ text: String) -> String {
        let (open, close): (Character, Character) = isDouble ? ("‘", "’") : ("“", "”")
        let spaces: [Character] = ["\u{a0}", "\u{202f}"]
        var (inner, depth, hasMark, isCut) = ("", 0, false, false)
        var before: Character = " "
        for character in text {
            defer { before = character }
            let opens: Bool
            switch character {
            case "“", "„", "«": opens = true
            case "”", "»": opens = false
            // After a number it stands for inches.
            case "\"" where depth > 0 || !before.isNumber: opens = before.isWhitespace || "([—–«".contains(before)
            default:
                if before != "«" || !spaces.contains(character) { inner.append(character) }
                continue
            }
            if !opens, character == "»", inner.last.map(spaces.contains) == true { inner.removeLast() }
            isCut = isCut || !opens && !hasMark
            hasMark = true
            depth = opens ? depth + 1 : max(0, depth - 1)
            inner.append(opens ? open : close)
        }
        return opening + (isCut ? String(open) : "") + inner + (depth > 0 ? String(close) : "") + closing
    }
}

/// A noun in the singular and plural, written after its number.
package struct Noun: Sendable {
    private let one: String
    private let many: String
    private let singular: ClosedRange<Int>
    /// The CLDR locale for thousands separators.
    private let locale: String

    /// - Parameter singular: The numbers that take the singular.
    package init(_ one: String, _ many: String, singular: ClosedRange<Int> = 1...1, locale: String = "en") {
        self.one = one
        self.many = many
        self.singular = singular
        self.locale = locale
    }

    package func callAsFunction(_ count: Int) -> String {
        "\(Noun.grouped(count, locale)) \(singular.contains(count) ? one : many)"
    }

    static func grouped(_ count: Int, _ locale: String) -> String {
        count < 1000 ? "\(count)" : count.formatted(.number.locale(Locale(identifier: locale)))
    }
}

/// The program's own words in digests and summaries; all its other texts are `Message`s. No phrase has a default, so
/// that a language which lacks one does not compile.
package struct Phrases: Sendable {
    /// Punctuation with the space before it: French has a no-break space there.
    package var colon: String
    package var semicolon: String
    /// Around text quoted from a publication.
    package var quotation: QuotationMarks
    package var article: Noun
    package var source: Noun
    package var story: Noun
    /// The digest's title: `Your digest, Saturday, 21 November 2026`.
    package var title: @Sendable (_ day: String) -> String
    /// The title of a week's digest: `Your week, 15 November to 21 November 2026`.
    package var week: @Sendable (_ from: String, _ to: String) -> String
    /// A time on a day; `time` is like `02:46`.
    package var at: @Sendable (_ day: String, _ time: String) -> String
    /// Label of what is new in a story since an earlier digest; a colon follows.
    package var update: @Sendable (_ weekday: String) -> String
    /// The opening line: how much was read since when.
    ///
    /// - Parameters:
    ///   - shown: How many articles these stories are from.
    ///   - all: How many articles were read.
    ///   - since: Day and time.
    ///   - sources: A number and its noun.
    package var read: @Sendable (_ stories: Int, _ shown: Int, _ all: Int, _ since: String, _ sources: String) -> String
    /// The same for unread entries of feeds, for bookmarks, and for read and unread articles together.
    package var waiting: Overview
    package var bookmarked: Overview
    package var readOrWaiting: Overview
    /// Label of a story without any read article, in a digest of read and unread articles.
    package var notRead: String
    /// How many articles were muted. Follows `read` and a semicolon.
    package var muted: @Sendable (Int) -> String
    /// On how many consecutive days something was read; at least two.
    package var daysInARow: @Sendable (Int) -> String
    /// The heading of the last section, and of the only section.
    package var more: String
    package var everything: String
    /// The title of an Atom feed or a folder of digests.
    package var archive: String
    /// Heading of stories that are shown by title only.
    package var also: String
    /// Before the name of another publication that reports the same.
    package var alsoBy: String
    /// How many more articles there were; the command that lists them follows.
    package var omitted: @Sendable (Int) -> String
    /// Note: every sentence is quoted.
    package var ownWords: String
    /// Note: a model wrote.
    package var writtenBy: @Sendable (_ model: String) -> String
    /// How many stories are in the model's words.
    package var inItsWords: @Sendable (_ stories: Int, _ all: Int) -> String
    /// How many of the model's sentences failed the check and were replaced.
    package var refused: @Sendable (Int) -> String
    /// How many failed the check and are shown with marks.
    package var marked: @Sendable (Int) -> String
    /// Note: the model's sentences were not checked.
    package var unchecked: String
    /// Note: none of the model's sentences passed the check.
    package var nothingShown: @Sendable (_ model: String) -> String
    /// In speech, before a quotation.
    package var writes: @Sendable (_ source: String) -> String
    /// Which commands show more of an article.
    package var readOn: String
    /// In place of a summary, for an article without a sentence that could be one.
    package var noSummary: String
    package var summaryShortened: String
    /// Of a question: that no article answers it, and the heading of the nearest passages shown instead.
    package var nothingSaysSo: @Sendable (DigestScope) -> String
    package var nearest: @Sendable (DigestScope) -> String
    /// Where it was looked; and where nothing comes as near, so that all else (nil: everything) was searched.
    package var searched: @Sendable (_ place: String) -> String
    package var searchedBeyond: @Sendable (_ place: String, _ all: String?) -> String
    /// That there is nothing of a time or a publication.
    package var nothingOf: @Sendable (_ place: String) -> String
    /// That nothing read has any of these words, which stand in quotation marks.
    package var noArticleHas: @Sendable (_ words: [String]) -> String
    /// The day on which an article was read.
    package var readDay: @Sendable (_ day: String) -> String
    /// Note: of this model only quotations are shown.
    package var quotesOnly: @Sendable (_ model: String) -> String
    /// A mail's subject, up to its first story.
    package var subject: @Sendable (_ day: String, _ stories: String) -> String
    /// The heading of the statistics.
    package var reading: String
    /// The heading of the table of topics; also the accessible name of the links to them.
    package var topics: String
    package var articlesRead: String
    /// The same for unread articles.
    package var articles: String
    /// The accessible name of the chart of reading times.
    package var times: String
    /// When most was read: day, hours (nil where only days are known) and number of articles.
    package var most: @Sendable (_ day: String, _ hours: String?, _ articles: String) -> String
}

extension Phrases {
    /// The headings that are the program's own words.
    package var headings: [String] {
        [more, everything, also, topics, reading, waiting.everything, bookmarked.everything, readOrWaiting.everything]
    }

    /// The opening line, like `read`, and the heading where there is no other, of one `DigestScope`.
    package struct Overview: Sendable {
        package var opening:
            @Sendable (_ stories: Int, _ shown: Int, _ all: Int, _ since: String, _ sources: String) -> String
        package var everything: String

        package init(
            _ everything: String,
            opening:
                @escaping @Sendable (_ stories: Int, _ shown: Int, _ all: Int, _ since: String, _ sources: String)
                -> String
        ) {
            self.everything = everything
            self.opening = opening
        }
    }

    package func overview(of basis: DigestScope) -> Overview {
        switch basis {
        case .read: Overview(everything, opening: read)
        case .unread: waiting
        case .bookmarks: bookmarked
        case .readAndUnread: readOrWaiting
        }
    }
}
