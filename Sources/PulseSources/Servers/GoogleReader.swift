import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

extension ServerKind {
    static let greader = ServerKind(
        name: "greader", program: "Google Reader API", example: "https://freshrss.example.org/api/greader.php",
        asksUser: true, keyName: "API password",
        keyHint: "FreshRSS has a password of its own for programs, under Settings → Profile → API management.",
        summary: "FreshRSS, BazQux, The Old Reader and other servers with the API of Google Reader",
        details: """
            The server does not tell when an article was read: articles of the first import count as read when they
            were published, and are marked as an estimate; after that, as read when an import first finds them read.
            """,
        trimmed: ["/reader/api/0", "/i", "/index.html"],
        signIn: { connection, credentials in
            let key = try await credentials.key().revealed()
            do {
                _ = try await GoogleReaderServer.token(connection, credentials.user, key)
                return (connection.address, credentials.user)
            } catch {
                let first = error.asPulseError
                // FreshRSS's API is at this path; users give the address of its pages.
                let freshRSS = connection.moved(to: connection.address + "/api/greader.php")
                guard first.code != .permission, !connection.address.hasSuffix(".php") else { throw first }
                do {
                    _ = try await GoogleReaderServer.token(freshRSS, credentials.user, key)
                } catch {
                    let second = error.asPulseError
                    // Throws the more informative error of the two.
                    throw [.permission, .tryAgain].contains(second.code) || second.cause == freshRSS.disabledCause
                        ? second : first
                }
                return (freshRSS.address, credentials.user)
            }
        },
        open: { DiffingSource($0, GoogleReaderServer($0)) })
}

/// The Google Reader API, as implemented by FreshRSS, Miniflux, BazQux and The Old Reader. It was never specified; see
/// https://www.inoreader.com/developers and `greader.php` in https://github.com/FreshRSS/FreshRSS.
final class GoogleReaderServer: ListingServer {
    let itemsPerRequest = 100

    private var account: ServerAccount
    private var connection: ServerConnection { account.connection }
    /// Nil: not loaded yet.
    private var addresses: FeedAddresses?
    /// Miniflux requires it with each POST; nil if the server has none.
    private var postToken: String?

    private static let api = "/reader/api/0"
    private static let state = "user/-/state/com.google/"

    init(_ account: ServerAccount) { self.account = account }

    /// Signs in. Returns the token for further requests.
    fileprivate static func token(
        _ connection: ServerConnection, _ user: String, _ key: String
    ) async throws -> String {
        let response = try await connection.send(
            "/accounts/ClientLogin",
            // The last two are for The Old Reader.
            body: ServerConnection.form([
                ("Email", user), ("Passwd", key), ("client", "pulse-digest"), ("service", "reader"),
                ("accountType", "HOSTED_OR_GOOGLE"),
            ]))
        try check(response, connection)
        let lines = String(decoding: response.body.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.hasPrefix("Auth=") }), line.count > 5 else {
            // Google sent this with status 403, others send it with 200.
            if lines.contains(where: { $0.hasPrefix("Error=BadAuthentication") }) { throw connection.refusedKey }
            throw connection.strange
        }
        return String(line.dropFirst(5))
    }

    private static func check(_ response: HTTPResponse, _ connection: ServerConnection) throws {
        // FreshRSS's response if its API is disabled.
        if response.status == 503, response.body.starts(with: Data("Service Unavailable!".utf8)) {
            throw connection.disabled(
                "In FreshRSS, allow API access under Settings → Authentication, and set an API password under Profile.")
        }
        // Some servers answer a wrong password with 400.
        if response.status == 400, response.body.range(of: Data("BadAuthentication".utf8)) != nil {
            throw connection.refusedKey
        }
        try connection.check(response)
    }

    func open(lastRun: Date?) async throws -> [ServerList] {
        let (user, key) = (account.credentials.user, try await account.credentials.key().revealed())
        let token = try await Self.token(connection, user, key)
        account.connection.headers = [(name: "Authorization", value: "GoogleLogin auth=\(token)")]
        let response = try await connection.send(Self.api + "/token")
        let text = String(decoding: response.body.prefix(500), as: UTF8.self).trimmed
        if response.status == 200, !text.hasPrefix("<") { postToken = text.nonEmpty }
        return [ServerList(name: "read"), ServerList(name: "starred", isStarred: true)]
    }

    func page(of list: ServerList, at cursor: String?) async throws -> ServerPage {
        // FreshRSS reads `it`, the others `s`; each ignores the other parameter.
        var query = [("output", "json"), ("n", "1000"), ("s", Self.state + list.name), ("it", Self.state + list.name)]
        if let cursor { query.append(("c", cursor)) }
        let answer = try await object("/stream/items/ids?" + URLQuery.text(query))
        return ServerPage(
            ids: answer?.objects("itemRefs").compactMap { $0.text("id").map(Self.identifier) } ?? [],
            next: answer?.text("continuation")?.nonEmpty)
    }

    func items(_ ids: [String]) async throws -> [ServerItem] {
        if addresses == nil { addresses = try await feedAddresses() }
        var values = [("output", "json")] + ids.map { ("i", $0) }
        if let postToken { values.append(("T", postToken)) }
        let answer = try await object("/stream/items/contents?output=json", body: ServerConnection.form(values))
        return answer?.objects("items").compactMap(item) ?? []
    }

    /// The feeds' URLs; empty if the server does not list them. Most servers identify feeds by numbers. A failure that
    /// may pass is thrown, since without the URLs some articles would get other ids.
    private func feedAddresses() async throws -> FeedAddresses {
        var answer: JSONObject?
        do {
            let response = try await connection.send(Self.api + "/subscription/list?output=json")
            if [429, 500, 502, 503, 504].contains(response.status) { try Self.check(response, connection) }
            if response.status == 200 { answer = JSONObject(response.body) }
        } catch let error as PulseError where error.isTooLarge {
            // Not rethrown: the caller would take it for too many articles, and ask for fewer.
        }
        let feeds = answer?.objects("subscriptions") ?? []
        return FeedAddresses(origin: account.origin, addresses: JSONObject.texts("url", by: "id", in: feeds))
    }

    func unread() async throws -> Int? {
        let response = try await connection.send(Self.api + "/unread-count?output=json")
        guard response.status == 200, let answer = JSONObject(try? connection.json(in: response)) else { return nil }
        let all = answer.objects("unreadcounts").first {
            $0.text("id")?.hasSuffix("/state/com.google/reading-list") == true
        }
        return all?.count("count") ?? answer.count("max")
    }

    private func object(_ path: String, body: (type: String, data: Data)? = nil) async throws -> JSONObject? {
        let response = try await connection.send(Self.api + path, body: body)
        try Self.check(response, connection)
        return JSONObject(try connection.json(in: response))
    }

    /// Normalises an item id. Servers use `tag:google.com,2005:reader/item/` with 16 hexadecimal digits, or the same
    /// number as a signed decimal.
    static func identifier(_ text: String) -> String {
        guard let slash = text.lastIndex(of: "/") else { return text }
        let digits = text[text.index(after: slash)...]
        guard digits.count == 16, let number = UInt64(digits, radix: 16) else { return String(digits) }
        return String(Int64(bitPattern: number))
    }

    private func item(_ fields: JSONObject) -> ServerItem? {
        guard fields.has("id") else { return nil }
        let item = GReaderItem(fields, now: account.now)
        let isAddress = item.stream.hasPrefix("feed/http://") || item.stream.hasPrefix("feed/https://")
        return ServerItem(
            id: Self.identifier(item.id), draft: item.draft, feed: item.stream,
            address: isAddress ? String(item.stream.dropFirst(5)) : addresses?.address(of: item.stream),
            isRead: item.isRead, isStarred: item.isStarred)
    }
}
