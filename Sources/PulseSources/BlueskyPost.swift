package import Foundation
package import PulseMarkup
import PulseText

/// A post of Bluesky (https://atproto.com/lexicons/app-bsky-feed) as an article: the one that its link card shows, or
/// else the post itself. The JSON is untrusted; any key may be missing or of another type.
package struct BlueskyPost {
    /// Why a post is hidden from users without a login.
    package enum Hiding {
        /// A label such as `!hide` or `porn`.
        case label
        /// Its author requires a login.
        case loginOnly
    }

    /// `at://did:plc:…/app.bsky.feed.post/3k…`
    package let uri: String
    package let draft: ArticleDraft
    /// Whether the article is the linked page and not the post itself.
    package let isCard: Bool
    /// When it was posted; nil if no stated time is plausible.
    package let postedAt: Date?
    package let hiding: Hiding?

    /// A post in the AppView's format (`app.bsky.feed.defs#postView`); nil if it is not one.
    package init?(view: JSONObject, now: Date) {
        guard let record = view.object("record"), let uri = view.text("uri") else { return nil }
        self.init(
            uri: uri, author: view.object("author"), record: record, embed: view.object("embed"),
            labels: view.objects("labels"), indexedAt: SourceTime.parse(view.text("indexedAt"), now: now), now: now)
    }

    /// A post in the format of its author's server (`app.bsky.feed.post`).
    package init?(record: JSONObject, uri: String, handle: String, now: Date) {
        self.init(
            uri: uri, author: JSONObject(["handle": handle]), record: record, embed: record.object("embed"), labels: [],
            indexedAt: nil, now: now)
    }

    private init?(
        uri: String, author: JSONObject?, record: JSONObject, embed: JSONObject?, labels: [JSONObject],
        indexedAt: Date?, now: Date
    ) {
        guard let address = BlueskyURI(uri), address.collection == BlueskyURI.post else { return nil }
        self.uri = uri
        hiding = Self.hiding(labels + (record.object("labels")?.objects("values") ?? []), author)
        // `createdAt` comes from the author's clock, so it may be wrong.
        let createdAt = SourceTime.parse(record.text("createdAt"), now: now)
        let latest = (indexedAt ?? now).addingTimeInterval(300)
        let postedAt = createdAt.flatMap { $0 <= latest ? $0 : nil } ?? indexedAt
        self.postedAt = postedAt
        let handle = author?.text("handle").flatMap { $0 == "handle.invalid" ? nil : $0 }
        let text = Self.linked(record.text("text") ?? "", facets: record.objects("facets"))
        // The card or the pictures are the embed itself, or beside a quotation.
        let media = [embed, embed?.object("media")].compactMap(\.self)
        let card = media.lazy.compactMap { $0.object("external") }.first
        if let card, let url = card.text("uri").flatMap(WebURL.canonical) {
            isCard = true
            let host = WebURL.host(url).map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
            let source = card.object("source")
            let description = card.text("description") ?? ""
            draft = ArticleDraft(
                url: url, title: card.text("title") ?? "", summary: description,
                // The post's text is about the article and not part of it.
                content: description.isEmpty ? text : "", contentForm: .plain,
                source: source?.text("title") ?? source?.text("name") ?? host ?? "",
                publishedAt: SourceTime.parse(card.text("createdAt"), now: now))
        } else {
            isCard = false
            let pictures = media.lazy.map { $0.objects("images") }.first { !$0.isEmpty } ?? []
            let texts = [text] + pictures.compactMap { $0.text("alt") }
            draft = ArticleDraft(
                id: uri, url: "https://bsky.app/profile/\(handle ?? address.authority)/post/\(address.key)",
                content: texts.filter { !$0.isEmpty }.joined(separator: "\n\n"),
                contentForm: .plain, author: author?.text("displayName") ?? handle,
                source: handle.map { "@" + $0 } ?? "Bluesky", language: record.texts("langs").first,
                publishedAt: postedAt)
        }
    }

    // MARK: Labels

    private static let hidden: Set = [
        "!hide", "!warn", "!takedown", "!suspend", "porn", "sexual", "nudity", "nsfl", "gore", "graphic-media", "spam",
    ]
    private static let loginOnly = "!no-unauthenticated"

    private static func hiding(_ labels: [JSONObject], _ author: JSONObject?) -> Hiding? {
        // `neg` revokes a label.
        let valid = (labels + (author?.objects("labels") ?? [])).filter { $0.flag("neg") != true }
        let names = Set(valid.compactMap { $0.text("val") })
        if names.contains(loginOnly) { return .loginOnly }
        return names.isDisjoint(with: hidden) ? nil : .label
    }

    // MARK: Links

    /// The text with its links written out. A shortened URL becomes the whole URL; other linked words are followed by
    /// their URL. Offsets count UTF-8 bytes, the last one exclusive. Facets outside of the text, inside a character or
    /// overlapping another are ignored, and so are those after the first hundred.
    package static func linked(_ text: String, facets: [JSONObject]) -> String {
        let bytes = Array(text.utf8)
        func isBoundary(_ offset: Int) -> Bool { offset == bytes.count || bytes[offset] & 0xc0 != 0x80 }
        let links = facets.prefix(100).compactMap { facet -> (range: Range<Int>, url: String)? in
            func offset(_ key: String) -> Int? { facet.object("index")?.number(key).flatMap { Int(exactly: $0) } }
            guard let start = offset("byteStart"), let end = offset("byteEnd"),
                start >= 0, start < end, end <= bytes.count, isBoundary(start), isBoundary(end),
                let url = facet.objects("features").lazy.compactMap({ $0.text("uri").flatMap(ArticleURL.clean) }).first
            else { return nil }
            return (start..<end, url)
        }
        var result = ""
        var end = 0
        for (range, url) in links.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= end {
            let words = String(decoding: bytes[range], as: UTF8.self)
            result += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
            result += isShortened(words, of: url) ? url : "\(words) (\(url))"
            end = range.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// Whether a text is a URL as clients shorten it: `example.com/2026/ab…`.
    private static func isShortened(_ text: String, of url: String) -> Bool {
        let start = text.prefix { $0 != "…" }
        let shown = start.hasSuffix("...") ? start.dropLast(3) : start
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return !shown.isEmpty
            && [url[...], rest, rest.hasPrefix("www.") ? rest.dropFirst(4) : rest].contains { $0.hasPrefix(shown) }
    }
}

/// The URI of a record: `at://did:plc:…/app.bsky.feed.post/3k…` (https://atproto.com/specs/at-uri-scheme).
package struct BlueskyURI: Hashable, Sendable {
    package static let post = "app.bsky.feed.post"
    package static let generator = "app.bsky.feed.generator"
    package static let list = "app.bsky.graph.list"

    /// The account: a DID or a handle.
    package let authority: String
    package let collection: String
    package let key: String

    package var text: String { "at://\(authority)/\(collection)/\(key)" }
}

extension BlueskyURI {
    /// Nil if the text is not such a URI, or has invalid characters.
    package init?(_ text: String) {
        guard text.hasPrefix("at://"), text.utf8.count <= 1000 else { return nil }
        let parts = text.dropFirst(5).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, BlueskyName.actor(parts[0]) == parts[0], parts.allSatisfy(BlueskyName.isPlain) else {
            return nil
        }
        self.init(authority: parts[0], collection: parts[1], key: parts[2])
    }
}

/// Names of accounts: handles (`alice.example`) and DIDs (`did:plc:…`).
package enum BlueskyName {
    /// The handle or DID that a user typed, perhaps with an @ or as a profile's URL; nil if it is neither
    /// (https://atproto.com/specs/handle, https://atproto.com/specs/did).
    package static func actor(_ text: String) -> String? {
        var name = text.trimmed[...]
        for start in ["https://bsky.app/profile/", "@"] where name.hasPrefix(start) {
            name = name.dropFirst(start.count)
        }
        if name.hasSuffix("/") { name = name.dropLast() }
        guard isPlain(String(name)), name.utf8.count <= 253 else { return nil }
        if name.hasPrefix("did:plc:") || name.hasPrefix("did:web:") { return name.utf8.count > 8 ? String(name) : nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isHandle =
            labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isASCIIAlphanumeric }
            }
        return isHandle ? name.lowercased() : nil
    }

    /// Whether a text needs no encoding in the path and query of a URL.
    package static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._:~%".utf8.contains($0) }
    }
}
