import PulseCore
import PulseSQL

import struct Foundation.Date
import struct Foundation.UUID

/// One row of newsboat's `rss_item`, with the title of its feed.
struct NewsboatItem {
    let id: Int64
    let guid: String
    let title: String
    let author: String?
    let url: String?
    let feedURL: String
    /// Seconds since 1970; 0 where the feed gave none.
    let publishedAt: Int64
    let content: String
    /// Empty where newsboat did not know it, nil where its version did not keep it (before 2.22).
    let contentType: String?
    let feedTitle: String

    static let requiredColumns: Set<String> = [
        "id", "guid", "title", "author", "url", "feedurl", "pubDate", "content", "unread",
    ]

    /// Read items after an id, in the order of their ids: parameters ?1 (the id) and ?2 (how many).
    /// - Parameter columns: those that `rss_item` has.
    static func query(columns: Set<String>) -> String {
        let contentType = columns.contains("content_mime_type") ? "item.content_mime_type" : "NULL"
        let isKept = columns.contains("deleted") ? "AND item.deleted = 0" : ""
        return """
            SELECT item.id, item.guid, item.title, item.author, item.url, item.feedurl, item.pubDate, item.content,
                \(contentType), feed.title
            FROM rss_item AS item LEFT JOIN rss_feed AS feed ON feed.rssurl = item.feedurl
            WHERE item.id > ?1 AND item.unread = 0 \(isKept)
            ORDER BY item.id LIMIT ?2
            """
    }

    init(_ row: borrowing Statement) {
        id = row.integer(0) ?? 0
        guid = row.text(1) ?? ""
        title = row.text(2) ?? ""
        author = row.text(3)
        url = row.text(4)
        feedURL = row.text(5) ?? ""
        publishedAt = row.integer(6) ?? 0
        content = row.text(7) ?? ""
        contentType = row.text(8)
        feedTitle = row.text(9) ?? ""
    }

    /// Nil where there is nothing to read.
    func reading(now: Date, previousImport: Date?, categories: [String: Category]) -> Reading? {
        let published = publishedAt > 0 ? Date(timeIntervalSince1970: Double(publishedAt)) : nil
        let draft = ArticleDraft(
            id: identifier, url: url, title: title, content: content, contentForm: contentForm, author: author,
            source: feedTitle, publishedAt: published)
        guard var article = try? draft.article() else { return nil }
        article.category = categories[feedURL] ?? .general
        let readAt = previousImport == nil ? min(published ?? now, now) : now
        return Reading(article: article, readAt: readAt, origin: NewsboatCache.origin, isExact: false)
    }

    private var contentForm: ArticleDraft.Form {
        switch contentType?.lowercased() {
        case "text/plain": .plain
        case "text/html", "application/xhtml+xml": .html
        default: .unknown
        }
    }

    /// The guid where it is one for the whole world, as RSS intends and Atom demands; else one that is only the
    /// feed's own, such as `1234`, with the feed before it.
    private var identifier: String? {
        let guid = guid.trimmed
        guard !guid.isEmpty else { return nil }
        let scheme = guid.prefix(8).lowercased()
        let isGlobal = ["http://", "https://", "tag:", "urn:"].contains { scheme.hasPrefix($0) }
        return isGlobal || UUID(uuidString: guid) != nil ? guid : feedURL + "#" + guid
    }
}
