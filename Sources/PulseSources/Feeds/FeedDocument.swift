public import Foundation
public import PulseCore
import PulseMarkup
import PulseText

/// A feed as a server sent it: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1.
public enum FeedDocument {
    /// In bytes, decompressed. The rest is ignored: feeds begin with the newest entries, and few are as long. Eight
    /// feeds are fetched at a time, so this bounds the memory of a refresh.
    public static let longest = 4 << 20
    /// In bytes, of one text.
    static let longestText = 1 << 19
    /// Including entries without a text. The rest is ignored: few feeds have more than a hundred.
    public static let mostEntries = 1000

    /// - Parameters:
    ///   - body: the decompressed body. A truncated document is read as far as it goes.
    ///   - contentType: the HTTP header.
    ///   - address: the URL after redirects. It is the base of relative URLs, and a part of ids that are only unique
    ///     within the feed.
    ///   - now: dates in the future count as missing.
    /// - Throws: `.badData` if it is no feed; the message says what it is.
    public static func parse(
        _ body: Data, contentType: String? = nil, address: String, now: Date
    ) throws(PulseError) -> FeedContents {
        let body = body.prefix(longest)
        let content = Content(body, contentType: contentType)
        guard case .feed(let text) = content else { throw PulseError(address, is: content) }
        var reading = FeedBuilder(address: address, now: now)
        let isFeed =
            text.utf8.first == UInt8(ascii: "{")
            ? FeedJSON.read(text, into: &reading) : FeedXML.read(text, into: &reading)
        guard isFeed else { throw PulseError(address, is: .other) }
        return reading.contents
    }

    /// Whether the body is a web page, which may link to feeds: see `FeedDiscovery`.
    public static func isPage(_ body: Data, contentType: String? = nil) -> Bool {
        switch Content(body.prefix(longest), contentType: contentType) {
        case .page, .login: true
        default: false
        }
    }
}

/// The kind of a document, by its beginning.
private enum Content {
    /// Decoded text, from its first visible character on.
    case feed(String)
    case page, login, empty, compressed, list, other
    /// A file that is not text, as a phrase: "an image".
    case binary(Message)

    init(_ body: Data, contentType: String?) {
        if let binary = Content.signatures.first(where: { body.starts(with: $0.bytes) }) {
            self = binary.name.isEmpty ? .compressed : .binary(binary.name)
            return
        }
        let text = Charset.decode(body, named: [Charset.name(inXML: body), contentType.flatMap(Charset.name(in:))])
        let start = text.unicodeScalars.firstIndex { !$0.properties.isWhitespace && $0 != "\u{feff}" && $0 != "\0" }
        guard let start else {
            self = .empty
            return
        }
        if text.unicodeScalars[start] == "{" {
            self = .feed(String(text[start...]))
            return
        }
        self = Content.markup(text[start...])
    }

    /// The root is the first element of a feed, because servers may print error notices or the frame of a page before
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
        return isPage ? page(text) : .other
    }

    private static func page(_ text: Substring) -> Content {
        let front = String(decoding: text.utf8.prefix(1 << 18), as: UTF8.self).lowercased()
        return ["type=\"password\"", "type='password'", "type=password"].contains(where: front.contains)
            ? .login : .page
    }

    /// The magic numbers of binary files. An empty name: gzip, from a server that compresses twice.
    private static let signatures: [(bytes: [UInt8], name: Message)] = [
        ([0x1f, 0x8b], ""), ([0x89, 0x50, 0x4e, 0x47], "an image"), ([0xff, 0xd8, 0xff], "an image"),
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
                hint: "If there was a feed before, the site has moved it or closed it.")
        case .login:
            self.init(
                .badData, "\(address) is a login page, not a feed.",
                hint: "Feeds behind a login cannot be read; some sites offer an address with a key in it.")
        case .empty: self.init(.badData, "\(address) is empty: the server sent nothing.")
        case .compressed:
            self.init(.badData, "\(address) is compressed data, not a feed: the server compresses it twice.")
        case .list:
            self.init(
                .badData, "\(address) is a list of feeds (OPML), not a feed.",
                hint: "Import it with `feeds import-opml`.")
        case .binary(let kind): self.init(.badData, "\(address) is \(kind), not a feed.")
        case .feed, .other: self.init(.badData, "\(address) is no feed: it is neither RSS nor Atom nor JSON Feed.")
        }
    }
}
