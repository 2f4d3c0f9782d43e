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
            return try RecordSource(
                origin: "csv", files: try ExportFiles(path: path, in: environment), called: "*.csv",
                holding: "articles",
                open: { source in
                    let reader = try CSVReader(source)
                    try reader.check(fields)
                    return reader
                },
                add: { row, _, batch in
                    fields.add(
                        line: row.line, origin: "csv", in: environment, to: &batch, spelled: { row.spelled($0) },
                        value: { row[$0] })
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
            // Any other object is JSON Lines, or a JSON Feed, whose entries the user has not read yet.
            let fields = ArticleFields(columns: [:])
            return !probe.head(has: "jsonfeed.org")
                && JSONRecords.isContainer(probe.head) { fields.fits(Set($0.keys.map(CSVReader.plain))) }
        },
        isOfAnyProgram: true,
        open: { path, environment in
            let fields = ArticleFields(columns: environment.columns)
            return try JSONRecords.source(
                "json", try ExportFiles(path: path, in: environment), called: "*.json", holding: "articles",
                fits: { fields.fits(Set($0.keys.map(CSVReader.plain))) }
            ) { object, line, _, batch in
                let values = object.plainTexts
                let spelled = { (name: String) in object.keys.last { CSVReader.plain($0) == name } ?? name }
                fields.add(line: line, origin: "json", in: environment, to: &batch, spelled: spelled) { values[$0] }
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

    /// The values that mean yes, and those that mean no.
    private static let words = (yes: Set(synonyms["yes", default: []]), no: Set(synonyms["no", default: []]))

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
    ///   - value: the value under a normalised name; empty if it is no text.
    func add(
        line: Int, origin: String, in environment: ImportEnvironment, to batch: inout ImportBatch,
        spelled: (String) -> String, value: (String) -> String?
    ) {
        let now = environment.now
        func found(_ field: String) -> (column: String, text: String)? {
            var other: String?
            for column in names[field, default: []] {
                guard let text = value(column) else { continue }
                guard text.isEmpty else { return (column, text) }
                other = other ?? column
            }
            return other.map { ($0, "") }
        }
        func field(_ name: String) -> String? { found(name)?.text.nonEmpty }
        func time(_ text: String?) -> Date? { SourceTime.parse(text, now: now, dayZone: environment.timeZone) }
        var readAt = time(field("read_at"))
        // A value such as `-` or `never` is no time.
        if readAt == nil, let (column, text) = found("read_at"), Self.flag(text) != false {
            // Such as 03/04/2026, which is ambiguous.
            let name = mapped["read_at"] ?? spelled(column)
            batch.badLines.append(
                LineError(
                    line: line,
                    reason: "\(name.excerpt) is not a time such as 2026-04-03T10:00:00Z: \"\(text.excerpt)\""))
            return
        }
        var isRead = true
        for mark in ["read", "unread"] {
            guard let (column, text) = found(mark) else { continue }
            if let flag = Self.flag(text) {
                isRead = isRead && flag == (mark == "read")
            } else if readAt == nil {
                // A column Read may hold the time.
                readAt = mark == "read" ? time(text) : nil
                // A state may be anything else, such as draft.
                guard readAt == nil, column != "status", column != "state" else { continue }
                let name = spelled(column).excerpt
                batch.badLines.append(
                    LineError(line: line, reason: "\(name) is neither yes nor no: \"\(text.excerpt)\""))
                return
            }
        }
        let url = field("url")
        let draft = ArticleDraft(
            id: field("id").flatMap { Self.identifier($0, url: url) }, url: url, title: field("title") ?? "",
            summary: field("description") ?? "", content: field("content") ?? "", author: field("author"),
            source: field("source") ?? "", category: field("category"), language: field("language"),
            publishedAt: time(field("published_at")))
        batch.addSaved(
            draft, isRead: isRead, isStarred: field("starred").flatMap(Self.flag) ?? false, readAt: readAt,
            savedAt: time(field("saved_at")), origin: origin, now: now)
    }

    /// Drops an id that is a row number if there is a URL, which identifies the article better.
    private static func identifier(_ id: String, url: String?) -> String? {
        Int(id) != nil && url.flatMap(ArticleURL.clean) != nil ? nil : id
    }

    /// Whether a value says yes, such as `read` or `WAHR`, or no, such as `unread`; nil: it is not known.
    private static func flag(_ text: String) -> Bool? {
        let text = text.filter { !$0.isWhitespace }
        if text.hasSuffix("%") { return ServiceExport.isFinished(text) }
        // Some programs write 0.0 and 1.0.
        if let number = Double(text), number == 0 || number == 1 { return number == 1 }
        // A sign such as ☐ has neither letters nor digits.
        let word = CSVReader.plain(text).nonEmpty ?? text
        return words.yes.contains(word) ? true : words.no.contains(word) ? false : BooleanText.parse(word)
    }
}

extension JSONObject {
    /// The keys of an object's text; MongoDB writes a time as `{"$date":"…"}`.
    private static let textKeys = ["title", "name", "content", "html", "text", "href", "url", "$date"]

    /// The text under each key, by the key's normalised name (`CSVReader.plain`): an object's name, title or text, and
    /// an array's first element; empty for another object. Of keys with the same name, the last in order counts:
    /// `title` and not `Title`.
    fileprivate var plainTexts: [String: String] {
        var texts: [String: String] = [:]
        for key in keys {
            let inner = object(key) ?? objects(key).first
            let text =
                text(key) ?? self.texts(key).first
                ?? inner.flatMap { inner in
                    Self.textKeys.lazy.compactMap { inner.text($0) }.first
                }
            let name = CSVReader.plain(key)
            if let text = text?.nonEmpty {
                texts[name] = text
            } else if inner?.keys.isEmpty == false, texts[name] == nil {
                texts[name] = ""
            }
        }
        return texts
    }
}
