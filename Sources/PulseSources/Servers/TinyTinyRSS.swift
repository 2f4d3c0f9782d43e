import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

extension ServerKind {
    static let tinyTinyRSS = ServerKind(
        name: "ttrss", program: "Tiny Tiny RSS", example: "https://example.org/tt-rss", asksUser: true,
        keyName: "password",
        keyHint:
            "Use the name and the password of Tiny Tiny RSS, or one that it made under Preferences → App passwords.",
        summary: "a Tiny Tiny RSS server",
        details: """
            The server does not tell when an article was read: articles of the first import count as read when they
            were published, but not earlier than a day ago where Tiny Tiny RSS lists them as recently read; after that,
            as read when an import first finds them read. What a filter marked as read is left out.
            """,
        trimmed: ["/api", "/index.php"],
        signIn: { connection, credentials in
            let server = TinyTinyRSSServer(connection, credentials, now: Date())
            try await server.logIn()
            try await server.logOut()
            return (connection.address, credentials.user)
        },
        open: { DiffingSource($0, TinyTinyRSSServer($0.connection, $0.credentials, origin: $0.origin, now: $0.now)) })
}

/// The API of Tiny Tiny RSS (https://tt-rss.org/ApiReference/).
final class TinyTinyRSSServer: ListingServer {
    let itemsPerRequest = 50

    private let connection: ServerConnection
    private let credentials: Credentials
    private let origin: String
    private let now: Date
    private var session: String?
    /// Nil: not loaded yet.
    private var addresses: FeedAddresses?

    /// The API's limit.
    private static let pageSize = 200
    /// The overlap of two pages, in case articles leave the list meanwhile.
    private static let overlap = 10

    init(_ connection: ServerConnection, _ credentials: Credentials, origin: String = "", now: Date) {
        self.origin = origin
        self.connection = connection
        self.credentials = credentials
        self.now = now
    }

    func open(lastRun: Date?) async throws -> [ServerList] {
        try await logIn()
        // The list of recently read articles covers a day, and is the only one in the order of reading.
        let recent = ServerList(name: "-6", isNewestFirst: true, isOfLastDay: true)
        let isRecent = lastRun.map { now.timeIntervalSince($0) < 23 * 3600 } ?? false
        return [recent] + (isRecent ? [] : [ServerList(name: "-4")]) + [ServerList(name: "-1", isStarred: true)]
    }

    func page(of list: ServerList, at cursor: String?) async throws -> ServerPage {
        let skip = cursor.flatMap { Int($0) } ?? 0
        let answer = try await call(
            "getHeadlines",
            [
                "feed_id": Int(list.name) ?? 0, "limit": Self.pageSize, "skip": skip, "show_content": false,
                "view_mode": "all_articles",
            ])
        let rows = JSONObject.all(in: answer)
        var page = ServerPage()
        for row in rows {
            guard let id = row.text("id") else { continue }
            if !list.isStarred, row.flag("unread") ?? false { continue }
            if !list.isStarred, row.flag("is_updated") ?? false {
                // Marked as read without being opened.
                page.leftOut[.filtered, default: 0] += 1
            } else {
                page.ids.append(id)
            }
        }
        if rows.count >= Self.pageSize { page.next = String(skip + rows.count - Self.overlap) }
        return page
    }

    func items(_ ids: [String]) async throws -> [ServerItem] {
        if addresses == nil {
            let feeds: Any?
            do {
                // "-3: All feeds, excluding virtual feeds".
                feeds = try await call("getFeeds", ["cat_id": -3])
            } catch let error as PulseError where error.code == .badData {
                // Such as a list that is too large. Anything else ends the run, since without the addresses some
                // articles would get other ids.
                feeds = nil
            }
            addresses = FeedAddresses(
                origin: origin, addresses: JSONObject.texts("feed_url", by: "id", in: JSONObject.all(in: feeds)))
        }
        return JSONObject.all(in: try await call("getArticle", ["article_id": ids.joined(separator: ",")]))
            .compactMap(item)
    }

    func unread() async throws -> Int? {
        let count = JSONObject(try await call("getUnread", [:]))?.count("unread")
        try? await logOut()
        return count
    }

    private func item(_ row: JSONObject) -> ServerItem? {
        guard let id = row.text("id") else { return nil }
        return ServerItem(
            id: id,
            draft: ArticleDraft(
                // The API's `guid` is not the feed's.
                url: row.text("link"), title: row.text("title") ?? "", content: row.text("content") ?? "",
                contentForm: .html, author: row.text("author"), source: row.text("feed_title") ?? "",
                language: row.text("lang"), publishedAt: SourceTime.parse(row.text("updated"), now: now)),
            feed: row.text("feed_id") ?? "", address: addresses?.address(of: row.text("feed_id") ?? ""),
            isRead: !(row.flag("unread") ?? false), isStarred: row.flag("marked") ?? false)
    }

    // MARK: Sessions

    func logIn() async throws {
        session = nil
        let answer = try await call(
            "login", ["user": credentials.user, "password": try await credentials.key().revealed()])
        session = JSONObject(answer)?.text("session_id")
        if session == nil { throw connection.strange }
    }

    /// Ends the session on the server.
    func logOut() async throws {
        _ = try await call("logout", [:])
        session = nil
    }

    /// Calls an operation. Signs in again once if the session has expired.
    private func call(_ operation: String, _ values: [String: any Sendable]) async throws -> Any? {
        let hadSession = session != nil
        var answer = try await post(operation, values)
        if answer.error == "NOT_LOGGED_IN", hadSession, operation != "logout" {
            try await logIn()
            answer = try await post(operation, values)
        }
        switch answer.error {
        case nil: return answer.content
        case "LOGIN_ERROR", "NOT_LOGGED_IN":
            if operation == "logout" { return nil }
            throw connection.refusedKey
        case "API_DISABLED":
            throw connection.disabled(
                "In Tiny Tiny RSS, switch on \"Enable API access\" under Preferences → Preferences → General.")
        case let error?:
            throw PulseError(
                .unavailable, "\(connection.host) refused \(operation): \(PlainText.line(error, limit: 60)).",
                hint: error == "UNKNOWN_METHOD" ? "Tiny Tiny RSS of 2013 or later is needed." : "Try again later.")
        }
    }

    private func post(
        _ operation: String, _ values: [String: any Sendable]
    ) async throws -> (content: Any?, error: String?) {
        var values = values
        values["op"] = operation
        values["sid"] = session
        guard let body = try? JSONSerialization.data(withJSONObject: values, options: .sortedKeys) else {
            preconditionFailure("an operation that cannot be encoded")
        }
        let answer = try await connection.json("/api/", body: (type: "application/json", data: body))
        guard let fields = JSONObject(answer), fields.has("status") else { throw connection.strange }
        guard fields.integer("status") != 0 else { return (fields.value("content"), nil) }
        return (nil, fields.object("content")?.text("error") ?? "unknown error")
    }
}
