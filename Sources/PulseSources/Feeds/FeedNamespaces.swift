import PulseMarkup

/// The vocabulary that an element belongs to, by its namespace.
enum FeedVocabulary {
    case core, atom, dublinCore, content, media, itunes, feedburner, syndication, xhtml, other
}

struct FeedNamespaces {
    /// The namespace of the root element.
    var root: String?
    /// Cached, because matching against `byURI` is slower than the rest of the parsing.
    private var known: [String: FeedVocabulary] = [:]

    /// Looks up the URI, or the prefix if it was never declared.
    mutating func vocabulary(of tag: XMLTag) -> FeedVocabulary {
        guard let uri = tag.namespace else { return tag.prefix.isEmpty ? .core : Self.byPrefix[tag.prefix] ?? .other }
        if uri == root { return .core }
        if let known = known[uri] { return known }
        let plain = uri.lowercased().trimmingPrefix("https://").trimmingPrefix("http://")
        let vocabulary = Self.byURI.first { plain.hasPrefix($0.uri) }?.vocabulary ?? .other
        known[uri] = vocabulary
        return vocabulary
    }

    private static let byPrefix: [String: FeedVocabulary] = [
        "atom": .atom, "a10": .atom, "dc": .dublinCore, "dcterms": .dublinCore, "content": .content, "media": .media,
        "itunes": .itunes, "feedburner": .feedburner, "sy": .syndication, "rss": .core,
    ]

    /// URIs without their scheme. RSS's own namespaces are `core`.
    private static let byURI: [(uri: String, vocabulary: FeedVocabulary)] = [
        ("www.w3.org/2005/atom", .atom), ("purl.org/atom/ns#", .atom), ("purl.org/dc/", .dublinCore),
        ("purl.org/rss/1.0/modules/content", .content), ("search.yahoo.com/mrss", .media),
        ("www.itunes.com/dtds/podcast", .itunes), ("www.google.com/schemas/play-podcasts", .itunes),
        ("rssnamespace.org/feedburner", .feedburner), ("www.w3.org/1999/xhtml", .xhtml),
        ("purl.org/rss/1.0/modules/syndication", .syndication), ("purl.org/rss/1.0/modules/", .other),
        ("purl.org/rss/1.0", .core), ("purl.org/net/rss1.1", .core),
        ("my.netscape.com/rdf/simple", .core), ("channel.netscape.com/rdf/simple", .core),
        ("backend.userland.com/", .core), ("blogs.law.harvard.edu/tech/rss", .core),
        ("cyber.law.harvard.edu/rss", .core),
    ]
}
