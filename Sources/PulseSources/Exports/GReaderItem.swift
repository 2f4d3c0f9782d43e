import Foundation
import PulseCore
import PulseMarkup

extension SourceKind {
    static let greader = SourceKind(
        name: "greader", operands: "PATH", summary: "an export in Google Reader's shape, such as FreshRSS's",
        details: """
            A JSON file, or the ZIP archive that FreshRSS exports, of FreshRSS, Inoreader and others. It tells which
            articles were read and not when: at the first import they count as read when they were published, and later
            when an import first finds them read. Starred articles become bookmarks.
            """,
        recognises: { probe in
            if !probe.isJSON { return probe.exportNames.contains { ExportFiles.isCalled($0, "feed_*.json") } }
            return probe.head(has: "\"items\"")
                && ["\"timestampUsec\"", "\"crawlTimeMsec\"", "com.google"].contains(where: probe.head(has:))
        },
        open: { path, environment in
            let now = environment.now
            let files = try ExportFiles(path: path, in: environment)
            let contents: Message = "entries of Google Reader"
            let first = try files.called("*.json", holding: contents).first
            // Imports of one account do not count for another.
            let account = path == "-" ? nil : try first.flatMap(GReaderItem.account)
            let origin = account.map { "greader:" + $0 } ?? "greader"
            return try JSONRecords.source(
                origin, files, called: "*.json", holding: contents,
                fits: { ["alternate", "canonical", "categories", "origin"].contains(where: $0.has) }
            ) { object, _, previousImport, batch in
                let item = GReaderItem(object, now: now)
                if item.isStarred { batch.add(star: item.draft, savedAt: nil) }
                guard item.isRead else {
                    batch.unread += 1
                    return
                }
                let readAt = ImportBatch.approximateTime(
                    published: item.draft.publishedAt ?? item.arrivedAt, previousImport: previousImport, now: now)
                batch.add(item.draft, readAt: readAt, isExact: false, origin: origin)
            }
        })
}

/// An item in Google Reader's JSON, which FreshRSS, Inoreader, Miniflux and others still use in exports and responses:
/// the elements of `items`.
struct GReaderItem {
    /// The server's id: `tag:google.com,2005:reader/item/` with 16 hexadecimal digits, or a decimal number.
    let id: String
    /// Its id is the URL, else a guid that is globally unique, else the feed's URL followed by the guid or the server's
    /// id.
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
        let states = Set(tags.compactMap { Self.last(of: $0, after: ["state", "com.google"]) })
        // FreshRSS's export tags unread items; every server tags read ones.
        isRead = states.contains("read") && !states.contains("unread") && !states.contains("kept-unread")
        isStarred = states.contains("starred")
        arrivedAt =
            SourceTime.sinceEpoch(object.number("timestampUsec"), now: now)
            ?? SourceTime.sinceEpoch(object.number("crawlTimeMsec"), now: now)

        let url = Self.link(object)
        let labels = tags.compactMap { Self.last(of: $0, after: ["label"]) }
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

    /// FreshRSS writes fullwidth characters in place of those that HTML escapes (`escapeToUnicodeAlternative`).
    private static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0xff00...0xff5e).contains($0.value) }) else { return text }
        return text.replacing("＆", with: "&amp;").replacing("＜", with: "&lt;").replacing("＞", with: "&gt;")
            .replacing("＂", with: "\"").replacing("＇", with: "'")
    }

    /// `canonical` is the page's own URL; `alternate` may be a redirect of the feed's.
    private static func link(_ object: JSONObject) -> String? {
        (object.objects("canonical") + object.objects("alternate")).lazy.compactMap { $0.text("href") }.first
    }

    /// The id of an item without a URL. Servers count ids from 1, so the feed is prepended.
    private static func identifier(_ object: JSONObject, origin: JSONObject?) -> String? {
        guard let id = object.text("guid") ?? object.text("id") else { return nil }
        if ["tag:", "urn:"].contains(where: id.hasPrefix), !id.hasPrefix("tag:google.com,2005:reader/") { return id }
        let feed = origin?.text("feedUrl") ?? origin?.text("streamId")
        return feed.map { ArticleKey.inFeed(id, $0) } ?? id
    }

    /// `World` of `user/-/label/World`, and `read` of `user/1005/state/com.google/read`.
    private static func last(of tag: String, after middle: [String]) -> String? {
        let parts = tag.split(separator: "/", maxSplits: 2 + middle.count, omittingEmptySubsequences: false)
        guard parts.count == 3 + middle.count, parts[0] == "user",
            parts[2..<2 + middle.count].elementsEqual(middle.map { $0[...] })
        else { return nil }
        return String(parts[2 + middle.count])
    }

    /// `alice` of `user/alice/state/org.freshrss/feed`; nil if the export has `-` or a number, which name no account.
    fileprivate static func account(_ file: @escaping ExportFiles.File) throws -> String? {
        let head = String(decoding: try file().piece().prefix(1000), as: UTF8.self)
        let parts = head.split(separator: "/").map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }
        guard parts.count > 2, parts[0].hasSuffix("\"user"), parts[2] == "state" else { return nil }
        let name = String(parts[1]).excerpt
        return name.contains(where: \.isLetter) ? name : nil
    }
}
