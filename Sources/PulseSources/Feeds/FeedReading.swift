import PulseCore
import PulseMarkup
import PulseText

import struct Foundation.Date
import struct Foundation.URL

/// Gathers what a feed says while it is read, in whichever format, and makes its contents of it.
struct FeedReading {
    let address: String
    let now: Date
    var title: TextConstruct?
    var site: String?
    var language: String?
    /// Of the whole feed, for entries that name nobody.
    var authors: [String] = []
    /// RSS's `ttl`: minutes for which it may be kept.
    var minutes: Double?
    /// Of http://purl.org/rss/1.0/modules/syndication: `hourly` to `yearly`, and how often in that time.
    var period: String?
    var frequency: Double?

    private var interval: Double? {
        let periods = [
            "hourly": 3600.0, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000,
        ]
        let seconds = period.flatMap { periods[$0.lowercased()] }.map { $0 / max(frequency ?? 1, 1) }
        return [minutes.map { $0 * 60 }, seconds].compactMap(\.self).filter { $0 > 0 }.max()
    }

    /// Only its beginning was read.
    var isCut = false
    /// It has no end.
    var isBrokenOff = false
    private var entries: [Article] = []
    private var skipped = 0
    /// Entries of which a text was cut.
    private var shortened = 0

    init(address: String, now: Date) {
        self.address = address
        self.now = now
    }

    var isFull: Bool { entries.count + skipped >= FeedDocument.mostEntries }

    mutating func add(_ entry: FeedEntry) {
        guard !isFull else { return }
        guard let article = entry.article(of: self) else {
            skipped += 1
            return
        }
        entries.append(article)
        if entry.isCut { shortened += 1 }
    }

    /// With an id each. One that several entries have is none, wherever they stand in the feed: their links tell them
    /// apart, else their titles. What has the same title twice is there once.
    private var distinct: [Article] {
        let owners = Dictionary(grouping: entries, by: \.id).filter { $0.value.count > 1 }
        let links = Dictionary(grouping: entries, by: \.url).mapValues { Set($0.map(\.title)).count }
        var taken: Set<String> = []
        return entries.compactMap { entry in
            var entry = entry
            if let others = owners[entry.id], Set(others.map(\.title)).count > 1 || Set(others.map(\.url)).count > 1 {
                if let url = entry.url, links[url] == 1 {
                    entry.id = url
                } else {
                    entry.id = ArticleDraft.identifier(guid: ShortHash.of(entry.title), feed: address, url: nil)
                }
            }
            return taken.insert(entry.id).inserted ? entry : nil
        }
    }

    /// With what the whole feed says given to the entries that say nothing.
    var contents: FeedContents {
        let title = title.map { ArticleDraft.name($0.markup, limit: 100) }?.nonEmpty
        let language = language.flatMap(ArticleDraft.languageTag)
        let author = FeedEntry.author(authors).map { ArticleDraft.name($0, limit: 100) }?.nonEmpty
        let entries = distinct.map { entry in
            var entry = entry
            entry.source = title ?? ""
            entry.language = entry.language ?? language
            entry.author = entry.author ?? author
            return entry
        }
        return FeedContents(
            title: title, site: site, language: language, entries: entries, skipped: skipped, interval: interval,
            cuts: cuts, isBrokenOff: isBrokenOff)
    }

    private var cuts: [Message] {
        let limit = "\(FeedDocument.longestText >> 10) KiB"
        let texts: [Message] =
            switch shortened {
            case 0: []
            case 1: ["One text is longer than \(limit), and was cut there."]
            default: ["\(shortened) texts are longer than \(limit), and were cut there."]
            }
        return isCut ? texts + ["Only its beginning was read: no feed is built like the rest."] : texts
    }
}

/// A text as a feed has it, by Atom's name (RFC 4287, section 3.1), and whether the feed says that it is no HTML.
struct TextConstruct {
    var text: String
    var isPlain = false

    /// As HTML, in which plain text is escaped.
    var markup: String { isPlain ? PlainText.escaped(text) : text }
}

/// An entry of a feed, as it stands there.
struct FeedEntry {
    var guid: String?
    /// Resolved.
    var link: String?
    var title: TextConstruct?
    var summary: TextConstruct?
    var content: TextConstruct?
    var authors: [String] = []
    var categories: [String] = []
    /// What it calls the feed that it was taken from. That is its word, and no more than a name beside its feed's.
    var source: TextConstruct?
    /// A text of it was too long.
    var isCut = false
    var language: String?
    var publishedAt: Date?
    /// As it was written, for telling apart entries without a guid.
    var date = ""

    /// Nil where there is nothing to read: no text, or a mere name for a sound or a film.
    var hasMedia = false

    func article(of feed: FeedReading) -> Article? {
        let text = content ?? summary
        if hasMedia, text?.text.trimmed.isEmpty ?? true { return nil }
        let key = title?.text.trimmed.nonEmpty.map { $0 + "\n" + date } ?? text?.text ?? ""
        guard guid != nil || link != nil || !key.trimmed.isEmpty else { return nil }
        let guid = guid ?? (link == nil ? ShortHash.of(key) : nil)
        let draft = ArticleDraft(
            id: guid.map { ArticleDraft.identifier(guid: $0, feed: feed.address, url: link) }, url: link,
            title: title?.markup ?? "", summary: content == nil ? "" : summary?.markup ?? "",
            content: text?.text ?? "", contentForm: text?.isPlain == true ? .plain : .unknown,
            author: FeedEntry.author(authors) ?? source?.markup, category: category, language: language,
            publishedAt: publishedAt)
        guard var article = (try? draft.article()) ?? picture(draft) else { return nil }
        // Some feeds say everything twice.
        if article.summary == article.content { article.summary = "" }
        return article
    }

    /// What has neither a title nor a text, such as a picture, is known by its address, and can be opened.
    private func picture(_ draft: ArticleDraft) -> Article? {
        guard let link else { return nil }
        var draft = draft
        draft.title = PlainText.escaped(String(link.dropFirst(link.hasPrefix("https") ? 8 : 7)))
        return try? draft.article()
    }

    /// Of several tags, one of those that many sources share; else the first that says something.
    private var category: String? {
        let names = categories.map(\.trimmed).filter { !$0.isEmpty && !$0.contains("://") }
        return names.first { PulseCore.Category.known.contains(PulseCore.Category($0)) }
            ?? names.first { $0.lowercased() != "uncategorized" }
    }

    /// The names, each once.
    static func author(_ names: [String]) -> String? {
        var seen: Set<String> = []
        let names = names.compactMap(person).filter { seen.insert($0).inserted }
        return names.prefix(5).joined(separator: ", ").nonEmpty
    }

    /// `Ana` of `ana@herald.example (Ana)` and of `Ana <ana@herald.example>`; nil of a mere address, which is no name.
    private static func person(_ text: String) -> String? {
        let text = text.trimmed
        guard text.contains("@") else { return text.nonEmpty }
        if let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end {
            return String(text[text.index(after: start)..<end]).trimmed.nonEmpty
        }
        let words = text.split(whereSeparator: \.isWhitespace).filter { !$0.dropFirst().contains("@") }
        return words.joined(separator: " ").nonEmpty
    }
}

/// Links in feeds, which are written in many ways.
enum FeedLink {
    /// - Parameter base: what it is relative to.
    /// - Returns: nil where it is no link that may be stored.
    static func resolve(_ text: String, base: String?) -> String? {
        var link = String(
            text.trimmed.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" })
        guard !link.isEmpty else { return nil }
        let start = link.prefix(8).lowercased()
        if start.hasPrefix("feed://") {
            link = "https://" + link.dropFirst(7)
        } else if start.hasPrefix("feed:") {
            link = String(link.dropFirst(5))
        }
        guard !isAbsolute(link) else { return ArticleURL.clean(encoded(link)) }
        if let colon = link.firstIndex(of: ":"), !link[..<colon].contains(where: { "/?#".contains($0) }) { return nil }
        guard let base else { return nil }
        // Foundation encodes what is encoded once more where anything beside it is not, so it gets nothing but a path.
        let (path, rest) = parts(WebURL.encoded(link))
        let (place, query) = parts(base)
        guard !path.isEmpty else {
            let isQuery = rest.hasPrefix("?")
            return ArticleURL.clean(place + (isQuery ? "" : query.prefix { $0 != "#" }) + rest)
        }
        guard let url = URL(string: path, relativeTo: URL(string: place)) else { return nil }
        return ArticleURL.clean(url.absoluteString + rest)
    }

    /// An address up to its query or its fragment, and the rest.
    private static func parts(_ address: String) -> (path: String, rest: String) {
        let path = address.prefix { !"?#".contains($0) }
        return (String(path), String(address[path.endIndex...]))
    }

    static func isAbsolute(_ link: String) -> Bool {
        let start = link.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// What browsers encode, people leave as it is. Letters of other scripts stay: the address is a name, too.
    private static func encoded(_ link: String) -> String {
        guard link.utf8.contains(where: { unencoded[$0] != nil }) else { return link }
        return link.unicodeScalars.map { scalar in
            scalar.isASCII ? unencoded[UInt8(scalar.value)] ?? String(scalar) : String(scalar)
        }.joined()
    }

    private static let unencoded: [UInt8: String] = [
        0x20: "%20", 0x22: "%22", 0x3c: "%3C", 0x3e: "%3E", 0x5c: "%5C", 0x60: "%60",
    ]
}
