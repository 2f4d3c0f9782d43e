import Foundation
import PulseCore
import PulseMarkup

// The exports of read-it-later services.

/// A service's export in CSV.
struct ServiceExport: Sendable {
    /// The argument of `import`, and the origin of the articles.
    let name: String
    let program: String
    let summary: Message
    let details: Message
    /// Its file name pattern in a folder or an archive; see `ExportFiles.called`.
    var files = "*.csv"
    /// The columns by which it is recognised; all names are normalised by `CSVReader.plain`.
    let columns: Set<String>
    /// The column, and its value if an article was read.
    let read: (column: String, value: String)
    var starred: (column: String, value: String)?
    /// The column of the time of saving, or a substitute.
    let savedAt: String
    /// The column that says how much of an article was read.
    var progress: String?

    func recognises(_ probe: SourceProbe) -> Bool { columns.isSubset(of: CSVReader.columns(in: probe.head)) }

    func source(_ files: ExportFiles, now: Date) throws -> any ArticleSource {
        try RecordSource(
            origin: name, files: files, called: self.files, holding: "articles of \(program)",
            open: { source in
                let reader = try CSVReader(source)
                guard columns.isSubset(of: reader.columns.keys) else {
                    throw PulseError(
                        .badData, "\(reader.name) is not a table as \(program) exports it: \(reader.headerText).",
                        hint: "Check the path. To import it as a table of another kind: pulse-digest import csv PATH")
                }
                return reader
            },
            add: { row, _, batch in add({ row[$0] }, to: &batch, now: now) })
    }

    /// - Parameter row: the value of a column.
    fileprivate func add(_ row: (String) -> String?, to batch: inout ImportBatch, now: Date) {
        func has(_ mark: (column: String, value: String)?) -> Bool {
            guard let mark, let value = row(mark.column)?.lowercased() else { return false }
            return value == mark.value || mark.value == "true" && BooleanText.parse(value) == true
        }
        batch.addSaved(
            ArticleDraft(
                listed: row("url"), title: row("title"), tags: row("tags") ?? row("documenttags"),
                summary: row("selection") ?? row("excerpt") ?? row("description") ?? row("summary"),
                author: row("author"), source: row("publisher")),
            isRead: has(read) || progress.flatMap(row).map(Self.isFinished) ?? false, isStarred: has(starred),
            savedAt: SourceTime.parse(row(savedAt), now: now), origin: name, now: now)
    }

    /// Whether at least nine tenths were read: `0.95`, `95` or `95%`. A bare `1` is ambiguous and does not count.
    static func isFinished(_ progress: String) -> Bool {
        guard let number = Double(progress.prefix { $0 != "%" }) else { return false }
        return number >= 90 || number >= 0.9 && number <= 1 && progress.contains(".")
    }

    static let instapaper = ServiceExport(
        name: "instapaper", program: "Instapaper", summary: "the CSV file that Instapaper exports",
        details: """
            Articles in the folder Archive were read; those in Starred become bookmarks. Instapaper notes when an article
            was saved and not when it was read, so it counts as read when it was saved, and is marked as an estimate.
            """,
        columns: ["url", "title", "selection", "folder"], read: ("folder", "archive"), starred: ("folder", "starred"),
        savedAt: "timestamp")

    static let matter = ServiceExport(
        name: "matter", program: "Matter", summary: "the CSV file that Matter exports",
        details: """
            Articles marked as read, at the time of the last interaction, which is marked as an estimate; favourites become
            bookmarks.
            """,
        columns: ["title", "url", "read", "favorited", "lastinteractiondate"], read: ("read", "true"),
        starred: ("favorited", "true"), savedAt: "lastinteractiondate")

    static let pocket = ServiceExport(
        name: "pocket", program: "Pocket",
        summary: "what Pocket exported: a CSV file, a folder or ZIP of them, or a page",
        details: """
            Articles in the archive were read. Pocket noted when an article was saved and not when it was read, so it
            counts as read when it was saved, and is marked as an estimate. Also the page ril_export.html of earlier years.
            """,
        files: "part_*.csv", columns: ["title", "url", "timeadded", "status"], read: ("status", "archive"),
        savedAt: "timeadded")

    static let readwise = ServiceExport(
        name: "readwise", program: "Readwise Reader", summary: "the CSV file that Readwise Reader exports",
        details: """
            Articles in the archive, and those read to nine tenths or more. Reader does not export when they were read, so
            they count as read when they were saved, and are marked as an estimate.
            """,
        columns: ["title", "url", "saveddate", "readingprogress", "location"], read: ("location", "archive"),
        savedAt: "saveddate", progress: "readingprogress")
}

extension SourceKind {
    static func table(_ table: ServiceExport) -> SourceKind {
        SourceKind(
            name: table.name, operands: "PATH", summary: table.summary, details: table.details,
            recognises: { table.recognises($0) },
            open: { path, environment in
                try table.source(try ExportFiles(path: path, in: environment), now: environment.now)
            })
    }

    static let pocket: SourceKind = {
        let table = ServiceExport.pocket
        return SourceKind(
            name: table.name, operands: "PATH", summary: table.summary, details: table.details,
            recognises: { probe in
                table.recognises(probe) || probe.exportNames.contains { ExportFiles.isCalled($0, table.files) }
                    || probe.head(has: " time_added=\"") && probe.head(has: "<li><a href=")
            },
            open: { path, environment in
                let files = try ExportFiles(path: path, in: environment)
                let now = environment.now
                let first = try files.only?().piece().first { $0 > 0x20 && $0 < 0x7f }
                guard first == UInt8(ascii: "<") else { return try table.source(files, now: now) }
                return try RecordSource(
                    origin: table.name, files: files, called: "*", holding: "articles of \(table.program)",
                    open: { source in
                        try LinkPage(source, with: " time_added=") {
                            "\($0) is a page, but not one that Pocket exported: it has no links with a time_added."
                        }
                    },
                    add: { link, _, batch in table.add({ link[$0] }, to: &batch, now: now) })
            })
    }()

    static let bookmarks = SourceKind(
        name: "bookmarks", operands: "PATH",
        summary: "the page bookmarks.html that browsers, Raindrop and linkding export",
        details: "Its links to the web become bookmarks, saved when they were added to it. None counts as read.",
        recognises: { $0.head(has: LinkPage.bookmarks) },
        open: { path, environment in
            let now = environment.now
            return try RecordSource(
                origin: "bookmarks", files: try ExportFiles(path: path, in: environment), called: "*.html",
                holding: "pages of bookmarks",
                open: { source in
                    try LinkPage(source, with: LinkPage.bookmarks) {
                        "\($0) is not a page of bookmarks as browsers export it."
                    }
                },
                add: { link, _, batch in
                    // Folders, settings and scripts have addresses of other schemes.
                    guard ArticleURL.isAbsolute(link["url"] ?? "") else { return }
                    batch.addSaved(
                        ArticleDraft(listed: link["url"], title: link["title"], tags: link["tags"]), isRead: false,
                        isStarred: true, savedAt: SourceTime.parse(link["timeadded"], now: now), origin: "bookmarks",
                        now: now)
                })
        })

    static let omnivore = SourceKind(
        name: "omnivore", operands: "PATH", summary: "the ZIP archive or folder that Omnivore exported",
        details: """
            Articles in the archive, and those read to nine tenths or more, with their texts. Omnivore notes when an
            article was last changed, which is taken for the time of reading and marked as an estimate.
            """,
        recognises: { probe in
            probe.exportNames.contains { ExportFiles.isCalled($0, "metadata*.json") }
                || probe.isJSON && probe.head(has: "\"readingProgress\"") && probe.head(has: "\"slug\"")
        },
        open: { path, environment in
            let now = environment.now
            let files = try ExportFiles(path: path, in: environment)
            return try JSONRecords.source(
                "omnivore", files, called: "metadata*.json", holding: "articles of Omnivore",
                fits: { $0.has("slug") && $0.has("url") }
            ) { object, _, _, batch in
                var draft = ArticleDraft(
                    listed: object.text("url"), title: object.text("title"),
                    tags: object.texts("labels").joined(separator: " "), summary: object.text("description"),
                    author: object.text("author"), source: object.text("siteName"))
                draft.publishedAt = SourceTime.parse(object.text("publishedAt"), now: now)
                let isRead =
                    object.text("state")?.lowercased() == "archived" || object.number("readingProgress") ?? 0 >= 90
                if isRead, let slug = object.text("slug"), let file = files.member("content/\(slug).html") {
                    draft.content = String(decoding: try file().rest(limit: 64 << 20), as: UTF8.self)
                    draft.contentForm = .html
                }
                batch.addSaved(
                    draft, isRead: isRead, isStarred: object.texts("labels").contains("Favorites"),
                    savedAt: SourceTime.parse(object.text("updatedAt") ?? object.text("savedAt"), now: now),
                    origin: "omnivore", now: now)
            }
        })

    static let wallabag = SourceKind(
        name: "wallabag", operands: "PATH", summary: "the JSON file that wallabag exports",
        details: """
            Archived articles, with their texts, at the time when they were archived; where an old version did not note that,
            at the last change, marked as an estimate. Starred articles become bookmarks.
            """,
        recognises: { $0.isJSON && $0.head(has: "\"is_archived\"") },
        open: { path, environment in
            let now = environment.now
            return try JSONRecords.source(
                "wallabag", try ExportFiles(path: path, in: environment), called: "*.json",
                holding: "entries of wallabag", fits: { $0.has("is_archived") }
            ) { object, _, _, batch in
                var draft = ArticleDraft(
                    listed: object.text("url"), title: object.text("title"),
                    tags: object.texts("tags").joined(separator: " "), author: object.texts("published_by").first,
                    source: object.text("domain_name"))
                let text = object.text("content") ?? ""
                // Stored in place of a page that could not be fetched, perhaps with the page's description.
                if HTMLText.line(String(text.prefix(100))).hasPrefix("wallabag can't retrieve contents") {
                    let description = text.firstRange(of: "we found a short description:")?.upperBound
                    draft.summary = description.map { String(text[$0...]) } ?? ""
                    if draft.title.isEmpty || draft.title == "No title found", let url = draft.url {
                        draft.title = ArticleDraft.title(ofAddress: url)
                    }
                } else {
                    draft.content = text
                }
                draft.contentForm = .html
                draft.language = object.text("language")
                draft.publishedAt = SourceTime.parse(object.text("published_at"), now: now)
                batch.addSaved(
                    draft, isRead: object.flag("is_archived") ?? false, isStarred: object.flag("is_starred") ?? false,
                    readAt: SourceTime.parse(object.text("archived_at"), now: now),
                    savedAt: SourceTime.parse(object.text("updated_at") ?? object.text("created_at"), now: now),
                    starredAt: SourceTime.parse(object.text("starred_at"), now: now), origin: "wallabag", now: now)
            }
        })
}

/// A page of links: `ril_export.html` ("Read It Later" was Pocket's first name), with two headings, for unread and
/// archived articles; or bookmarks. A record has the columns of Pocket's table.
private final class LinkPage: RecordReader {
    /// In the first line of every browser's bookmarks, as Netscape wrote it.
    static let bookmarks = "NETSCAPE-Bookmark-file-1"

    let name: String
    private(set) var bytes = 0
    /// The text after each `<`.
    private var parts: ArraySlice<Substring>
    private var status = "unread"

    /// In bytes; a link takes 200.
    private static let longest = 64 << 20
    private static let columns = [
        "href=": "url", "tags=": "tags", "time_added=": "timeadded", "add_date=": "timeadded",
    ]

    /// - Parameters:
    ///   - mark: what such a page has.
    ///   - complaint: says that a file, named by its argument, has it not.
    init(_ source: ByteStream, with mark: String, otherwise complaint: (String) -> Message) throws {
        name = source.name
        let page = String(decoding: try source.rest(limit: Self.longest), as: UTF8.self)
        parts = page.split(separator: "<")[...]
        guard page.contains(mark) else { throw PulseError(.badData, complaint(name), hint: "Check the path.") }
    }

    func next() -> [String: String]? {
        while let part = parts.popFirst() {
            bytes += part.utf8.count
            let tag = part.prefix { $0 != ">" }
            let text = part.dropFirst(tag.count + 1)
            if tag == "h1" {
                status = text.lowercased().contains("archive") ? "archive" : "unread"
            } else if tag.prefix(2).lowercased() == "a " {
                var link = ["title": String(text), "status": status]
                // Names and values in turn.
                let pieces = tag.split(separator: "\"", omittingEmptySubsequences: false)
                for index in stride(from: 0, to: pieces.count - 1, by: 2) {
                    let name = pieces[index].split(separator: " ").last?.lowercased() ?? ""
                    guard let column = Self.columns[name] else { continue }
                    link[column] = String(pieces[index + 1]).replacing("&amp;", with: "&")
                }
                return link
            }
        }
        return nil
    }
}
