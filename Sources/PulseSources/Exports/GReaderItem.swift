import Foundation
import PulseCore
import PulseMarkup

/// An item in Google Reader's JSON, which FreshRSS, Inoreader, Miniflux and others still use in exports and responses:
/// the elements of `items`.
struct GReaderItem {
    /// The server's id: `tag:google.com,2005:reader/item/` with 16 hexadecimal digits, or a decimal number.
    let id: String
    /// Its id is the URL, else the feed's guid, else the feed's URL followed by the server's id.
    let draft: ArticleDraft
    let isRead: Bool
    let isStarred: Bool
    /// When the server found it in the feed. It is not a reading time.
    let arrivedAt: Date?
    /// The feed, such as `feed/https://lab.example/feed.xml` or `feed/12`.
    let stream: String

    /// - Parameter now: the moment of the import. Later times count as missing.
    init(_ object: JSONObject, now: Date) {
        id = object.text("id") ?? ""
        let origin = object.object("origin")
        stream = origin?.text("streamId") ?? ""
        let tags = object.texts("categories")
        let states = Set(tags.compactMap(Self.state))
        // FreshRSS's export tags unread items, every server read ones.
        isRead = states.contains("read") && !states.contains("unread") && !states.contains("kept-unread")
        isStarred = states.contains("starred")
        arrivedAt =
            SourceTime.sinceEpoch(object.number("timestampUsec"), now: now)
            ?? SourceTime.sinceEpoch(object.number("crawlTimeMsec"), now: now)

        let url = Self.link(object)
        let labels = tags.compactMap(Self.label)
        // `content` is the whole text; `summary` is either that or a teaser.
        let text = object.object("content")?.text("content") ?? object.text("content")
        let summary = object.object("summary")?.text("content") ?? object.text("summary")
        draft = ArticleDraft(
            id: url.flatMap(ArticleURL.clean) ?? Self.identifier(object, origin: origin), url: url,
            title: Self.plain(object.text("title") ?? ""), summary: text == nil ? "" : summary ?? "",
            content: text ?? summary ?? "", contentForm: .html, author: object.text("author").map(Self.plain),
            source: Self.plain(origin?.text("title") ?? ""),
            category: labels.first { Category.known.contains(Category($0)) } ?? labels.first,
            publishedAt: SourceTime.sinceEpoch(object.number("published"), now: now))
    }

    /// FreshRSS replaces characters that HTML escapes by fullwidth ones (`escapeToUnicodeAlternative`).
    private static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0xff00...0xff5e).contains($0.value) }) else { return text }
        return text.replacing("＆", with: "&amp;").replacing("＜", with: "&lt;").replacing("＞", with: "&gt;")
            .replacing("＂", with: "\"").replacing("＇", with: "'")
    }

    /// `canonical` is the page's own URL; `alternate` may be a redirect of the feed's.
    private static func link(_ object: JSONObject) -> String? {
        for key in ["canonical", "alternate"] {
            if let link = object.objects(key).lazy.compactMap({ $0.text("href") }).first { return link }
        }
        return nil
    }

    /// The id of an item without a URL. Servers count ids from 1, so the feed is prepended.
    private static func identifier(_ object: JSONObject, origin: JSONObject?) -> String? {
        guard let id = object.text("guid") ?? object.text("id") else { return nil }
        if ["tag:", "urn:"].contains(where: id.hasPrefix), !id.hasPrefix("tag:google.com,2005:reader/") { return id }
        let feed = origin?.text("feedUrl") ?? origin?.text("streamId")
        return feed.map { $0 + "#" + id } ?? id
    }

    /// `read` of `user/-/state/com.google/read`, or of `user/1005/state/com.google/read`.
    private static func state(_ tag: String) -> String? { last(of: tag, after: ["state", "com.google"]) }

    /// `World` of `user/-/label/World`.
    private static func label(_ tag: String) -> String? { last(of: tag, after: ["label"]) }

    private static func last(of tag: String, after middle: [String]) -> String? {
        let parts = tag.split(separator: "/", maxSplits: 2 + middle.count, omittingEmptySubsequences: false)
        guard parts.count == 3 + middle.count, parts[0] == "user",
            parts[2..<2 + middle.count].elementsEqual(middle.map { $0[...] })
        else { return nil }
        return String(parts[2 + middle.count])
    }
}
