public import PulseCore
import PulseText

/// What was read, as lines and as a page.
public enum HistoryText {
    /// One line an article: the short id, when it was read, its category, its title and source.
    public static func list(_ readings: [Reading], style: TextStyle) -> String {
        readings.map { reading in
            let article = reading.article
            let key = String(article.key.prefix(ArticleKey.shortLength))
            // A time that is a stand-in says so.
            let time = DateText.compact(reading.readAt, in: style.timeZone) + (reading.isExact ? " " : "~")
            let category = article.category.name.padding(to: 13)
            let source = article.source.isEmpty ? "" : " — " + PlainText.line(article.source)
            let rest = category + " " + PlainText.line(article.title) + source
            return "\(style.dim(key))  \(time) \(clip(rest, after: key.count + 20, style))\n"
        }.joined()
    }

    /// One article, whole.
    public static func show(_ reading: Reading, style: TextStyle) -> String {
        let article = reading.article
        let published = article.publishedAt.map { DateText.compact($0, in: style.timeZone) }
        let read = DateText.compact(reading.readAt, in: style.timeZone)
        let facts: [(String, String?)] = [
            ("source", article.source), ("author", article.author), ("category", article.category.name),
            ("language", article.language), ("published", published),
            ("read", read + (reading.isExact ? "" : " (about)") + ", from \(reading.origin)"),
            ("url", article.url), ("id", article.id), ("key", article.key),
        ]
        var lines = style.bold(wrap(article.title, style))
        for (name, value) in facts {
            guard let value = value.map(PlainText.line), !value.isEmpty else { continue }
            lines += style.dim(name.padding(to: 10)) + value + "\n"
        }
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
        // A list is a table: it takes the terminal's whole width and is never narrower than a title needs.
        style.tableWidth.map { DisplayWidth.clip(text, to: max(20, $0 - columns)) } ?? text
    }
}
