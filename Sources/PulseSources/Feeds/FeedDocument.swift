public import Foundation
public import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

/// A feed as a server sent it: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1.
public enum FeedDocument {
    /// In bytes, decompressed. The rest is ignored: feeds begin with the newest entries, and few are as long. Eight
    /// feeds are fetched at a time, so this bounds the memory of a refresh.
    public static let longest = 4 << 20
    /// In bytes, per text.
    static let longestText = 1 << 19
    /// Including entries without a text. The rest is ignored: few feeds have more than a hundred.
    public static let mostEntries = 1000

    /// - Parameters:
    ///   - body: the body. A truncated document is read as far as it goes.
    ///   - contentType: the HTTP header.
    ///   - address: the URL after redirects. It is the base of relative URLs, and a part of ids that are only unique
    ///     within the feed.
    ///   - now: dates in the future count as missing.
    ///   - patience: the CPU time, so that no feed blocks the others. The longest feed takes a second; after this time,
    ///     the rest is ignored.
    /// - Throws: `.badData` if it is not a feed, with what it is.
    public static func parse(
        _ body: Data, contentType: String? = nil, address: String, now: Date, within patience: Duration = .seconds(5)
    ) throws -> FeedContents {
        let content = Content(body, contentType: contentType)
        guard case .feed(let text) = content else { throw PulseError(address, is: content) }
        var builder = FeedBuilder(address: address, now: now, patience: patience)
        let isFeed =
            text.utf8.first == UInt8(ascii: "{")
            ? FeedJSON.read(text, into: &builder) : FeedXML.read(text, into: &builder)
        guard isFeed else { throw PulseError(address, is: .other) }
        return builder.contents
    }

    /// Whether the body is a web page, which may link to feeds: see `FeedDiscovery`.
    public static func isPage(_ body: Data, contentType: String? = nil) -> Bool {
        switch Content(body, contentType: contentType) {
        case .page, .login: true
        default: false
        }
    }
}

/// The kind of a document, by its beginning.
private enum Content {
    /// Decoded text, from its first visible character on.
    case feed(String)
    case page, login, empty, list, other
    case compressed(isTwice: Bool)
    /// A file that is not text, as a phrase: "an image".
    case binary(Message)

    init(_ body: Data, contentType: String?) {
        let isPacked = body.starts(with: Inflater.gzip)
        let body = Inflater.unpacked(body, limit: FeedDocument.longest)
        if isPacked, body.isEmpty || body.starts(with: Inflater.gzip) {
            self = .compressed(isTwice: !body.isEmpty)
            return
        }
        if let binary = Content.signatures.first(where: { body.starts(with: $0.bytes) }) {
            self = .binary(binary.name)
            return
        }
        let text = Charset.decode(body, named: [Charset.name(inXML: body), contentType.flatMap(Charset.name(in:))])
        let start = text.unicodeScalars.firstIndex { !$0.properties.isWhitespace && $0 != "\u{feff}" && $0 != "\0" }
        guard let start else {
            self = .empty
            return
        }
        let isJSON = text.unicodeScalars[start] == "{"
        self = isJSON ? .feed(String(text[start...])) : Content.markup(text[start...])
    }

    /// A feed begins at its first known element, because servers may print error notices or the frame of a page before
    /// it.
    private static func markup(_ text: Substring) -> Content {
        let front = text.utf8.prefix(1 << 16)
        var index = front.startIndex
        var isPage = false
        while let start = front[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = front.index(after: start)
            let tag = String(Substring(front[index...].prefix(200))).prefix { $0 != ">" }.lowercased()
            let name = tag.prefix { $0.isLetter || $0 == ":" }.split(separator: ":").last.map(String.init) ?? ""
            switch name {
            case "rss", "feed":
                if !isPage || tag.contains("xmlns") || tag.contains("version") { return .feed(String(text[start...])) }
            case "rdf", "channel": if !isPage { return .feed(String(text[start...])) }
            case "html", "head", "body": isPage = true
            case "opml": if !isPage { return .list }
            default: if tag.hasPrefix("!doctype html") { isPage = true }
            }
        }
        guard isPage else { return .other }
        let page = String(decoding: text.utf8.prefix(1 << 18), as: UTF8.self).lowercased()
        return ["type=\"password\"", "type='password'", "type=password"].contains(where: page.contains)
            ? .login : .page
    }

    private static let signatures: [(bytes: [UInt8], name: Message)] = [
        ([0x89, 0x50, 0x4e, 0x47], "an image"), ([0xff, 0xd8, 0xff], "an image"),
        (Array("GIF8".utf8), "an image"), (Array("RIFF".utf8), "an image or a sound"), (Array("%PDF".utf8), "a PDF"),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"), (Array("ID3".utf8), "a sound"), (Array("OggS".utf8), "a sound"),
    ]
}

extension PulseError {
    fileprivate init(_ address: String, is content: Content) {
        let address = PlainText.line(address, limit: 200)
        switch content {
        case .page:
            self.init(
                .badData, "\(address) is a web page, not a feed.",
                hint: "Look on it for a link to its feed, such as “RSS”, and follow that: pulse-digest feeds add URL")
        case .login:
            self.init(
                .badData, "\(address) is a login page, not a feed.",
                hint: "Feeds behind a login cannot be read; some sites offer an address with a key in it.")
        case .empty: self.init(.badData, "\(address) is empty: the server sent nothing.")
        case .compressed(isTwice: true):
            self.init(.badData, "\(address) is compressed data, not a feed: the server compresses it twice.")
        case .compressed:
            self.init(.badData, "\(address) is damaged: it is compressed data that cannot be unpacked.")
        case .list:
            self.init(
                .badData, "\(address) is a list of feeds (OPML), not a feed.",
                hint: "To follow its feeds: pulse-digest feeds import-opml FILE")
        case .binary(let kind): self.init(.badData, "\(address) is \(kind), not a feed.")
        case .feed, .other: self.init(.badData, "\(address) is not a feed: it is neither RSS nor Atom nor JSON Feed.")
        }
    }
}

/// Builds a feed's contents from the values that a parser adds.
struct FeedBuilder {
    let address: String
    let now: Date
    var title: TextConstruct?
    var site: String?
    var language: String?
    /// The feed's authors, for entries without one.
    var authors: [String] = []
    /// RSS's `ttl`, in minutes.
    var minutes: Double?
    /// http://purl.org/rss/1.0/modules/syndication: `hourly` to `yearly`, and how often in that time.
    var period: String?
    var frequency: Double?

    private var interval: Double? {
        let periods = [
            "hourly": 3600.0, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000,
        ]
        let seconds = period.flatMap { periods[$0.lowercased()] }.map { $0 / max(frequency ?? 1, 1) }
        return [minutes.map { $0 * 60 }, seconds].compactMap(\.self).filter { $0 > 0 }.max()
    }

    /// Whether a limit ended parsing.
    var isCut = false
    var isTruncated = false
    private var entries: [Article] = []
    private var skipped = 0
    /// The number of entries with a text that was cut.
    private var shortened = 0

    init(address: String, now: Date, patience: Duration) {
        self.address = address
        self.now = now
        end = ThreadTime.now + patience
    }

    private var isFull: Bool { entries.count + skipped >= FeedDocument.mostEntries }
    private let end: Duration
    private var isLate = false
    private var steps = 0

    /// Whether parsing stops before the document's end.
    var isEnded: Bool { isFull || isLate }

    /// Whether to go on. Called after each step.
    mutating func goesOn() -> Bool {
        steps += 1
        if steps.isMultiple(of: 256) { askTime() }
        return !isEnded
    }

    private mutating func askTime() { isLate = isLate || ThreadTime.now >= end }

    mutating func add(_ entry: FeedEntry) {
        guard !isEnded else { return }
        defer { askTime() }
        guard let article = entry.article(of: self) else {
            skipped += 1
            return
        }
        entries.append(article)
        if entry.isCut { shortened += 1 }
    }

    /// Removes the last entry if the document ends inside of its address: the next refresh, with the whole address,
    /// would take it for another entry.
    /// - Parameter text: what follows the last tag.
    mutating func removeLast(withAddress text: String) {
        guard let last = entries.last, !text.isEmpty else { return }
        if last.url == text || last.id.hasSuffix(text) { entries.removeLast() }
    }

    /// The entries, with unique ids. An id that different entries share is replaced by the URL, or else the title.
    /// Equal entries count once.
    private var distinct: [Article] {
        let shared = Dictionary(grouping: entries, by: \.id).filter { _, owners in
            owners.count > 1 && (Set(owners.map(\.title)).count > 1 || Set(owners.map(\.url)).count > 1)
        }
        let links = Dictionary(grouping: entries, by: \.url).mapValues { Set($0.map(\.title)).count }
        var taken: Set<String> = []
        return entries.compactMap { entry in
            var entry = entry
            if shared[entry.id] != nil {
                entry.id =
                    entry.url.flatMap { links[$0] == 1 ? $0 : nil }
                    ?? ArticleDraft.identifier(guid: ShortHash.of(entry.title), feed: address, url: nil)
            }
            return taken.insert(entry.id).inserted ? entry : nil
        }
    }

    /// The contents. Entries inherit the feed's language and author.
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
            title: title, site: site, entries: entries, skipped: skipped, interval: interval, cuts: cuts,
            isTruncated: isTruncated)
    }

    private var cuts: [Message] {
        let limit = "\(FeedDocument.longestText >> 10) KiB"
        let texts: [Message] =
            switch shortened {
            case 0: []
            case 1: ["One text is longer than \(limit), and was cut there."]
            default: ["\(shortened) texts are longer than \(limit), and were cut there."]
            }
        if isLate { return texts + ["Only its beginning was read: to read the rest takes too long."] }
        return isCut ? texts + ["Only its beginning was read: the rest does not look like a feed."] : texts
    }
}

/// A feed's text and its format, named as in Atom (RFC 4287, section 3.1).
struct TextConstruct {
    enum Form {
        /// Every character is literal.
        case plain
        /// Plain text by the specification, but publishers put HTML into it. A tag is markup only if no text can be
        /// lost, as in `<b>news</b>`; `The <select> element` is kept. References are decoded.
        case loose
        /// HTML, if it looks like HTML.
        case html
    }

    var text: String
    var form = Form.html

    /// The text as HTML.
    var markup: String {
        switch form {
        case .plain: PlainText.escaped(text)
        case .loose where !HTMLText.isMarkup(text): text.replacing("<", with: "&lt;")
        case .loose, .html: text
        }
    }
}

struct FeedEntry {
    var guid: String?
    /// Absolute.
    var link: String?
    var title: TextConstruct?
    var summary: TextConstruct?
    var content: TextConstruct?
    var authors: [String] = []
    var categories: [String] = []
    /// The name of the feed that it was copied from. It is unverified, and shown only as the author.
    var source: TextConstruct?
    /// Whether a text was too long and was cut.
    var isCut = false
    var language: String?
    var publishedAt: Date?
    /// The date as written, which helps to identify entries without a guid.
    var date = ""

    var hasMedia = false

    /// Nil if there is nothing to read: no text, or only the title of audio or video.
    func article(of feed: FeedBuilder) -> Article? {
        let text = content ?? summary
        if hasMedia, text?.text.trimmed.isEmpty ?? true { return nil }
        let key = title?.text.trimmed.nonEmpty.map { $0 + "\n" + date } ?? text?.text ?? ""
        guard guid != nil || link != nil || !key.trimmed.isEmpty else { return nil }
        let guid = guid ?? (link == nil ? ShortHash.of(key) : nil)
        var draft = ArticleDraft(
            id: guid.map { ArticleDraft.identifier(guid: $0, feed: feed.address, url: link) }, url: link,
            title: title?.markup ?? "", summary: content == nil ? "" : summary?.markup ?? "",
            content: (text?.form == .plain ? text?.text : text?.markup) ?? "",
            contentForm: text?.form == .plain ? .plain : .unknown,
            author: FeedEntry.author(authors) ?? source?.markup, category: category, language: language,
            publishedAt: publishedAt)
        if title?.form == .html { draft.titleForm = .html }
        guard var article = (try? draft.article()) ?? picture(draft) else { return nil }
        // Some feeds repeat the text as a summary.
        if article.summary == article.content { article.summary = "" }
        return article
    }

    /// The article of an entry with neither title nor text, such as a picture: its URL is the title.
    private func picture(_ draft: ArticleDraft) -> Article? {
        guard let link else { return nil }
        var draft = draft
        draft.title = ArticleDraft.title(ofAddress: link)
        return try? draft.article()
    }

    /// The most authors and categories that are kept of an entry in XML.
    static let mostAuthors = 20
    private static let mostCategories = 50

    mutating func add(category: String) {
        if categories.count < Self.mostCategories { categories.append(category) }
    }

    /// A known category among the tags, else the first meaningful tag.
    private var category: String? {
        let names = categories.map(\.trimmed).filter { !$0.isEmpty && !$0.contains("://") }
        return names.first { PulseCore.Category.known.contains(PulseCore.Category($0)) }
            ?? names.first { !ArticleDraft.isNoCategory($0) }
    }

    /// The first five names without duplicates, in one line.
    static func author(_ names: [String]) -> String? {
        var seen: Set<String> = []
        let names = names.compactMap(person).filter { seen.insert($0).inserted }
        return names.prefix(5).joined(separator: ", ").nonEmpty
    }

    /// `Ana` from `ana@herald.example (Ana)` or `Ana <ana@herald.example>`; nil from a bare address.
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
