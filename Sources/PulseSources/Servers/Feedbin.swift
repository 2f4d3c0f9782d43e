import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

extension ServerKind {
    static let feedbin = ServerKind(
        name: "feedbin", program: "Feedbin", example: "https://api.feedbin.com", hasOneAddress: true, asksUser: true,
        keyName: "password", keyHint: "Use the email address and the password with which you sign in to Feedbin.",
        summary: "Feedbin, what you have recently read there",
        details: """
            Feedbin lists what you stayed with for ten seconds, but not when: articles of the first import count as
            read when they were published, and are marked as an estimate; after that, as read when an import first finds them.
            """,
        trimmed: ["/v2"],
        signIn: { connection, credentials in
            var connection = connection
            connection.headers = [try await credentials.basic()]
            try connection.check(try await connection.send("/v2/authentication.json"))
            return (connection.address, credentials.user)
        },
        open: { DiffingSource($0, FeedbinServer($0)) })
}

/// The API of Feedbin (https://github.com/feedbin/feedbin-api).
final class FeedbinServer: ListingServer {
    /// "The ids parameter … up to 100."
    let itemsPerRequest = 100

    private var account: ServerAccount
    /// Names and tags of feeds, by feed id; nil: not loaded yet.
    private var titles: [String: String]?
    private var tags: [String: String] = [:]
    private var addresses: FeedAddresses?

    init(_ account: ServerAccount) { self.account = account }

    func open(lastRun: Date?) async throws -> [ServerList] {
        account.connection.headers = [try await account.credentials.basic()]
        return [ServerList(name: "recently_read_entries"), ServerList(name: "starred_entries", isStarred: true)]
    }

    /// The API has no pages: a list is all ids.
    func page(of list: ServerList, at cursor: String?) async throws -> ServerPage {
        ServerPage(ids: try await array("/v2/\(list.name).json").compactMap(JSONObject.text))
    }

    func items(_ ids: [String]) async throws -> [ServerItem] {
        if titles == nil { try await readFeeds() }
        let entries = JSONObject.all(in: try await array("/v2/entries.json?ids=" + ids.joined(separator: ",")))
        return entries.compactMap { entry in
            guard let id = entry.text("id") else { return nil }
            let feed = entry.text("feed_id") ?? ""
            return ServerItem(
                id: id,
                draft: ArticleDraft(
                    url: entry.text("url"), title: entry.text("title") ?? "", summary: entry.text("summary") ?? "",
                    content: entry.text("content") ?? "", contentForm: .html, author: entry.text("author"),
                    source: titles?[feed] ?? "", category: tags[feed],
                    publishedAt: SourceTime.parse(entry.text("published"), now: account.now)),
                feed: feed, address: addresses?.address(of: feed))
        }
    }

    func unread() async throws -> Int? { try await array("/v2/unread_entries.json").count }

    private func readFeeds() async throws {
        let feeds = JSONObject.all(in: try await array("/v2/subscriptions.json"))
        titles = JSONObject.texts("title", by: "feed_id", in: feeds)
        addresses = FeedAddresses(
            origin: account.origin, addresses: JSONObject.texts("feed_url", by: "feed_id", in: feeds))
        let taggings = JSONObject.all(in: try await array("/v2/taggings.json"))
        tags = JSONObject.texts("name", by: "feed_id", in: taggings)
    }

    private func array(_ path: String) async throws -> [Any] {
        guard let array = try await account.connection.json(path) as? [Any] else { throw account.connection.strange }
        return array
    }
}
