import Foundation
import PulsePlatform
import Synchronization

/// Entries and queries as in Miniflux's `internal/api/entry_handlers.go` and `internal/model/entry.go`.
final class FakeMiniflux: Sendable {
    struct Entry: Sendable {
        var id: Int
        var status = "read"
        var starred = false
        var changed: Date
        var created = Date(timeIntervalSince1970: 1_795_000_000)
        var url: String?
        /// In bytes, of its text.
        var length = 10
    }

    let entries: Mutex<[Entry]>
    /// Called before each page of entries is made, with its number from 0.
    let onPage: @Sendable (FakeMiniflux, Int) -> Void
    private let pages = Mutex(0)
    private let ignoresChangedAfter: Bool

    init(
        _ entries: [Entry], ignoresChangedAfter: Bool = false,
        onPage: @escaping @Sendable (FakeMiniflux, Int) -> Void = { _, _ in }
    ) {
        self.entries = Mutex(entries)
        self.ignoresChangedAfter = ignoresChangedAfter
        self.onPage = onPage
    }

    func answer(_ request: ScriptedServer.Request) -> HTTPResponse {
        guard request.headers["X-Auth-Token"] == "open sesame" else {
            return .json(["error_message": "Access Unauthorized"], status: 401)
        }
        if request.path.hasSuffix("/v1/me") { return .json(["id": 1, "username": "ana"]) }
        let number = pages.withLock { pages in
            defer { pages += 1 }
            return pages
        }
        onPage(self, number)
        let query = request.query
        func seconds(_ name: String) -> Double? { ignoresChangedAfter ? nil : query[name].flatMap { Double($0) } }
        var found = entries.withLock { $0 }.filter { entry in
            (query["status"].map { $0 == entry.status } ?? true)
                && (query["starred"] == "true" ? entry.starred : true)
                && (seconds("changed_after").map { entry.changed.timeIntervalSince1970 > $0 } ?? true)
                && (seconds("changed_before").map { entry.changed.timeIntervalSince1970 < $0 } ?? true)
                && (query["after_entry_id"].flatMap { Int($0) }.map { entry.id > $0 } ?? true)
        }
        found.sort { query["order"] == "id" ? $0.id < $1.id : ($0.changed, $0.id) < ($1.changed, $1.id) }
        let limit = query["limit"].flatMap { Int($0) } ?? 100
        let part = found.dropFirst(query["offset"].flatMap { Int($0) } ?? 0).prefix(limit)
        return .json(["total": found.count, "entries": part.map(Self.json)])
    }

    static func json(_ entry: Entry) -> [String: Any] {
        [
            "id": entry.id, "user_id": 1, "feed_id": 42, "status": entry.status, "hash": "3f", "title": "T\(entry.id)",
            "url": entry.url ?? "https://gazette.example/\(entry.id)", "comments_url": "", "language": "en",
            "published_at": "2026-11-18T10:00:00Z", "created_at": text(entry.created),
            "changed_at": text(entry.changed),
            "content": "<p>Five to four &amp; no more.</p>" + String(repeating: "x", count: entry.length - 10),
            "author": "A", "share_code": "", "starred": entry.starred,
            "reading_time": 3, "enclosures": [], "tags": ["x"],
            "feed": [
                "id": 42, "title": "The Harbour Gazette", "site_url": "https://gazette.example",
                "category": ["id": 5, "title": "World"],
            ] as [String: Any],
        ]
    }

    private static func text(_ date: Date) -> String {
        let whole = date.timeIntervalSince1970.rounded(.down)
        let fraction = Int(((date.timeIntervalSince1970 - whole) * 1e6).rounded())
        let seconds = Date(timeIntervalSince1970: whole).formatted(.iso8601).dropLast()
        return "\(seconds).\(String(repeating: "0", count: 6 - String(fraction).count))\(fraction)Z"
    }

    static let start = Date(timeIntervalSince1970: 1_795_200_000)

    /// Read entries, one every few seconds.
    static func entries(_ range: Range<Int>, seconds: Double = 7) -> [Entry] {
        range.map { Entry(id: $0, changed: start.addingTimeInterval(Double($0) * seconds + 0.25)) }
    }

    /// Entries that were read all at once, so many seconds after the start.
    static func entries(_ range: Range<Int>, at seconds: Double) -> [Entry] {
        range.map { Entry(id: $0, changed: start.addingTimeInterval(seconds)) }
    }
}
