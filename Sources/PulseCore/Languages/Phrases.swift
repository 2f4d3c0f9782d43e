import Foundation

/// A number with a noun.
public enum Counted {
    /// A number alone: `12,000`.
    public static func text(_ count: Int) -> Message { .number(count) }

    /// Catalogues know it by its words and the place of the number: `%1$@ article`, `%1$@ articles`. All languages that
    /// the program speaks have the singular for 1 and the plural for the rest.
    public static func text(_ count: Int, _ one: String, _ many: String) -> Message {
        .number(count, noun: " " + (count == 1 ? one : many))
    }
}

/// The marks around a quotation, and those that take their place inside one.
package struct QuotationMarks: Sendable {
    private let opening, closing: String
    private let isDouble: Bool

    /// - Parameter isDouble: Whether they are “ ”, so that inside a quotation these become ‘ ’.
    package init(_ opening: String, _ closing: String, isDouble: Bool) {
        self.opening = opening
        self.closing = closing
        self.isDouble = isDouble
    }

    package static let curly = QuotationMarks("“", "”", isDouble: true)
    package static let angular = QuotationMarks("«", "»", isDouble: false)
    /// As France sets them, with no-break spaces.
    package static let spaced = QuotationMarks("«\u{a0}", "\u{a0}»", isDouble: false)

    package func callAsFunction(_ text: String) -> String {
        guard isDouble else { return opening + text + closing }
        var inner = ""
        var isOpen = false
        for character in text {
            switch character {
            case "“", "„": inner.append("‘")
            case "”": inner.append("’")
            case "\"":
                inner.append(isOpen ? "’" : "‘")
                isOpen.toggle()
            default: inner.append(character)
            }
        }
        return opening + inner + closing
    }
}

/// A noun in the singular and in the plural, to be written behind its number.
package struct Noun: Sendable {
    private let one: String
    private let many: String
    private let singular: ClosedRange<Int>
    /// By which the number's thousands are set apart, as Unicode's CLDR names it.
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

/// What a digest or a summary says in the program's own words; all else that it says is a `Message`. None has a
/// default, so that a phrase which a language lacks does not compile.
package struct Phrases: Sendable {
    /// The marks as they stand behind a word: in French, a no-break space belongs before them.
    package var colon: String
    package var semicolon: String
    /// Around a publication's own words.
    package var quotation: QuotationMarks
    package var article: Noun
    package var source: Noun
    package var story: Noun
    /// The digest's name with its day: `Your digest, Saturday, 21 November 2026`.
    package var title: @Sendable (_ day: String) -> String
    /// The same of a week, with its first and its last day: `Your week, 15 November to 21 November 2026`.
    package var week: @Sendable (_ from: String, _ to: String) -> String
    /// A moment: its day and its time, `02:46`.
    package var at: @Sendable (_ day: String, _ time: String) -> String
    /// Stands, with a colon, before what is new in a story since the weekday on which it was told last.
    package var update: @Sendable (_ weekday: String) -> String
    /// How much was read since when.
    ///
    /// - Parameters:
    ///   - told: How many articles these stories are from.
    ///   - all: How many articles were read.
    ///   - since: Day and time.
    ///   - sources: A number and its noun.
    package var read: @Sendable (_ stories: Int, _ told: Int, _ all: Int, _ since: String, _ sources: String) -> String
    /// The same of what waits in the reader's feeds, of what they keep for later, and of what was read or waits.
    package var waiting: Told
    package var bookmarked: Told
    package var readOrWaiting: Told
    /// Marks a story of which nothing was read, where others were.
    package var notRead: String
    /// How many articles the reader's muted words and sources have kept out. Stands behind `read` and a semicolon.
    package var muted: @Sendable (Int) -> String
    /// How many days in a row have something read, up to the digest's own; at least two.
    package var daysInARow: @Sendable (Int) -> String
    /// The heading of the stories that have none of their own, and of all where there is no other heading.
    package var more: String
    package var everything: String
    /// The name of a feed or a folder of digests.
    package var archive: String
    /// Stands above the titles of stories that are told by title only.
    package var also: String
    /// Stands before the name of a publication that reports what another is quoted with.
    package var alsoBy: String
    /// How many more articles were read; the command that lists them follows.
    package var omitted: @Sendable (Int) -> String
    /// The publications wrote the sentences.
    package var ownWords: String
    /// A model wrote.
    package var writtenBy: @Sendable (_ model: String) -> String
    /// How many of all the stories are in the model's words.
    package var inItsWords: @Sendable (_ stories: Int, _ all: Int) -> String
    /// How many of the model's sentences are not shown.
    package var refused: @Sendable (Int) -> String
    /// How many are shown and marked.
    package var marked: @Sendable (Int) -> String
    /// Nothing was checked.
    package var unchecked: String
    /// A model wrote, and nothing of it is shown.
    package var unheard: @Sendable (_ model: String) -> String
    /// For the ear: what follows is quoted from a publication.
    package var writes: @Sendable (_ source: String) -> String
    /// How to read on.
    package var readOn: String
    /// Stands in place of a summary where the article has no sentence to be summarised by.
    package var nothingToTell: String
    package var summaryShortened: String
    /// Of a question: that nothing of what was searched answers it; and what stands above what was found instead.
    package var nothingSaysSo: @Sendable (Basis) -> String
    package var nearest: @Sendable (Basis) -> String
    /// A mail's subject, up to its first story.
    package var subject: @Sendable (_ day: String, _ stories: String) -> String
    /// The heading of the statistics.
    package var reading: String
    /// The heading of the table of topics, and what the list of links to them is called.
    package var topics: String
    package var articlesRead: String
    /// The same where they were not read.
    package var articles: String
    /// What the drawing of reading times is called.
    package var times: String
    /// When most was read: the day, the hours (nil where only days are counted), and the number of articles.
    package var most: @Sendable (_ day: String, _ hours: String?, _ articles: String) -> String
}

extension Phrases {
    /// What stands above a digest's stories in the program's own words.
    package var headings: [String] {
        [more, everything, also, topics, reading, waiting.everything, bookmarked.everything, readOrWaiting.everything]
    }

    /// How much there is, as `read`, and the heading of all stories where there is no other.
    package struct Told: Sendable {
        package var opening:
            @Sendable (_ stories: Int, _ told: Int, _ all: Int, _ since: String, _ sources: String) -> String
        package var everything: String

        package init(
            _ everything: String,
            opening:
                @escaping @Sendable (_ stories: Int, _ told: Int, _ all: Int, _ since: String, _ sources: String)
                -> String
        ) {
            self.everything = everything
            self.opening = opening
        }
    }

    package func told(_ basis: Basis) -> Told {
        switch basis {
        case .read: Told(everything, opening: read)
        case .unread: waiting
        case .bookmarks: bookmarked
        case .readAndUnread: readOrWaiting
        }
    }
}
