public import PulseCore
import PulseText

public import struct Foundation.Date
public import struct Foundation.TimeZone

/// An Atom feed of digests (RFC 4287): an entry for each day and each week, the latest first.
///
/// It reads its own output as lines, not as XML: every element of the feed and of an entry begins a line, and no text
/// can look like one, because `<` is escaped.
public struct AtomFeed: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var lines: [String]

        var id: String? { lines.first { $0.hasPrefix("<id>") } }
        var updated: String? { lines.first { $0.hasPrefix("<updated>") } }
    }

    /// `urn:uuid:…`
    private let id: String
    private var entries: [Entry]

    /// Thirty days; readers fetch a feed whole.
    static let mostEntries = 30

    /// - Parameter name: identifies the feed, and is the same on each run.
    public init(named name: String) {
        id = AtomFeed.identifier(name)
        entries = []
    }

    /// Parses this type's own output; nil for anything else.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 6, lines[0] == AtomFeed.declaration, lines[1].hasPrefix(AtomFeed.start),
            lines[2] == AtomFeed.generator, lines[3].hasPrefix("<id>urn:uuid:"), lines[3].hasSuffix("</id>"),
            lines.suffix(2) == ["</feed>", ""]
        else { return nil }
        id = String(lines[3].dropFirst("<id>".count).dropLast("</id>".count))
        entries = []
        var rest = lines.dropFirst(4).dropLast(2).drop { !$0.hasPrefix("<entry") }
        while !rest.isEmpty {
            guard rest.first?.hasPrefix("<entry") == true, let end = rest.firstIndex(of: "</entry>") else { return nil }
            let entry = Entry(lines: Array(rest[...end]))
            guard entry.id != nil, entry.updated != nil else { return nil }
            entries.append(entry)
            rest = rest[(end + 1)...]
        }
    }

    /// Adds a digest, replacing an earlier one of the same day or week. One that says the same changes nothing.
    public mutating func add(_ digest: Digest, timeZone: TimeZone) {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let day = Day(digest.date, in: timeZone).text
        let markup: HTML = """
            <entry xml:lang="\(digest.language.rawValue)">
            <id>\(AtomFeed.identifier(id + " " + (digest.isWeek ? "week to " : "") + day))</id>
            <title>\(outline.title)</title>
            <updated>\(digest.date.formatted(.iso8601))</updated>
            <content type="html">\(DigestHTML.content(outline).source)</content>
            </entry>
            """
        let entry = Entry(
            lines: markup.source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        if let index = entries.firstIndex(where: { $0.id == entry.id }) {
            func said(_ entry: Entry) -> [String] { entry.lines.filter { $0 != entry.updated } }
            guard said(entries[index]) != said(entry) else { return }
            entries.remove(at: index)
        }
        // Times in UTC sort as strings.
        let index = entries.firstIndex { ($0.updated ?? "") < (entry.updated ?? "") } ?? entries.endIndex
        entries.insert(entry, at: index)
        entries = Array(entries.prefix(AtomFeed.mostEntries))
    }

    /// - Parameter language: the language of the feed's title.
    public func text(in language: Language) -> String {
        let head: HTML = """
            <title>\(language.phrases.archive)</title>
            <author><name>pulse-digest</name></author>
            """
        let top = [
            AtomFeed.declaration, AtomFeed.start + " xml:lang=\"\(language.rawValue)\">", AtomFeed.generator,
            "<id>\(id)</id>", head.source,
        ]
        let updated = entries.first?.updated.map { [$0] } ?? []
        return (top + updated + entries.flatMap(\.lines) + ["</feed>", ""]).joined(separator: "\n")
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
    private static let start = "<feed xmlns=\"http://www.w3.org/2005/Atom\""
    private static let generator = "<generator>pulse-digest</generator>"

    /// A UUID of version 8, whose bits the application defines (RFC 9562, section 5.8): a hash of a name.
    private static func identifier(_ name: String) -> String {
        var digits = Array(ShortHash.of(name) + ShortHash.of("pulse-digest " + name))
        digits[12] = "8"
        // The variant bits, 10, and two bits of the hash.
        digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) % 4]
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}
