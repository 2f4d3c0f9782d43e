public import Foundation
public import PulseCore
import PulseMarkup
package import PulsePlatform

/// Bluesky feeds without a login, from its public AppView (https://docs.bsky.app/docs/advanced-guides/api-directory):
/// accounts, lists, and custom feeds.
///
/// Addresses: `bluesky:alice.example`, `at://did:plc:…/app.bsky.feed.generator/…`,
/// `at://did:plc:…/app.bsky.graph.list/…`, and the URLs of bsky.app.
public struct BlueskyFeeds: FeedService {
    public static let address = "https://public.api.bsky.app"

    private let address: String
    private let client: any HTTPClient
    private let cacheFolder: CacheFolder

    package init(address: String = BlueskyFeeds.address, client: any HTTPClient, cacheFolder: CacheFolder) {
        self.address = address
        self.client = client
        self.cacheFolder = cacheFolder
    }

    public func serves(_ address: String) -> Bool {
        address.lowercased().hasPrefix("bluesky:") || address.hasPrefix("at://") || BlueskyAddress(address) != nil
    }

    public func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse {
        guard let target = BlueskyAddress(feed.address) else {
            throw PulseError(
                .noInput, "There is no such feed.",
                hint: "Name an account, such as bluesky:alice.example, or copy the address of a list or a feed.")
        }
        let cache = HTTPCache(folder: cacheFolder, now: now)
        let connection = ServiceConnection(
            name: "Bluesky", address: address, refusalHint: "Open it in a browser without logging in.",
            client: client, cache: cache)
        return try await Fetch(connection: connection, target: target, now: now).answer(for: feed)
    }
}

private enum BlueskyAddress {
    case account(String)
    /// Of a custom feed or a list.
    case record(BlueskyURI)

    init?(_ address: String) {
        if let uri = BlueskyURI(address) {
            guard [BlueskyURI.generator, BlueskyURI.list].contains(uri.collection) else { return nil }
            self = .record(uri)
            return
        }
        if address.lowercased().hasPrefix("bluesky:"), let actor = BlueskyName.actor(String(address.dropFirst(8))) {
            self = .account(actor)
            return
        }
        // https://bsky.app/profile/alice.example, which may be followed by lists/KEY or feed/KEY. Other paths, such as
        // the account's RSS, are web feeds.
        let site = "https://bsky.app/profile/"
        guard address.hasPrefix(site) else { return nil }
        let parts = address.dropFirst(site.count).prefix { !"?#".contains($0) }.split(separator: "/").map(String.init)
        guard let actor = parts.first.flatMap(BlueskyName.actor), parts.allSatisfy(BlueskyName.isPlain) else {
            return nil
        }
        switch (parts.count, parts.dropFirst().first) {
        case (1, _): self = .account(actor)
        case (3, "feed"), (3, "lists"):
            let collection = parts[1] == "lists" ? BlueskyURI.list : BlueskyURI.generator
            self = .record(BlueskyURI(authority: actor, collection: collection, key: parts[2]))
        default: return nil
        }
    }
}

private struct Fetch {
    let connection: ServiceConnection
    let target: BlueskyAddress
    let now: Date

    private static let pageSize = 50

    func answer(for feed: Feed) async throws -> FeedResponse {
        var reader = ServiceReader(name: "Bluesky", now: now)
        let method: String
        let parameters: [(String, String)]
        let site: String
        switch target {
        case .account(let actor):
            method = "app.bsky.feed.getAuthorFeed"
            parameters = [("actor", actor), ("filter", "posts_no_replies")]
            site = "https://bsky.app/profile/\(actor)"
        case .record(let uri):
            let uri = try await resolved(uri)
            let isList = uri.collection == BlueskyURI.list
            method = isList ? "app.bsky.feed.getListFeed" : "app.bsky.feed.getFeed"
            parameters = [(isList ? "list" : "feed", uri.text)]
            site = "https://bsky.app/profile/\(uri.authority)/\(isList ? "lists" : "feed")/\(uri.key)"
            // A custom feed is not ordered by time.
            if !isList { reader.mostPages = 1 }
        }
        var hidden = 0
        var answer = try await reader.newest(of: feed) { cursor in
            try await page(method, parameters, from: cursor, hidden: &hidden)
        }
        // A feed keeps a title that it has, because the user may have chosen it.
        if feed.title == feed.address { answer.contents?.title = try await title() }
        answer.contents?.site = site
        if answer.contents?.entries.isEmpty == true, hidden > 0, answer.note == nil {
            answer.note = "Its posts are shown only to people who have logged in."
        }
        return answer
    }

    private func page(
        _ method: String, _ parameters: [(String, String)], from cursor: String?, hidden: inout Int
    ) async throws -> ServicePage {
        let query = parameters + [("limit", String(Self.pageSize))] + (cursor.map { [("cursor", $0)] } ?? [])
        let reply = try await ask(method, query, minimumAge: MinimumAge.page(isFirst: cursor == nil))
        let object = JSONObject(reply.json)
        let items = object?.objects("feed") ?? []
        let posts = items.compactMap { $0.object("post").flatMap { BlueskyPost(view: $0, now: now) } }
        hidden += posts.count { $0.hiding == .loginOnly }
        var page = ServicePage(answer: reply.answer)
        page.articles = posts.filter { $0.hiding == nil }.compactMap { try? $0.draft.article() }
        // A repost counts by its own time, because the post may be much older.
        page.oldest =
            items.compactMap {
                SourceTime.parse(($0.object("reason") ?? $0.object("post"))?.text("indexedAt"), now: now)
            }.min()
        page.next = posts.isEmpty ? nil : object?.text("cursor")
        return page
    }

    /// Replaces a handle by the account's DID, which the API requires.
    private func resolved(_ uri: BlueskyURI) async throws -> BlueskyURI {
        guard !uri.authority.hasPrefix("did:") else { return uri }
        let reply = try await ask(
            "com.atproto.identity.resolveHandle", [("handle", uri.authority)], minimumAge: 86_400)
        guard let did = JSONObject(reply.json)?.text("did"), BlueskyName.actor(did) == did else {
            throw PulseError(
                .badData, "Bluesky sent an unexpected response.", hint: "Try again later.", cause: "Bluesky: no DID")
        }
        return BlueskyURI(authority: did, collection: uri.collection, key: uri.key)
    }

    private func title() async throws -> String? {
        switch target {
        case .account(let actor):
            let profile = JSONObject(try await ask("app.bsky.actor.getProfile", [("actor", actor)]).json)
            let handle = profile?.text("handle") ?? actor
            return profile?.text("displayName").map { "\($0) (@\(handle))" } ?? "@\(handle)"
        case .record(let uri):
            let record = try await resolved(uri).text
            guard uri.collection == BlueskyURI.list else {
                return JSONObject(try await ask("app.bsky.feed.getFeedGenerator", [("feed", record)]).json)?
                    .object("view")?.text("displayName")
            }
            return JSONObject(try await ask("app.bsky.graph.getList", [("list", record), ("limit", "1")]).json)?
                .object("list")?.text("name")
        }
    }

    private func ask(
        _ method: String, _ parameters: [(String, String)], minimumAge: TimeInterval = MinimumAge.article
    ) async throws -> ServiceConnection.Reply {
        try await connection.json(
            "/xrpc/\(method)?\(URLQuery.text(parameters))", minimumAge: minimumAge, isAnswer: { JSONObject($0) != nil }
        ) { status, error in
            guard [400, 401, 403].contains(status), let name = error?.text("error") else { return nil }
            let isClosed = status != 400 || name.hasPrefix("Auth")
            return PulseError(
                .noInput,
                isClosed
                    ? "Bluesky shows it only to people who have logged in." : "Bluesky has no such account or feed.",
                hint: isClosed ? nil : "Check its spelling.", cause: "Bluesky: status \(status)")
        }
    }
}
