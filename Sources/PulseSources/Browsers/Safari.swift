import Foundation
import PulseCore
import PulseMarkup

extension SourceKind {
    static let safari = SourceKind(
        name: BrowserSchema.safari.name, operands: "[PATH]", summary: BrowserSchema.safari.summary,
        details: BrowserSchema.safari.details,
        defaultPaths: { environment in
            ["History.db", "Bookmarks.plist"].map { environment.home + "/Library/Safari/" + $0 }
        },
        recognises: { probe in
            BrowserSchema.safari.isOurs(probe.tables)
                || probe.head.starts(with: Data("bplist".utf8)) && probe.path.hasSuffix("Bookmarks.plist")
        },
        open: { path, environment in
            do {
                if path.hasSuffix(".plist") { return try SafariReadingList(path: path, now: environment.now) }
                return try BrowserHistory(path: path, schema: .safari, environment: environment)
            } catch let error as PulseError where error.code == .permission {
                throw error.adding("On macOS, allow your terminal Full Disk Access in the settings for privacy.")
            }
        }, isBrowser: true)
}

extension BrowserSchema {
    static let safari = BrowserSchema(
        name: "safari", program: "Safari",
        summary: "Safari's history, of sites that you name, or its Reading List",
        details: """
            History.db: pages of the sites after --host, with their exact times. Bookmarks.plist: articles of the
            Reading List that were opened. Safari keeps no texts. macOS shows both only to programs with Full Disk Access.
            """,
        file: "History.db",
        columns: [
            "history_items": ["id", "url", "visit_count"], "history_visits": ["id", "history_item", "visit_time"],
        ],
        // Apple's reference date is 2001-01-01.
        epoch: 978_307_200,
        visits: { tables in
            let conditions = [
                ("load_successful", "visit.load_successful = 1"),
                ("redirect_destination", "visit.redirect_destination IS NULL"),
            ].filter { tables.has("history_visits", $0.0) }.map { "AND " + $0.1 }.joined(separator: " ")
            let title = tables.optional("history_visits", "title", as: "visit")
            return """
                SELECT visit.id, CAST(visit.visit_time * 1e6 AS INTEGER) AS time, item.url, \(title), NULL, NULL, NULL
                FROM history_visits AS visit JOIN history_items AS item ON item.id = visit.history_item
                WHERE (CAST(visit.visit_time * 1e6 AS INTEGER), visit.id) > (?1, ?2) \(conditions)
                ORDER BY time, visit.id LIMIT ?3
                """
        },
        pages: "SELECT url, visit_count, NULL FROM history_items")
}

/// Safari's Reading List, a folder of its bookmarks. Entries that were opened count as read.
private final class SafariReadingList: ArticleSource {
    let origin = "safari"
    let name: String
    private let now: Date
    private var entries: [[String: Any]]?

    init(path: String, now: Date) throws {
        let data = Data(try ByteStream(path: path).rest(limit: 256 << 20))
        let root = try? PropertyListSerialization.propertyList(from: data, format: nil)
        let folders = (root as? [String: Any])?["Children"] as? [[String: Any]]
        guard let folders else {
            throw PulseError(.badData, "\(path) is not a file of Safari's bookmarks.", hint: "Check the path.")
        }
        guard let list = folders.first(where: { $0["Title"] as? String == "com.apple.ReadingList" }) else {
            throw PulseError(
                .badData, "\(path) holds Safari's bookmarks, and no Reading List.",
                hint: "What you read in Safari is in its history: pulse-digest import safari --host SITE")
        }
        entries = list["Children"] as? [[String: Any]] ?? []
        name = path
        self.now = now
    }

    func next(previousImport: Date?) -> ImportBatch? {
        guard let entries else { return nil }
        self.entries = nil
        var batch = ImportBatch()
        for entry in entries {
            let details = entry["ReadingList"] as? [String: Any] ?? [:]
            let title = (entry["URIDictionary"] as? [String: Any])?["title"] as? String
            let viewed = SourceTime.plausible(details["DateLastViewed"] as? Date, now: now)
            batch.addSaved(
                ArticleDraft(
                    listed: entry["URLString"] as? String, title: title, summary: details["PreviewText"] as? String),
                isRead: viewed != nil, readAt: viewed,
                savedAt: SourceTime.plausible(details["DateAdded"] as? Date, now: now), origin: origin, now: now)
        }
        return batch
    }
}
