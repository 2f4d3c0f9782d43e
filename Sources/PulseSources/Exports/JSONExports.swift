import Foundation
import PulseCore
import PulseMarkup
import PulseText

extension SourceKind {
    static let greader = SourceKind(
        name: "greader", operands: "PATH", summary: "an export in Google Reader's shape, such as FreshRSS's",
        details: """
            A JSON file, or the ZIP archive that FreshRSS exports, of FreshRSS, Inoreader and others. It tells which
            articles were read and not when: at the first import they count as read when they were published, and later
            when an import first finds them read. Starred articles become bookmarks.
            """,
        defaultPaths: { _ in [] },
        recognises: { probe in
            if !probe.isJSON { return probe.exportNames.contains { $0.hasPrefix("feed_") && $0.hasSuffix(".json") } }
            return probe.head(has: "\"items\"")
                && ["\"timestampUsec\"", "\"crawlTimeMsec\"", "com.google"].contains(where: probe.head(has:))
        },
        open: { path, environment throws(PulseError) in
            let now = environment.now
            let files = try ExportFiles(path: path, in: environment)
            let wanted = files.all { $0.hasSuffix(".json") }
            // What was imported from one account says nothing about another.
            let account = path == "-" ? nil : try wanted.first.flatMap(SourceKind.account)
            let origin = account.map { "greader:" + $0 } ?? "greader"
            return try objects(
                origin, of: "entries of Google Reader", files.name, wanted,
                fits: { entry in
                    ["alternate", "canonical", "categories", "origin"].contains(where: entry.keys.contains)
                }
            ) { _, object, previousImport, batch in
                batch.add(GReaderItem(object, now: now), previousImport: previousImport, origin: origin, now: now)
            }
        })

    static let json = SourceKind(
        name: "json", operands: "[PATH|-]", summary: "an array of articles, or an object with one",
        details: """
            The keys are known by their names, such as title, url, link, date, read_at; others with
            --map title=headline. Without a time of reading, an article counts as read when it was saved or published.
            """,
        defaultPaths: { _ in ["-"] },
        recognises: { probe in
            // A single object is JSON Lines.
            guard probe.isJSON, probe.head.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else { return false }
            return ![SourceKind.greader, .omnivore, .wallabag].contains { $0.recognises(probe) }
        },
        open: { path, environment throws(PulseError) in
            let fields = try ArticleFields(columns: environment.columns)
            let now = environment.now
            let files = try ExportFiles(path: path, in: environment)
            return try objects(
                "json", of: "articles", files.name, try files.all(of: "articles") { $0.hasSuffix(".json") },
                fits: { fields.fits(Set($0.keys.map(CSVReader.plain))) }
            ) { record, object, _, batch in
                let values = object.plainTexts
                fields.add(line: record.line, origin: "json", now: now, to: &batch) { values[$0] }
            }
        })

    static let omnivore = SourceKind(
        name: "omnivore", operands: "PATH", summary: "the ZIP archive or folder that Omnivore exported",
        details: """
            Articles in the archive, and those read to nine tenths or more, with their texts. Omnivore notes when an
            article was last changed, which is taken for the time of reading and marked as an estimate.
            """,
        defaultPaths: { _ in [] },
        recognises: { probe in
            probe.exportNames.contains(where: isOmnivoreList)
                || probe.isJSON && probe.head(has: "\"readingProgress\"") && probe.head(has: "\"slug\"")
        },
        open: { path, environment throws(PulseError) in
            let files = try ExportFiles(path: path, in: environment)
            let now = environment.now
            return try objects(
                "omnivore", of: "articles of Omnivore", files.name,
                try files.all(of: "articles of Omnivore", isOmnivoreList),
                fits: { $0.keys.contains("slug") && $0.keys.contains("url") }
            ) { _, object, _, batch throws(PulseError) in
                var draft = ArticleDraft(
                    listed: object.text("url"), title: object.text("title"),
                    tags: object.texts("labels").joined(separator: " "), summary: object.text("description"),
                    author: object.text("author"), source: object.text("siteName"))
                draft.publishedAt = SourceTime.parse(object.text("publishedAt"), now: now)
                let isRead =
                    object.text("state")?.lowercased() == "archived" || object.number("readingProgress") ?? 0 >= 90
                if isRead, let slug = object.text("slug"), let file = files.member("content/\(slug).html") {
                    draft.content = String(decoding: try file.open().rest(limit: 64 << 20), as: UTF8.self)
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
        defaultPaths: { _ in [] },
        recognises: { $0.isJSON && $0.head(has: "\"is_archived\"") },
        open: { path, environment throws(PulseError) in
            let now = environment.now
            let files = try ExportFiles(path: path, in: environment)
            return try objects(
                "wallabag", of: "entries of wallabag", files.name,
                try files.all(of: "entries of wallabag") { $0.hasSuffix(".json") },
                fits: { $0.keys.contains("is_archived") }
            ) { _, object, _, batch in
                let url = object.text("url")
                var draft = ArticleDraft(
                    listed: url, title: object.text("title"), tags: object.texts("tags").joined(separator: " "),
                    author: object.texts("published_by").first, source: object.text("domain_name"))
                draft.content = object.text("content") ?? ""
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

    /// `metadata_0_to_20.json`
    private static func isOmnivoreList(_ name: String) -> Bool { name.hasPrefix("metadata") && name.hasSuffix(".json") }

    /// A source whose records are JSON objects. An invalid one is reported as a bad line.
    /// - Parameters:
    ///   - program: the contents in errors, such as `entries of wallabag`.
    ///   - fits: whether the first object is the program's.
    private static func objects(
        _ origin: String, of program: Message, _ name: String, _ files: [ExportFiles.File],
        fits: @escaping (JSONObject) -> Bool,
        add: @escaping (JSONRecords.Record, JSONObject, Date?, inout ImportBatch) throws(PulseError) -> Void
    ) throws(PulseError) -> any ArticleSource {
        try RecordSource(
            origin: origin, name: name, files: files, open: { JSONRecords($0, of: program, fits: fits) },
            add: { record, previousImport, batch throws(PulseError) in
                guard let object = record.object else {
                    batch.badLines.append(LineError(line: record.line, reason: "it is not valid JSON"))
                    return
                }
                try add(record, object, previousImport, &batch)
            })
    }

    /// `alice` of `user/alice/state/org.freshrss/feed`; nil if the export has `-` or a number, which name no account.
    private static func account(_ file: ExportFiles.File) throws(PulseError) -> String? {
        let head = String(decoding: try file.open().piece().prefix(1000), as: UTF8.self)
        let parts = head.split(separator: "/").map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }
        guard parts.count > 2, parts[0].hasSuffix("\"user"), parts[2] == "state" else { return nil }
        let name = String(parts[1]).excerpt
        return name.contains(where: \.isLetter) ? name : nil
    }
}

extension ImportBatch {
    fileprivate mutating func add(_ item: GReaderItem, previousImport: Date?, origin: String, now: Date) {
        if item.isStarred { add(star: item.draft, savedAt: nil) }
        guard item.isRead else {
            unread += 1
            return
        }
        let readAt = Self.approximateTime(
            published: item.draft.publishedAt ?? item.arrivedAt, previousImport: previousImport, now: now)
        add(item.draft, readAt: readAt, isExact: false, origin: origin)
    }
}

extension SourceProbe {
    fileprivate var isJSON: Bool {
        head.first { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) }
            .map { [UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) } ?? false
    }

    fileprivate func head(has text: String) -> Bool { head.firstRange(of: Data(text.utf8)) != nil }

    /// The names of the files in a folder, or in a ZIP archive without their folders.
    var exportNames: [String] {
        if isFolder { return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        guard head.starts(with: [0x50, 0x4b, 3, 4]), let archive = try? ZIPArchive(path: path) else { return [] }
        return archive.members.map { String($0.name.split(separator: "/").last ?? "") }
    }
}

extension JSONObject {
    /// The text under each key, by the key's normalised name (`CSVReader.plain`): an object's name, title or text, and
    /// an array's first element.
    fileprivate var plainTexts: [String: String] {
        var texts: [String: String] = [:]
        for key in keys {
            let inner = object(key) ?? objects(key).first
            let text =
                text(key) ?? self.texts(key).first
                ?? inner.flatMap { inner in
                    ["title", "name", "content", "html", "text", "href", "url"].lazy.compactMap { inner.text($0) }.first
                }
            if let text { texts[CSVReader.plain(key)] = text }
        }
        return texts
    }
}
