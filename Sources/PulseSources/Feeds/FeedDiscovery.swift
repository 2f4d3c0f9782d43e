import CXML
public import Foundation
import PulseMarkup

/// A feed that a page names.
public struct NamedFeed: Sendable, Hashable {
    /// Absolute, http or https.
    public var address: String
    /// The page's title of the feed, as one plain line; nil: none.
    public var title: String?

    public init(address: String, title: String? = nil) {
        self.address = address
        self.title = title
    }
}

/// Finds the feeds of a web page by its `<link rel="alternate">` elements (https://www.rssboard.org/rss-autodiscovery).
public enum FeedDiscovery {
    /// In bytes; no page has a longer head.
    private static let longest = 2 << 20
    private static let mostFeeds = 20

    /// - Parameters:
    ///   - page: the decompressed body.
    ///   - contentType: the HTTP header.
    ///   - address: the page's URL after redirects.
    /// - Returns: the feeds in the page's order, without duplicates.
    public static func feeds(in page: Data, contentType: String? = nil, address: String) -> [NamedFeed] {
        guard let parser = HTMLParser() else { return [] }
        let text = Charset.decode(page: Inflater.unpacked(page, limit: longest), contentType: contentType)
        let sink = LinkSink(address: address)
        _ = parser.parse(HTMLBounding.bounded(HTMLReferences.prepare(text)), into: sink)
        var known: Set<String> = []
        let feeds = sink.links.compactMap { link -> NamedFeed? in
            guard let found = ArticleURL.resolve(link.address, base: sink.base), known.insert(found).inserted
            else { return nil }
            return NamedFeed(address: found, title: ArticleDraft.name(link.title, limit: 100).nonEmpty)
        }
        return Array(feeds.prefix(mostFeeds))
    }

    /// Common addresses of feeds, for a page that names none, the likeliest first.
    public static func usualPlaces(near address: String) -> [String] {
        let names = [
            "feed/", "feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.atom", "index.rss", "rss/", "rss/feed.xml",
        ]
        var seen: Set<String> = []
        return ["./", "/"].flatMap { folder in
            names.compactMap { ArticleURL.resolve(folder + $0, base: address) }
        }.filter { seen.insert($0).inserted }
    }
}

private final class LinkSink: HTMLSink {
    private(set) var links: [(address: String, title: String)] = []
    /// The base of relative URLs.
    private(set) var base: String
    private var hasBase = false
    private var depth = 0

    init(address: String) { base = address }

    override func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        depth += 1
        // libxml2 is slow with deep nesting.
        if depth > 300 || links.count >= 100 { stopParser() }
        guard name == "base" || name == "link" else { return }
        let attributes = Self.attributes(attributes, ["href", "rel", "type", "title"])
        if name == "base", !hasBase, let address = attributes["href"] {
            base = ArticleURL.resolve(address, base: base) ?? base
            hasBase = true
        }
        guard name == "link" else { return }
        let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        let type = (attributes["type"] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        guard let address = attributes["href"], isFeed(relations, String(type), address) else { return }
        links.append((address, attributes["title"] ?? ""))
    }

    override func end(_ name: String) { depth -= 1 }

    private func isFeed(_ relations: [Substring], _ type: String, _ address: String) -> Bool {
        guard relations.contains("alternate") || relations.contains("feed") else { return false }
        return switch type {
        case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
            "text/rss+xml":
            true
        // WordPress links its REST API with this type.
        case "application/json": !address.contains("/wp-json/")
        case "", "application/xml", "text/xml": relations.contains("feed")
        default: false
        }
    }
}
