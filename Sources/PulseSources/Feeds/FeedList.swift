public import Foundation
public import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

/// A list of subscriptions in OPML, which feed readers exchange.
public struct FeedList: Sendable, Hashable {
    /// Without duplicates, in the list's order. `Feed.folder` is the path of folders; for a feed in two folders, the
    /// first.
    public var feeds: [Feed] = []
    /// Entries that cannot be followed.
    public var refused: [Refusal] = []
    /// False if the list is truncated, or was too long or too deeply nested to be read whole.
    public var isWhole = true

    public struct Refusal: Sendable, Hashable {
        /// One plain line.
        public var address: String
        /// Why, as the end of a sentence that begins with the address: "is a file of this machine".
        public var reason: Message
    }

    /// - Parameters:
    ///   - list: OPML of any feed reader.
    ///   - name: the name in errors, such as its path.
    ///   - now: when the feeds are added.
    ///   - isServed: whether an address that is not a web URL is that of a service, such as `guardian:world`.
    /// - Throws: `.badData` if it is not OPML.
    public static func parse(
        _ list: Data, name: String, now: Date, isServed: (String) -> Bool = { _ in false }
    ) throws -> FeedList {
        guard let (outlines, isWhole) = OPML.feeds(in: list) else {
            throw PulseError(
                .badData, "\(PlainText.line(name, limit: 200)) is not a list of feeds (OPML).",
                hint: "Readers write one with a command named “export” or “export subscriptions”.")
        }
        guard isWhole || !outlines.isEmpty else {
            throw PulseError(
                .badData, "\(PlainText.line(name, limit: 200)) nests folders so deeply that no feed in it can be read.",
                hint: "Look into it with an editor; readers nest folders two or three deep.")
        }
        var result = FeedList()
        result.isWhole = isWhole
        var known: Set<String> = []
        for outline in outlines {
            if let reason = refusal(of: outline, isServed) {
                let address = PlainText.line(WebURL.withoutUser(outline.address), limit: 200)
                result.refused.append(Refusal(address: address, reason: reason))
                continue
            }
            let address = web(outline.address) ?? outline.address
            guard known.insert(WebURL.identity(address) ?? address).inserted else { continue }
            result.feeds.append(
                Feed(
                    address: address, title: outline.title ?? "", site: outline.site.flatMap(ArticleURL.clean),
                    folder: outline.folder, addedAt: now))
        }
        return result
    }

    /// The web URL of a feed, without the prefixes of some readers; nil if it is none.
    private static func web(_ address: String) -> String? {
        // Google Reader's ids begin with `feed/`.
        let address = address.hasPrefix("feed/http") ? String(address.dropFirst(5)) : address
        return ArticleURL.resolve(address, base: nil).flatMap { WebAddress($0)?.text }
    }

    /// Why an entry is refused. Lists come from strangers, so nothing in one may start a program or open a file.
    private static func refusal(of outline: OPML.Outline, _ isServed: (String) -> Bool) -> Message? {
        let address = outline.address.lowercased()
        if address.hasPrefix("|") || ["exec:", "filter:"].contains(where: address.hasPrefix) || !outline.filter.isEmpty
        {
            return "is a program's output, and programs from a list are not run"
        }
        if address.hasPrefix("file:") || address.hasPrefix("/") { return "is a file of this machine" }
        if address.hasPrefix("query:") { return "is a search of newsboat, not a feed" }
        if ["+xpath", "+dotnotation"].contains(where: outline.type.contains) {
            return "is a page that FreshRSS scrapes, not a feed"
        }
        if isServed(outline.address) { return nil }
        guard web(outline.address) != nil else { return "is not an address on the web" }
        guard WebURL.hasUser(address) else { return nil }
        return
            "holds a user name or a password, which is not stored; some sites have an address with a key in it instead"
    }

    // MARK: Writing

    /// - Parameters:
    ///   - feeds: written in this order; a folder stands where its first feed does.
    ///   - title: of the list.
    /// - Returns: OPML 2.0.
    public static func opml(_ feeds: [Feed], title: String, now: Date) -> String {
        let feeds = feeds.map { (path: ($0.folder ?? "").split(separator: "/")[...], feed: $0) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
                <title>\(escaped(title))</title>
                <dateCreated>\(date(now))</dateCreated>
              </head>
              <body>
            \(lines(feeds, indent: 4).joined(separator: "\n"))
              </body>
            </opml>

            """
    }

    /// - Parameter feeds: each with the path of its folders below these lines.
    private static func lines(_ feeds: [(path: ArraySlice<Substring>, feed: Feed)], indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        let folders = Dictionary(grouping: feeds) { $0.path.first }
        var written: Set<Substring> = []
        return feeds.flatMap { path, feed -> [String] in
            guard let folder = path.first else {
                let title = escaped(feed.title)
                let site = feed.site.map { " htmlUrl=\"\(escaped($0))\"" } ?? ""
                return [
                    "\(space)<outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" "
                        + "xmlUrl=\"\(escaped(feed.address))\"\(site)/>"
                ]
            }
            guard written.insert(folder).inserted else { return [] }
            let members = folders[folder, default: []].map { (path: $0.path.dropFirst(), feed: $0.feed) }
            let name = escaped(String(folder))
            return ["\(space)<outline text=\"\(name)\" title=\"\(name)\">"]
                + lines(members, indent: indent + 2) + ["\(space)</outline>"]
        }
    }

    private static func escaped(_ text: String) -> String { PlainText.escaped(PlainText.line(text)) }

    /// RFC 822, as OPML requires.
    private static func date(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}

/// Reads lists of feeds in OPML (http://opml.org/spec2.opml), in both versions, as feed readers write them.
enum OPML {
    /// A feed in a list. Its names are plain lines; its addresses are not validated.
    struct Outline: Sendable, Hashable {
        var address: String
        /// Nil: the list gives none.
        var title: String?
        var site: String?
        /// The path of its folders, the outermost first.
        var folder: String?
        var type = ""
        /// Liferea's `filtercmd`: a program that the feed reader runs on the feed; empty for none.
        var filter = ""
    }

    /// In bytes; no list of feeds is longer.
    private static let longest = 16 << 20
    private static let mostFeeds = 20_000
    private static let longestName = 200
    /// In bytes.
    private static let longestPath = 4000

    /// The feeds of a list; of a truncated list, those before its end.
    ///
    /// - Returns: The feeds in order, with duplicates, and whether these are all; nil if the data is not OPML.
    static func feeds(in list: Data) -> (feeds: [Outline], isWhole: Bool)? {
        let isShort = list.count <= longest
        let list = list.prefix(longest)
        let text = Charset.decode(list, named: [Charset.name(inXML: list)])
        var isOPML = false
        var feeds: [Outline] = []
        // The path of folders for each open element; nil outside of folders.
        var open: [String?] = []
        let loss = XMLReader.read(text) { event in
            switch event {
            case .start(let tag):
                if open.isEmpty { isOPML = tag.name.lowercased() == "opml" }
                var folder: String?
                if tag.name.lowercased() == "outline" {
                    if var feed = feed(tag) {
                        feed.folder = open.last ?? nil
                        feeds.append(feed)
                    } else {
                        folder = name(tag["text"]) ?? name(tag["title"])
                    }
                }
                let parent = open.last ?? nil
                let path = [parent, folder].compactMap(\.self).joined(separator: "/").nonEmpty
                // Limited, because each feed stores its path.
                open.append(path.flatMap { $0.utf8.count > longestPath ? parent : $0 })
            case .end: _ = open.popLast()
            case .text: break
            }
            return isOPML && feeds.count <= mostFeeds
        }
        let isAll = isShort && !loss.isAny && feeds.count <= mostFeeds
        return isOPML ? (Array(feeds.prefix(mostFeeds)), isAll) : nil
    }

    private static func feed(_ tag: XMLTag) -> Outline? {
        let type = tag["type"]?.trimmed.lowercased() ?? ""
        // Outlines of other types link to pages and other lists.
        let address = tag["xmlUrl"] ?? (["rss", "atom", "feed"].contains(type) ? tag["url"] : nil)
        guard let address = address?.trimmed.nonEmpty else { return nil }
        return Outline(
            address: address, title: name(tag["title"]) ?? name(tag["text"]), site: tag["htmlUrl"]?.trimmed.nonEmpty,
            type: type, filter: tag["filtercmd"]?.trimmed ?? "")
    }

    private static func name(_ text: String?) -> String? {
        text.map { PlainText.line($0, limit: longestName, bytes: 4 * longestName) }?.nonEmpty
    }
}
