import Foundation
import PulseMarkup

/// Reads JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
enum FeedJSON {
    /// - Returns: false if it is not JSON Feed.
    static func read(_ json: String, into builder: inout FeedBuilder) -> Bool {
        let (document, isCut, isTruncated) = bounded(Data(json.utf8))
        guard let feed = JSONObject(document) else { return false }
        builder.isCut = isCut
        builder.isTruncated = isTruncated
        let items = feed.objects("items")
        // Some programs leave the version out.
        guard feed.text("version")?.contains("jsonfeed") ?? false || !items.isEmpty else { return false }
        builder.title = feed.text("title").map { TextConstruct(text: $0, form: .loose) }
        builder.site = feed.text("home_page_url").flatMap { ArticleURL.resolve($0, base: builder.address) }
        builder.language = feed.text("language")
        builder.authors = authors(feed)
        let base = builder.site ?? builder.address
        for item in items {
            builder.add(entry(item, base: base, now: builder.now))
            guard builder.goesOn() else { break }
        }
        return true
    }

    private static func entry(_ item: JSONObject, base: String, now: Date) -> FeedEntry {
        var entry = FeedEntry(guid: item.text("id")?.trimmed.nonEmpty)
        entry.link =
            ["url", "external_url", "id"].lazy
            .compactMap { key in
                item.text(key).flatMap {
                    key == "id" && !ArticleURL.isAbsolute($0) ? nil : ArticleURL.resolve($0, base: base)
                }
            }.first
        entry.title = item.text("title").map { TextConstruct(text: $0, form: .loose) }
        func text(_ key: String, _ form: TextConstruct.Form) -> TextConstruct? {
            guard let text = item.text(key) else { return nil }
            guard text.utf8.count > FeedDocument.longestText else { return TextConstruct(text: text, form: form) }
            entry.isCut = true
            return TextConstruct(
                text: String(decoding: text.utf8.prefix(FeedDocument.longestText), as: UTF8.self), form: form)
        }
        entry.content = text("content_html", .html) ?? text("content_text", .plain)
        entry.summary = text("summary", .loose)
        entry.authors = authors(item)
        entry.categories = item.texts("tags")
        entry.language = item.text("language")
        let dates = ["date_published", "date_modified"].compactMap { item.text($0) }
        entry.date = dates.first ?? ""
        entry.publishedAt = dates.lazy.compactMap { SourceTime.parse($0, now: now, isFeed: true) }.first
        entry.hasMedia = item.objects("attachments").contains {
            let type = $0.text("mime_type") ?? ""
            return type.hasPrefix("audio/") || type.hasPrefix("video/")
        }
        return entry
    }

    /// Version 1.1 has a list, 1.0 a single author.
    private static func authors(_ object: JSONObject) -> [String] {
        let several = object.objects("authors").compactMap { $0.text("name") }
        return several.isEmpty ? [object.object("author")?.text("name")].compactMap(\.self) : several
    }

    /// Parsed JSON takes up to a hundred times its length in memory.
    private static let mostValues = 100_000

    /// Cuts a document that is truncated, or has too many values or items, after its last complete item.
    /// - Returns: the shortened document, whether values were cut off by the limit, and whether the document is
    ///   truncated.
    private static func bounded(_ json: Data) -> (json: Data, isCut: Bool, isTruncated: Bool) {
        var closing: [UInt8] = []
        var isInString = false
        var isEscaped = false
        var end: Int?
        var items = 0
        var values = 0
        func front(isCut: Bool = false, isTruncated: Bool = false) -> (Data, Bool, Bool) {
            (end.map { json.prefix($0) + Data("]}".utf8) } ?? Data(), isCut, isTruncated)
        }
        for (index, byte) in json.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                values += 1
                if values > mostValues { return front(isCut: true) }
            case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): closing.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closing.popLast() == byte else { return (json, false, false) }
                if closing.isEmpty { return (json, false, false) }
                // An item is an object in an array of the root object.
                guard byte == UInt8(ascii: "}"), closing == Array("}]".utf8) else { continue }
                end = index + 1
                items += 1
                if items >= FeedDocument.mostEntries { return front() }
            default: break
            }
        }
        return front(isTruncated: true)
    }
}
