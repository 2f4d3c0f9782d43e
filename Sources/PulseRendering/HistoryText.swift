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

    /// A search's results; on a terminal, each is followed by the sentence that has more of the words than any other.
    public static func found(_ readings: [Reading], by words: String, style: TextStyle) -> String {
        let words = Words.all(in: Words.folded(words))
        return readings.map { reading in
            let passage = style.tableWidth.flatMap { Self.passage(of: reading.article, words, columns: $0 - 2) }
            return list([reading], style: style) + (passage.map { "  " + style.dim($0) + "\n" } ?? "")
        }.joined()
    }

    /// One line. A longer sentence begins a few words before its first match.
    private static func passage(of article: Article, _ words: [String], columns: Int) -> String? {
        func isFound(_ written: Substring) -> Bool {
            let own = Words.folded(String(written))
            return words.contains { own.hasPrefix($0) }
        }
        var best: (count: Int, sentence: String)?
        for sentence in Sentences.split(article.text, most: 400) {
            let own = Words.all(in: Words.folded(sentence))
            let count = words.count { word in own.contains { $0.hasPrefix(word) } }
            if count > best?.count ?? 0 { best = (count, sentence) }
        }
        guard let line = best.map({ PlainText.line($0.sentence) }) else { return nil }
        let written = Words.written(in: line)
        guard DisplayWidth.of(line) > columns, let first = written.firstIndex(where: isFound), first > 3 else {
            return DisplayWidth.clip(line, to: columns)
        }
        return DisplayWidth.clip("…" + line[written[first - 3].startIndex...], to: columns)
    }

    /// In columns. On a narrower terminal the title gets lines of its own.
    private static let narrow = 64

    /// - Parameter time: 17 columns; nil if unknown.
    static func line(_ article: Article, time: String?, style: TextStyle) -> String {
        let key = String(article.key.prefix(ArticleKey.shortLength))
        // The default category is left out.
        let name = article.category == .general ? "" : article.category.name
        let category = DisplayWidth.clip(name, to: 13).padding(to: 13)
        let source = article.source.isEmpty ? "" : " — " + PlainText.line(article.source)
        if let width = style.tableWidth, width < narrow {
            let time = (time ?? "").trimmingCharacters(in: .whitespaces)
            let facts = [time, name].filter { !$0.isEmpty }.joined(separator: " ")
            return style.dim(key) + "  " + DisplayWidth.clip(facts, to: max(1, width - key.count - 2)) + "\n"
                + style.paragraph(PlainText.line(article.title) + source, indent: 2)
        }
        var text = PlainText.line(article.title) + source
        // A table uses the whole width of the terminal, but leaves a minimum for titles.
        if let room = style.tableWidth.map({ max(20, $0 - key.count - 34) }), DisplayWidth.of(text) > room {
            // The publication is kept if the title is cut.
            let name = DisplayWidth.clip(source, to: room / 3)
            text = DisplayWidth.clip(PlainText.line(article.title), to: room - DisplayWidth.of(name)) + name
        }
        return "\(style.dim(key))  \((time ?? "").padding(to: 17)) \(category) \(text)\n"
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
                ? ("unread", style.text("since \(read)"))
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
        LineWrapper.wrap(PlainText.printable(text), width: style.width)
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
        let counts = statistics.categories.map { style.text(Counted.text($0.articles)) }
        let room = (style.width ?? 80) - column - 1 - (counts.map { DisplayWidth.of($0) }.max() ?? 0)
        for (count, number) in zip(statistics.categories, counts) {
            let name = DisplayWidth.clip(count.category.name, to: 20)
            // At least one cell, so that every category is visible.
            let bar = String(repeating: "█", count: max(1, count.articles * max(1, min(30, room)) / most))
            text += name.padding(to: column) + bar + " " + number + "\n"
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

/// Articles, bookmarks and statistics as JSON: objects with their keys in alphabetical order. Keys do not change
/// between releases; docs/guide.md lists them.
public enum HistoryJSON {
    /// An object with the key `articles`, in the order of the list.
    public static func list(_ readings: [Reading]) -> String {
        JSONText.render(["articles": readings.map { ArticleJSON($0) }])
    }

    /// The same, with the nearness of articles that were found by their meaning.
    public static func found(_ found: [(reading: Reading, nearness: Double?)]) -> String {
        let articles = found.map { found -> ArticleJSON in
            var article = ArticleJSON(found.reading)
            article.nearness = found.nearness.map(rounded)
            return article
        }
        return JSONText.render(["articles": articles])
    }

    private static func rounded(_ cosine: Double) -> Double { (cosine * 100).rounded() / 100 }

    /// One article, with its texts.
    public static func show(_ reading: Reading) -> String {
        var article = ArticleJSON(reading)
        article.author = reading.article.author
        article.summary = reading.article.summary
        article.content = reading.article.content
        article.origin = reading.origin
        return JSONText.render(article)
    }

    public static func statistics(_ statistics: HistoryStatistics) -> String { JSONText.render(statistics) }

    /// An object with the key `articles`: each as in a list, with its likeness to the given article.
    public static func related(
        _ related: [(reading: Reading, likeness: Double, isSameStory: Bool, nearness: Double?)]
    ) -> String {
        let articles = related.map { reading, likeness, isSameStory, nearness -> ArticleJSON in
            var article = ArticleJSON(reading)
            article.likeness = rounded(likeness)
            article.sameStory = isSameStory
            article.nearness = nearness.map(rounded)
            return article
        }
        return JSONText.render(["articles": articles])
    }

    /// An object with the key `bookmarks`.
    public static func bookmarks(_ bookmarks: [Bookmark]) -> String {
        let articles = bookmarks.map { bookmark -> ArticleJSON in
            var article = ArticleJSON(bookmark.article)
            article.savedAt = bookmark.savedAt
            return article
        }
        return JSONText.render(["bookmarks": articles])
    }
}

/// An article with all its fields as one line of JSON, which `import jsonl` reads back unchanged.
public enum ArticleLine {
    /// Ends with a line feed.
    public static func text(_ reading: Reading) -> String { text(Line(reading)) }

    public static func text(_ bookmark: Bookmark) -> String { text(Line(bookmark)) }

    private static func text(_ line: Line) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { preconditionFailure("a line that cannot be encoded") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private struct Line: Encodable {
        let id: String
        let url: String?
        let title, description, content: String
        let author: String?
        let source, category: String
        let language, publishedAt: String?
        var readAt: String?
        var readAtExact: Bool?
        var origin: String?
        var savedAt: String?
        /// The texts are plain and must not be parsed as HTML.
        let form = "stored"

        private enum CodingKeys: String, CodingKey {
            case id, url, title, description, content, author, source, category, language, origin, form
            case publishedAt = "published_at"
            case readAt = "read_at"
            case readAtExact = "read_at_exact"
            case savedAt = "saved_at"
        }

        private init(_ article: Article) {
            id = article.id
            url = article.url
            title = article.title
            description = article.summary
            content = article.content
            author = article.author
            source = article.source
            category = article.category.name
            language = article.language
            publishedAt = article.publishedAt.map(Timestamp.text)
        }

        init(_ reading: Reading) {
            self.init(reading.article)
            readAt = Timestamp.text(reading.readAt)
            readAtExact = reading.isExact
            origin = reading.origin
        }

        init(_ bookmark: Bookmark) {
            self.init(bookmark.article)
            // The importer recognises a bookmark by this key. A duration of zero stands for the time of the import.
            savedAt = bookmark.savedAt.map(Timestamp.text) ?? "-PT0S"
        }
    }
}
