import Foundation
import PulseCore
import PulseMarkup
import PulseText

extension SourceKind {
    static let pocket = SourceKind(
        name: "pocket", operands: "PATH",
        summary: "what Pocket exported: a CSV file, a folder or ZIP of them, or a page",
        details: """
            Articles in the archive were read. Pocket noted when an article was saved and not when it was read, so it
            counts as read when it was saved, and is marked as an estimate. Also the page ril_export.html of earlier years.
            """,
        defaultPaths: { _ in [] },
        recognises: { probe in
            TableSchema.pocket.columns.isSubset(of: CSVReader.columns(in: probe.head))
                || probe.exportNames.contains { $0.hasPrefix("part_") && $0.hasSuffix(".csv") }
                || probe.head.firstRange(of: Data(" time_added=\"".utf8)) != nil
                    && probe.head.firstRange(of: Data("<li><a href=".utf8)) != nil
        },
        open: { path, environment throws(PulseError) in
            let files = try ExportFiles(path: path, in: environment)
            if files.names.count == 1, let file = files.all({ _ in true }).first,
                try file.open().piece().first(where: { $0 > 0x20 && $0 < 0x7f }) == UInt8(ascii: "<")
            {
                let now = environment.now
                return try RecordSource(
                    origin: "pocket", name: files.name, files: [file],
                    open: { source throws(PulseError) in try PocketPage(source) },
                    add: { entry, _, batch throws(PulseError) in
                        batch.addSaved(
                            ArticleDraft(listed: entry.url, title: entry.title, tags: entry.tags), isRead: entry.isRead,
                            savedAt: SourceTime.parse(entry.timeAdded, now: now), origin: "pocket", now: now)
                    })
            }
            return try TableSchema.pocket.source(
                "pocket", files.all { $0.hasPrefix("part_") && $0.hasSuffix(".csv") }, of: files, now: environment.now)
        })
}

/// The page `ril_export.html` ("Read It Later" was Pocket's first name): two headings, for unread and archived
/// articles, each with a list of links.
private final class PocketPage: RecordReader {
    struct Entry {
        let url: String?
        let title: String
        let tags: String?
        let timeAdded: String?
        let isRead: Bool
    }

    let name: String
    private(set) var bytes = 0
    /// The text after each `<`.
    private var parts: ArraySlice<Substring>
    private var isRead = false

    /// In bytes; a link takes 200.
    private static let longest = 64 << 20

    init(_ source: ByteStream) throws(PulseError) {
        name = source.name
        let page = String(decoding: try source.rest(limit: Self.longest), as: UTF8.self)
        parts = page.split(separator: "<")[...]
        guard parts.contains(where: { $0.hasPrefix("a ") && $0.contains("time_added=") }) else {
            throw PulseError(
                .badData, "\(name) is a page, but not one that Pocket exported: it has no links with a time_added.",
                hint: "Check the path.")
        }
    }

    func next() -> Entry? {
        while let part = parts.popFirst() {
            bytes += part.utf8.count
            let tag = part.prefix { $0 != ">" }
            let text = part.dropFirst(tag.count + 1)
            if tag == "h1" {
                isRead = text.lowercased().contains("archive")
            } else if tag.hasPrefix("a ") {
                return Entry(
                    url: attribute("href", of: tag), title: String(text), tags: attribute("tags", of: tag),
                    timeAdded: attribute("time_added", of: tag), isRead: isRead)
            }
        }
        return nil
    }

    private func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound else { return nil }
        return tag[start...].prefix { $0 != "\"" }.split(separator: "&amp;", omittingEmptySubsequences: false)
            .joined(separator: "&")
    }
}
