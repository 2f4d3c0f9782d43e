import Foundation
import PulseMarkup

/// Reads JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
enum FeedJSON {
    /// - Returns: false where it is no JSON feed.
    static func read(_ json: String, into reading: inout FeedReading) -> Bool {
        guard let feed = JSONObject(bounded(Data(json.utf8))) else { return false }
        let items = feed.objects("items")
        // Some programs leave the version out.
        guard feed.text("version")?.contains("jsonfeed") ?? false || !items.isEmpty else { return false }
        reading.title = feed.text("title").map { TextConstruct(text: $0, isPlain: true) }
        reading.site = feed.text("home_page_url").flatMap { FeedLink.resolve($0, base: reading.address) }
        reading.language = feed.text("language")
        reading.authors = authors(feed)
        let base = reading.site ?? reading.address
        for item in items {
            reading.add(entry(item, base: base, now: reading.now))
        }
        return true
    }

    private static func entry(_ item: JSONObject, base: String, now: Date) -> FeedEntry {
        var entry = FeedEntry(guid: item.text("id")?.trimmed.nonEmpty)
        entry.link =
            ["url", "external_url", "id"].lazy
            .compactMap { key in
                item.text(key).flatMap {
                    key == "id" && !FeedLink.isAbsolute($0) ? nil : FeedLink.resolve($0, base: base)
                }
            }.first
        entry.title = item.text("title").map { TextConstruct(text: $0, isPlain: true) }
        entry.content =
            item.text("content_html").map { TextConstruct(text: $0) }
            ?? item.text("content_text").map { TextConstruct(text: $0, isPlain: true) }
        entry.summary = item.text("summary").map { TextConstruct(text: $0, isPlain: true) }
        entry.authors = authors(item)
        entry.categories = item.texts("tags")
        entry.language = item.text("language")
        entry.date = item.text("date_published") ?? item.text("date_modified") ?? ""
        entry.publishedAt =
            ["date_published", "date_modified"].lazy
            .compactMap { item.text($0).flatMap { FeedDate.parse($0, now: now) } }.first
        entry.hasMedia = item.objects("attachments").contains {
            let type = $0.text("mime_type") ?? ""
            return type.hasPrefix("audio/") || type.hasPrefix("video/")
        }
        return entry
    }

    /// Version 1.1 has a list, 1.0 one author.
    private static func authors(_ object: JSONObject) -> [String] {
        let several = object.objects("authors").compactMap { $0.text("name") }
        return several.isEmpty ? [object.object("author")?.text("name")].compactMap(\.self) : several
    }

    /// A document that was cut off, up to the last item that is whole; one with more items than are read, up to the
    /// last of those. As values in memory they would take fifty times their length.
    private static func bounded(_ json: Data) -> Data {
        var closing: [UInt8] = []
        var isInString = false
        var isEscaped = false
        var end: Int?
        var items = 0
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
            case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): closing.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closing.popLast() == byte else { return json }
                if closing.isEmpty { return json }
                // An item is an object in an array of the outermost object.
                guard byte == UInt8(ascii: "}"), closing == Array("}]".utf8) else { continue }
                end = index + 1
                items += 1
                guard items < FeedDocument.mostEntries else { return json.prefix(index + 1) + Data("]}".utf8) }
            default: break
            }
        }
        return end.map { json.prefix($0) + Data("]}".utf8) } ?? json
    }
}
