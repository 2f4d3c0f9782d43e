import Foundation
import PulseCore
import PulseMarkup
import PulseText

/// Maps the columns of a table, or the keys of an object, to the fields of an article: as the user said, else by
/// synonyms.
struct ArticleFields {
    /// The normalised names that may hold each field, the likeliest first.
    private let names: [String: [String]]
    /// The user's mapping, by field, as written.
    let mapped: [String: String]

    /// Other programs' names of the fields, normalised by `CSVReader.plain`.
    private static let synonyms: [String: [String]] = [
        "id": ["id", "guid", "articleid", "itemid", "uniqueid"],
        "url": [
            "url", "link", "href", "permalink", "address", "articleurl", "sourceurl", "pageurl", "resolvedurl",
            "givenurl",
            "canonicalurl", "uri", "externalurl",
        ],
        "title": ["title", "headline", "name", "articletitle", "resolvedtitle", "giventitle", "pagetitle", "subject"],
        "description": ["description", "summary", "excerpt", "teaser", "abstract", "lead", "snippet", "subtitle"],
        "content": [
            "content", "text", "body", "fulltext", "articlebody", "contenthtml", "contenttext", "articletext", "html",
        ],
        "author": ["author", "authors", "byline", "creator", "writer"],
        "source": [
            "source", "publication", "publisher", "sourcename", "sitename", "site", "feed", "feedtitle", "newspaper",
            "website", "outlet", "journal", "domain", "domainname",
        ],
        "category": ["category", "section", "folder", "topic", "categories"],
        "language": ["language", "lang", "locale"],
        "published_at": [
            "publishedat", "published", "publisheddate", "datepublished", "publishdate", "publicationdate", "pubdate",
            "publishedon", "date",
        ],
        "read_at": [
            "readat", "dateread", "readdate", "readon", "timeread", "lastread", "lastreadat", "archivedat",
            "finishedat",
            "lastopenedat", "visitedat", "visittime", "lastvisited", "lastvisittime", "viewedat",
        ],
        "saved_at": [
            "savedat", "saveddate", "saved", "timeadded", "addedat", "dateadded", "createdat", "created", "timestamp",
            "time",
        ],
        "read": ["read", "isread", "archived", "isarchived", "status", "state"],
        "starred": ["starred", "isstarred", "favorite", "favourite", "isfavorite", "isfavourite", "favorited"],
    ]

    /// - Parameter columns: the user's mapping, by field. Throws `.usage` for an unknown field.
    init(columns: [String: String]) throws(PulseError) {
        if let unknown = columns.keys.filter({ Self.synonyms[$0] == nil }).min() {
            throw PulseError(
                .usage, "No article has a \(unknown).",
                hint: "Its fields are \(Self.synonyms.keys.sorted().joined(separator: ", ")).")
        }
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
    /// - Parameter value: the value under a normalised name.
    func add(
        line: Int, origin: String, now: Date, to batch: inout ImportBatch, value: (String) -> String?
    ) {
        func found(_ name: String) -> (column: String, text: String)? {
            for name in names[name, default: []] { if let text = value(name) { return (name, text) } }
            return nil
        }
        func field(_ name: String) -> String? { found(name)?.text }
        let readAt = SourceTime.parse(field("read_at"), now: now)
        if readAt == nil, let (column, text) = found("read_at"), SourceTime.isMeant(text) {
            // Such as 03/04/2026, which is ambiguous.
            let name = mapped["read_at"] ?? column
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
            isStarred: field("starred").flatMap(Flag.parse) ?? false, readAt: readAt,
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
        case let text: Flag.parse(text)
        }
    }
}
