import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

extension ServerKind {
    static let newsBlur = ServerKind(
        name: "newsblur", program: "NewsBlur", example: "https://newsblur.com", hasOneAddress: true, asksUser: true,
        keyName: "password", keyHint: "Use the name and the password with which you sign in to NewsBlur.",
        summary: "NewsBlur, the articles you have read there",
        details: """
            NewsBlur lists what you read in its order, but not when: articles of the first import count as read when
            they were published, and are marked as an estimate; after that, as read when an import first finds them.
            """,
        trimmed: ["/api"],
        signIn: { connection, credentials in
            _ = try await NewsBlurServer.cookie(connection, credentials)
            return (connection.address, credentials.user)
        },
        open: { DiffingSource($0, NewsBlurServer($0)) })
}

/// The API of NewsBlur (https://newsblur.com/api).
final class NewsBlurServer: ListingServer {
    let itemsPerRequest = 100

    private var account: ServerAccount

    init(_ account: ServerAccount) { self.account = account }

    /// Signs in. Returns the header with the session's cookie.
    fileprivate static func cookie(
        _ connection: ServerConnection, _ credentials: Credentials
    ) async throws -> (name: String, value: String) {
        let key = try await credentials.key().revealed()
        let response = try await connection.send(
            "/api/login", body: ServerConnection.form([("username", credentials.user), ("password", key)]))
        try connection.check(response)
        let answer = JSONObject(try connection.json(in: response))
        if answer?.flag("authenticated") == false { throw connection.refusedKey }
        let cookies = response.headers["set-cookie"] ?? ""
        guard let start = cookies.firstRange(of: "newsblur_sessionid=") else { throw connection.strange }
        let session = cookies[start.lowerBound...].prefix { $0 != ";" && $0 != "," && !$0.isNewline }
        return (name: "Cookie", value: String(session))
    }

    func open(lastRun: Date?) async throws -> [ServerList] {
        account.connection.headers = [try await Self.cookie(account.connection, account.credentials)]
        return [
            ServerList(name: "read_stories", isNewestFirst: true),
            ServerList(name: "starred_stories", isStarred: true, isNewestFirst: true),
        ]
    }

    func page(of list: ServerList, at cursor: String?) async throws -> ServerPage {
        let number = cursor.flatMap { Int($0) } ?? 1
        let answer = try await account.connection.json("/reader/\(list.name)?page=\(number)&order=newest")
        guard let answer = JSONObject(answer), answer.has("stories") else {
            // Without a session the status is 200 too.
            if JSONObject(answer)?.flag("authenticated") == false { throw account.connection.refusedKey }
            throw account.connection.strange
        }
        let feeds = answer.object("feeds")
        let stories = answer.objects("stories").compactMap { story -> ServerItem? in
            guard let hash = story.text("story_hash") ?? story.text("id") else { return nil }
            let feed = story.text("story_feed_id") ?? ""
            return ServerItem(
                id: hash,
                draft: ArticleDraft(
                    url: story.text("story_permalink"), title: story.text("story_title") ?? "",
                    content: story.text("story_content") ?? "", contentForm: .html,
                    author: story.text("story_authors"), source: feeds?.object(feed)?.text("feed_title") ?? "",
                    // `story_date` is in the user's time zone; not every response has a timestamp.
                    publishedAt: SourceTime.parse(story.text("story_timestamp"), now: account.now)
                        ?? SourceTime.parse(story.text("story_date"), now: account.now)),
                feed: feed, address: feeds?.object(feed)?.text("feed_address"),
                isStarred: story.flag("starred") ?? false)
        }
        return ServerPage(items: stories, next: stories.isEmpty ? nil : String(number + 1))
    }

    /// The lists contain the stories.
    func items(_ ids: [String]) async throws -> [ServerItem] { [] }

    /// NewsBlur has no total: it counts by feed and by the user's training.
    func unread() async throws -> Int? { nil }
}
