import Foundation
import PulseCore
import PulseMarkup
import PulseText

extension SourceKind {
    static let csv = SourceKind(
        name: "csv", operands: "[PATH|-]", summary: "a table of articles, one a line, with a header",
        details: """
            The columns are known by their names, such as Title, URL, Link, Date, Read at; others with
            --map title=Headline. Commas, semicolons or tabs. Without a time of reading, an article counts as read
            when it was saved or published.
            """,
        defaultPaths: { _ in ["-"] },
        recognises: { probe in ArticleFields(columns: [:]).fits(CSVReader.columns(in: probe.head)) },
        isOfAnyProgram: true,
        open: { path, environment in
            let fields = ArticleFields(columns: environment.columns)
            let now = environment.now
            return try RecordSource(
                origin: "csv", files: try ExportFiles(path: path, in: environment), called: "*.csv",
                holding: "articles",
                open: { source in
                    let reader = try CSVReader(source)
                    try reader.check(fields)
                    return reader
                },
                add: { row, _, batch in
                    fields.add(line: row.line, origin: "csv", now: now, to: &batch, spelled: { row.spelled($0) }) {
                        row[$0]
                    }
                })
        })

    static let json = SourceKind(
        name: "json", operands: "[PATH|-]", summary: "an array of articles, or an object with one",
        details: """
            The keys are known by their names, such as title, url, link, date, read_at; others with
            --map title=headline. Without a time of reading, an article counts as read when it was saved or published.
            """,
        defaultPaths: { _ in ["-"] },
        recognises: { probe in
            guard probe.isJSON else { return false }
            if probe.head.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") { return true }
            // Another object is JSON Lines, and the entries of a feed are not read yet.
            let fields = ArticleFields(columns: [:])
            return !probe.head(has: "jsonfeed.org")
                && JSONRecords.isContainer(probe.head) { fields.fits(Set($0.keys.map(CSVReader.plain))) }
        },
        isOfAnyProgram: true,
        open: { path, environment in
            let fields = ArticleFields(columns: environment.columns)
            let now = environment.now
            return try JSONRecords.source(
                "json", try ExportFiles(path: path, in: environment), called: "*.json", holding: "articles",
                fits: { fields.fits(Set($0.keys.map(CSVReader.plain))) }
            ) { object, line, _, batch in
                let values = object.plainTexts
                fields.add(line: line, origin: "json", now: now, to: &batch) { values[$0] }
            }
        })
}

/// Maps the columns of a table, or the keys of an object, to the fields of an article: as the user said, else by
/// synonyms.
struct ArticleFields {
    /// The normalised names that may hold each field, the likeliest first.
    private let names: [String: [String]]
    /// The user's mapping, by field, as written.
    let mapped: [String: String]

    /// Other programs' names of each field, read from `Lists/field-names.txt`.
    private static let synonyms = Dictionary(
        uniqueKeysWithValues: EmbeddedLists.phrases(PackageResources.field_names_txt).map { (String($0), $1) })

    /// - Parameter columns: the user's mapping, by field; see `ImportEnvironment.fields`.
    init(columns: [String: String]) {
        mapped = columns
        // A column that the user mapped to one field is not searched for another.
        let taken = Set(columns.values.map(CSVReader.plain))
        names = Self.synonyms.mapValues { $0.filter { !taken.contains($0) } }
            .merging(columns.mapValues { [CSVReader.plain($0)] }) { $1 }
    }

    /// Whether a record with these normalised names can be an article: it has a title or a text, and a URL or an id.
    func fits(_ plainNames: Set<String>) -> Bool {
        let has = { (field: String) in names[field, default: []].contains(where: plainNames.contains) }
        return (has("title") || has("content")) && (has("url") || has("id"))
    }

    /// Adds an article, or a bad line, to a batch.
    /// - Parameters:
    ///   - spelled: a normalised name as written.
    ///   - value: the value under a normalised name.
    func add(
        line: Int, origin: String, now: Date, to batch: inout ImportBatch, spelled: (String) -> String = { $0 },
        value: (String) -> String?
    ) {
        func found(_ field: String) -> (column: String, text: String)? {
            for column in names[field, default: []] { if let text = value(column) { return (column, text) } }
            return nil
        }
        func field(_ name: String) -> String? { found(name)?.text }
        let readAt = SourceTime.parse(field("read_at"), now: now)
        if readAt == nil, let (column, text) = found("read_at"), SourceTime.isMeant(text) {
            // Such as 03/04/2026, which is ambiguous.
            let name = mapped["read_at"] ?? spelled(column)
            batch.badLines.append(
                LineError(
                    line: line,
                    reason: "\(name.excerpt) is not a time such as 2026-04-03T10:00:00Z: \"\(text.excerpt)\""))
            return
        }
        let url = field("url")
        let draft = ArticleDraft(
            id: field("id").flatMap { Self.identifier($0, url: url) }, url: url, title: field("title") ?? "",
            summary: field("description") ?? "", content: field("content") ?? "", author: field("author"),
            source: field("source") ?? "", category: field("category"), language: field("language"),
            publishedAt: SourceTime.parse(field("published_at"), now: now))
        batch.addSaved(
            draft, isRead: field("read").flatMap(Self.isRead) ?? true,
            isStarred: field("starred").flatMap(BooleanText.parse) ?? false, readAt: readAt,
            savedAt: SourceTime.parse(field("saved_at"), now: now), origin: origin, now: now)
    }

    /// Drops an id that is a row number if there is a URL, which identifies the article better.
    private static func identifier(_ id: String, url: String?) -> String? {
        Int(id) != nil && url.flatMap(ArticleURL.clean) != nil ? nil : id
    }

    private static func isRead(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "read", "archive", "archived", "done", "finished", "succeeded": true
        case "unread", "new", "later", "inbox", "active", "queue": false
        case let text: BooleanText.parse(text)
        }
    }
}

extension JSONObject {
    /// The text under each key, by the key's normalised name (`CSVReader.plain`): an object's name, title or text, and
    /// an array's first element. Of keys with the same name, the last in order counts: `title` and not `Title`.
    fileprivate var plainTexts: [String: String] {
        var texts: [String: String] = [:]
        for key in keys {
            let inner = object(key) ?? objects(key).first
            let text =
                text(key) ?? self.texts(key).first
                ?? inner.flatMap { inner in
                    ["title", "name", "content", "html", "text", "href", "url"].lazy.compactMap { inner.text($0) }.first
                }
            if let text = text?.nonEmpty { texts[CSVReader.plain(key)] = text }
        }
        return texts
    }
}
