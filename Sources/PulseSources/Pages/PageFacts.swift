import Foundation
import PulseMarkup
import PulseText

/// A page's metadata about its article: `<meta>` elements (Open Graph and others) and JSON-LD of the type
/// https://schema.org/Article. It is untrusted; `ArticleDraft` cleans it.
struct PageFacts {
    /// The page's URL.
    let url: String
    let now: Date

    /// The values of `<meta>` elements, by name.
    private var named: [String: String] = [:]
    private var windowTitle: [UInt8] = []
    private var canonical: String?
    private var documentLanguage: String?
    private var time: String?
    /// The first `h1`.
    var heading: String?
    private var linked = LinkedArticle()

    init(url: String, now: Date) {
        self.url = url
        self.now = now
    }

    // MARK: Collecting

    /// In characters, of a value; in bytes, of the window title.
    private static let longest = 4000

    mutating func take(meta: PageAttributes) {
        guard let name = (meta["property"] ?? meta["name"] ?? meta["itemprop"])?.lowercased(),
            PageFacts.known.contains(name), named[name] == nil, let content = meta["content"]?.trimmed.nonEmpty
        else { return }
        named[name] = String(content.prefix(PageFacts.longest))
    }

    mutating func take(link: PageAttributes) {
        if link["rel"]?.lowercased() == "canonical", canonical == nil { canonical = link["href"] }
    }

    mutating func take(language: String?) {
        if documentLanguage == nil { documentLanguage = language?.nonEmpty }
    }

    /// Takes a `<time>` that is marked as the publication's, else the first.
    mutating func take(time element: PageAttributes) {
        guard let value = element["datetime"] else { return }
        if time == nil || element["itemprop"] == "datePublished" || element["pubdate"] != nil { time = value }
    }

    mutating func appendTitle(_ bytes: UnsafeBufferPointer<UInt8>) {
        windowTitle.append(contentsOf: bytes.prefix(max(0, PageFacts.longest - windowTitle.count)))
    }

    mutating func take(linkedData scripts: [[UInt8]]) {
        for script in scripts where script.count <= 1 << 20 {
            guard let value = JSONObject.value(of: Data(script)) ?? JSONObject.value(of: PageFacts.bare(script)) else {
                continue
            }
            linked.take(value, depth: 0)
        }
    }

    /// Without the comments in which some pages hide a script from old browsers, and without the line breaks within
    /// strings.
    private static func bare(_ script: [UInt8]) -> Data {
        let marks = ["<!--", "-->", "//<![CDATA[", "//]]>", "/*<![CDATA[*/", "/*]]>*/", "<![CDATA[", "]]>"]
        let text = String(decoding: script.map { max($0, 0x20) }, as: UTF8.self)
        return Data(marks.reduce(text) { $0.replacing($1, with: "") }.utf8)
    }

    // MARK: Results

    /// The text in the JSON-LD; nil if the article is for subscribers only.
    var linkedText: String? {
        guard linked.isFree != false, let body = linked.body else { return nil }
        // Some pages escape the markup in it.
        guard body.contains("&lt;/"), !body.contains("</") else { return body }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")].reduce(body) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// Whether the publisher says that only a part is free.
    var isPaywalled: Bool { linked.isFree == false || first(["article:content_tier"])?.lowercased() == "locked" }

    var title: String {
        let window = String(decoding: windowTitle, as: UTF8.self)
        return first(["og:title", "twitter:title", "dc.title", "headline"]) ?? linked.headline
            ?? PageTitle.headline(of: window, site: site, heading: heading) ?? heading ?? ""
    }

    var site: String? { first(["og:site_name", "application-name"]) ?? linked.publisher }

    var author: String? {
        let author = first(["author", "article:author", "parsely-author", "dc.creator", "byl"])
        // Some pages have the URL of a profile here.
        return author.flatMap { $0.contains("://") ? nil : $0 } ?? linked.author
    }

    /// Nil also for an implausible date.
    var publishedAt: Date? {
        let texts = [
            first(["article:published_time", "og:published_time", "datepublished"]), linked.published,
            first(["parsely-pub-date", "date", "pubdate", "publish-date", "dc.date.issued", "dc.date"]), time,
        ]
        return texts.lazy.compactMap { SourceTime.parse($0, now: now) }.first
    }

    var language: String? { documentLanguage ?? linked.language ?? first(["og:locale"]) }

    /// The canonical URL, if its host is the page's or a parent or subdomain of it. Otherwise one site could give its
    /// text to another site's article.
    var address: String {
        for candidate in [canonical, first(["og:url"])] {
            guard let candidate, let claimed = URL(string: candidate, relativeTo: URL(string: url))?.absoluteURL,
                let address = ArticleURL.clean(claimed.absoluteString), let own = URL(string: url)?.host?.lowercased(),
                let host = claimed.host?.lowercased(),
                host == own || host.hasSuffix("." + own) || own.hasSuffix("." + host) && host.contains("."),
                // A front page cannot be an article's URL.
                claimed.path.count > 1 || claimed.query != nil
            else { continue }
            return address
        }
        return url
    }

    private func first(_ names: [String]) -> String? { names.lazy.compactMap { named[$0] }.first }

    private static let known: Set<String> = [
        "og:title", "twitter:title", "dc.title", "headline", "og:site_name", "application-name", "author",
        "article:author", "parsely-author", "dc.creator", "byl", "article:published_time", "og:published_time",
        "datepublished", "parsely-pub-date", "date", "pubdate", "publish-date", "dc.date.issued", "dc.date",
        "og:locale", "og:url", "article:content_tier",
    ]
}

/// The article that JSON-LD describes.
private struct LinkedArticle {
    var headline: String?
    var body: String?
    var published: String?
    var author: String?
    var publisher: String?
    var language: String?
    var isFree: Bool?

    /// Objects may be nested in arrays, in a `@graph`, and in other objects.
    mutating func take(_ value: Any, depth: Int) {
        guard depth < 5 else { return }
        if let values = value as? [Any] {
            for value in values.prefix(100) { take(value, depth: depth + 1) }
        } else if let object = value as? [String: Any] {
            if isArticle(object) { take(article: object) }
            for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                if let value = object[key] { take(value, depth: depth + 1) }
            }
        }
    }

    private func isArticle(_ object: [String: Any]) -> Bool {
        let types = object["@type"] as? [String] ?? [object["@type"] as? String ?? ""]
        return types.contains { $0.hasSuffix("Article") || $0.hasSuffix("BlogPosting") }
    }

    private mutating func take(article: [String: Any]) {
        let updates = article["liveBlogUpdate"] as? [[String: Any]] ?? []
        let text =
            article["articleBody"] as? String
            ?? updates.prefix(1000).compactMap { $0["articleBody"] as? String }.joined(separator: "\n\n").nonEmpty
        if let text, text.utf8.count > body?.utf8.count ?? 0 { body = text }
        headline = headline ?? article["headline"] as? String
        published = published ?? article["datePublished"] as? String
        author = author ?? LinkedArticle.name(article["author"])
        publisher = publisher ?? LinkedArticle.name(article["publisher"])
        language = language ?? article["inLanguage"] as? String
        switch article["isAccessibleForFree"] {
        case let isFree as Bool: self.isFree = isFree
        case let text as String: isFree = text.lowercased() != "false"
        default: break
        }
    }

    /// A name may be a string, an object or an array of either.
    private static func name(_ value: Any?) -> String? {
        switch value {
        case let name as String: name.contains("://") ? nil : name.nonEmpty
        case let object as [String: Any]: (object["name"] as? String)?.nonEmpty
        case let values as [Any]:
            values.prefix(3).compactMap { $0 is [Any] ? nil : name($0) }.joined(separator: ", ").nonEmpty
        default: nil
        }
    }
}

/// Finds the headline in a window title, which also holds the site's name.
enum PageTitle {
    /// What may stand between a headline and the site's name.
    static let separators = [" | ", " - ", " – ", " — ", " · ", " :: ", " » "]

    static func headline(of window: String, site: String?, heading: String?) -> String? {
        let window = PlainText.line(window)
        if let heading, heading.utf8.count >= 10, window.contains(heading) { return heading }
        for separator in separators {
            let parts = window.split(separator: separator).map(String.init)
            guard parts.count > 1 else { continue }
            if let site, parts.first == site { return parts.dropFirst().joined(separator: separator) }
            let front = parts.dropLast().joined(separator: separator)
            if parts.last == site || front.split(separator: " ").count >= 3 { return front }
        }
        return window.nonEmpty
    }
}
