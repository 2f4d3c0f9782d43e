import Foundation
public import PulseCore
import PulseText

/// Articles as text: a list, or one with its texts.
public enum HistoryText {
    /// One line for each article: the short id, when it was read, its category, its title and source.
    public static func list(_ readings: [Reading], style: TextStyle) -> String {
        readings.map { reading in
            // Marks estimated reading times. Unread articles have none.
            let isEstimate = !reading.isExact && reading.basis != .unread
            let time = DateText.compact(reading.readAt, in: style.timeZone) + (isEstimate ? "~" : " ")
            return line(reading.article, time: time, style: style)
        }.joined()
    }

    /// In columns. On a narrower terminal the title gets lines of its own.
    private static let narrow = 64

    /// - Parameter time: 17 columns; nil if unknown.
    static func line(_ article: Article, time: String?, style: TextStyle) -> String {
        let key = String(article.key.prefix(ArticleKey.shortLength))
        let category = DisplayWidth.clip(article.category.name, to: 13).padding(to: 13)
        let source = article.source.isEmpty ? "" : " — " + PlainText.line(article.source)
        if let width = style.tableWidth, width < narrow {
            let time = (time ?? "").trimmingCharacters(in: .whitespaces)
            let facts = [time, article.category.name].filter { !$0.isEmpty }.joined(separator: " ")
            return style.dim(key) + "  " + DisplayWidth.clip(facts, to: max(1, width - key.count - 2)) + "\n"
                + style.paragraph(PlainText.line(article.title) + source, indent: 2)
        }
        let rest = category + " " + PlainText.line(article.title) + source
        return "\(style.dim(key))  \((time ?? "").padding(to: 17)) \(clip(rest, after: key.count + 20, style))\n"
    }

    /// One article with its texts.
    public static func show(_ reading: Reading, style: TextStyle) -> String {
        let article = reading.article
        let published = article.publishedAt.map { DateText.compact($0, in: style.timeZone) }
        let read = DateText.compact(reading.readAt, in: style.timeZone)
        let facts: [(Message, String?)] = [
            ("source", article.source), ("author", article.author), ("category", article.category.name),
            ("language", article.language), ("published", published),
            reading.basis == .unread
                ? ("waiting", style.text("since \(read)"))
                : (
                    "read",
                    style.text(
                        reading.isExact ? "\(read), from \(reading.origin)" : "\(read) (about), from \(reading.origin)")
                ),
            ("url", article.url), ("id", article.key), ("source id", article.id),
        ]
        let known = facts.map { ($0, Message(verbatim: PlainText.line($1 ?? ""))) }.filter { !$0.1.isEmpty }
        var lines = style.bold(wrap(article.title, style)) + style.facts(known)
        for text in [article.summary, article.content] where !text.isEmpty {
            for paragraph in text.split(separator: "\n\n") { lines += "\n" + wrap(String(paragraph), style) }
        }
        return lines
    }

    private static func wrap(_ text: String, _ style: TextStyle) -> String {
        var lines = LineWrapper(width: style.width)
        return lines.add(PlainText.printable(text)) + lines.finish()
    }

    private static func clip(_ text: String, after columns: Int, _ style: TextStyle) -> String {
        // A table uses the whole width of the terminal, but leaves a minimum for titles.
        style.tableWidth.map { DisplayWidth.clip(text, to: max(20, $0 - columns)) } ?? text
    }
}

/// Bookmarks as text, in the same format as the history.
public enum BookmarkText {
    /// One line for each: the short id, when it was saved, its category, its title and source.
    public static func list(_ bookmarks: [Bookmark], style: TextStyle) -> String {
        bookmarks.map { bookmark in
            HistoryText.line(
                bookmark.article, time: bookmark.savedAt.map { DateText.compact($0, in: style.timeZone) + " " },
                style: style)
        }.joined()
    }
}

/// Statistics of the history as lines, with a bar for each category.
public enum StatisticsText {
    public static func render(_ statistics: HistoryStatistics, style: TextStyle) -> String {
        var rows: [(Message, Message)] = [
            ("articles", Counted.text(statistics.articles)), ("sources", Counted.text(statistics.sources)),
            ("days with reading", Counted.text(statistics.daysRead)),
        ]
        if let first = statistics.firstReadAt, let last = statistics.lastReadAt {
            rows.append(("first read", "\(DateText.compact(first, in: style.timeZone))"))
            rows.append(("last read", "\(DateText.compact(last, in: style.timeZone))"))
        }
        if statistics.digests > 0 { rows.append(("digests kept", Counted.text(statistics.digests))) }
        if statistics.approximate > 0 { rows.append(("reading time estimated", Counted.text(statistics.approximate))) }
        // As wide as the names of categories below.
        let column = max(24, style.column(behind: rows.map(\.0)))
        var text = style.facts(rows, column: column)
        guard let most = statistics.categories.map(\.articles).max(), most > 0 else { return text }
        text += "\n"
        for count in statistics.categories {
            let name = DisplayWidth.clip(count.category.name, to: 20)
            // At least one cell, so that every category is visible.
            let bar = String(repeating: "█", count: max(1, count.articles * 30 / most))
            text += name.padding(to: column) + bar + " " + style.text(Counted.text(count.articles)) + "\n"
        }
        return text
    }
}

/// An article to share: `title — source` and its URL.
public enum ShareText {
    /// Two lines; one if the article has no URL.
    public static func render(_ article: Article) -> String {
        let source = DigestOutline.Source(article)
        return ([line(source)] + [source.link?.address].compactMap(\.self)).joined(separator: "\n") + "\n"
    }

    /// `[title — source](<address>)`
    public static func markdown(_ article: Article) -> String {
        let source = DigestOutline.Source(article)
        return MarkdownText.link(MarkdownText.line(line(source)), source.link) + "\n"
    }

    private static func line(_ source: DigestOutline.Source) -> String {
        [source.title, source.publication].filter { !$0.isEmpty }.joined(separator: " — ")
    }
}
