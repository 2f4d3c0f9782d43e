import Foundation
import PulseCore
import PulseMarkup
public import PulsePlatform

/// The user's access to a service.
public struct ServiceAccess: Sendable {
    /// The base URL without a path.
    public let address: String
    /// Gets the key. Called only when needed, because it may start a program. Nil: no key is needed.
    public let key: (@Sendable () async throws -> Secret)?

    public init(address: String, key: (@Sendable () async throws -> Secret)?) {
        var address = address
        for end in ["/", "/rest/v1", "/functions/v1"] where address.hasSuffix(end) { address.removeLast(end.count) }
        self.address = address
        self.key = key
    }
}

/// The backend of the app Pulse (https://github.com/BrunoCerberus/pulse-backend), in both generations: with a key,
/// tables behind PostgREST; without one, public functions.
struct PulseAppBackend {
    static let name: Message = "Pulse's backend"
    /// Categories that hold no articles.
    static let media: Set = ["podcasts", "videos"]

    private static let firstPage = 20
    /// The functions' limit.
    private static let laterPages = 100
    private static let breaking = 10
    /// The most texts that are fetched one by one.
    private static let mostTexts = 40

    private let connection: ServiceConnection
    private let hasKey: Bool
    private let now: Date

    init(_ access: ServiceAccess, client: any HTTPClient, cache: HTTPCache, now: Date) async throws {
        let key = try await access.key?().revealed()
        var connection = ServiceConnection(
            name: Self.name, address: access.address,
            refusalHint: key == nil
                ? "Check its address (--pulse-url), and whether it wants a key (--pulse-key-file)."
                : "Check its address (--pulse-url) and its key (--pulse-key-file).",
            client: client, cache: cache)
        if let key { connection.headers = [("apikey", key), ("Authorization", "Bearer \(key)")] }
        self.connection = connection
        self.now = now
        hasKey = key != nil
    }

    func page(of topic: NewsTopic, from cursor: String?) async throws -> ServicePage {
        let offset = cursor.flatMap { Int($0) } ?? 0
        let limit = topic.isBreaking ? Self.breaking : offset == 0 ? Self.firstPage : Self.laterPages
        let age = MinimumAge.page(isFirst: offset == 0, isBreaking: topic.isBreaking)
        let reply = try await ask(topic, "&order=published_at.desc&offset=\(offset)&limit=\(limit)", age)
        let rows = JSONObject.all(in: reply.json)
        var page = ServicePage(answer: reply.answer)
        page.oldest = rows.compactMap { SourceTime.parse($0.text("published_at"), now: now) }.min()
        page.next = topic.isBreaking || rows.count < limit ? nil : String(offset + limit)
        let texts = await texts(of: rows)
        page.articles = rows.compactMap { article($0, text: texts[$0.text("id") ?? ""], topic) }
        return page
    }

    private func ask(_ topic: NewsTopic, _ rest: String, _ age: TimeInterval) async throws -> ServiceConnection.Reply {
        guard hasKey else {
            let category = topic.section.map { "&category_slug=eq.\($0)" } ?? ""
            return try await connection.json(
                "/functions/v1/api-articles?language=eq.\(topic.language)\(category)\(rest)", minimumAge: age,
                isAnswer: Self.isAnswer)
        }
        var columns = "id,title,summary,content,url,author,published_at,sources(name,slug)"
        columns += topic.section == nil ? ",categories(name,slug)" : ",categories!inner(name,slug)"
        let category = topic.section.map { "&categories.slug=eq.\($0)" } ?? ""
        let path = "/rest/v1/articles?select=\(columns)\(category)"
        do {
            return try await connection.json(
                "\(path)&language=eq.\(topic.language)\(rest)", minimumAge: age, isAnswer: Self.isAnswer,
                refusal: Self.refusal)
        } catch let error as PulseError where error.cause == Self.noLanguage && topic.language == "en" {
            // The first version had only English, and no such column.
            return try await connection.json(path + rest, minimumAge: age, isAnswer: Self.isAnswer)
        }
    }

    private static func isAnswer(_ json: Any) -> Bool { json is [Any] }

    private static let noLanguage = "Pulse's backend: 42703"

    /// PostgREST's codes are PostgreSQL's: 42703 is "undefined_column".
    private static func refusal(_ status: Int, _ error: JSONObject?) -> PulseError? {
        guard status == 400, error?.text("code") == "42703" else { return nil }
        return PulseError(
            .noInput, "\(name) has articles in English only.", hint: "Its feeds begin with pulse:en", cause: noLanguage)
    }

    /// Fetches missing texts one by one from the functions. The backend deletes texts after two days. A text that fails
    /// now may be fetched the next time.
    private func texts(of rows: [JSONObject]) async -> [String: String] {
        guard !hasKey else { return [:] }
        var texts: [String: String] = [:]
        for row in rows.prefix(Self.mostTexts) where row.text("content") == nil && !isMedia(row) {
            guard let id = row.text("id"), UUID(uuidString: id) != nil else { continue }
            let published = SourceTime.parse(row.text("published_at"), now: now) ?? .distantPast
            // A text that is a day old does not change any more.
            let isSettled = now.timeIntervalSince(published) > 86_400
            guard
                let reply = try? await connection.json(
                    "/functions/v1/api-articles?id=eq.\(id)&limit=1",
                    minimumAge: isSettled ? 30 * 86_400 : MinimumAge.article, isAnswer: Self.isAnswer)
            else { break }
            texts[id] = JSONObject.all(in: reply.json).first?.text("content")
        }
        return texts
    }

    private func isMedia(_ row: JSONObject) -> Bool {
        let type = row.text("media_type")?.lowercased() ?? ""
        return Self.media.contains(slug(row) ?? "") || ["podcast", "video", "audio"].contains { type.hasPrefix($0) }
    }

    private func slug(_ row: JSONObject) -> String? {
        row.object("categories")?.text("slug") ?? row.text("category_slug")
    }

    /// Nil for podcasts and videos.
    private func article(_ row: JSONObject, text: String?, _ topic: NewsTopic) -> Article? {
        guard !isMedia(row), let id = row.text("id") else { return nil }
        let summary = row.text("summary") ?? ""
        let content = row.text("content") ?? text ?? ""
        let draft = ArticleDraft(
            id: id, url: row.text("url"), title: row.text("title") ?? "", summary: summary,
            // Often the text repeats the summary.
            content: content == summary ? "" : content, author: row.text("author"),
            source: row.object("sources")?.text("name") ?? row.text("source_name") ?? "Pulse", category: slug(row),
            language: row.text("language") ?? topic.language,
            publishedAt: SourceTime.parse(row.text("published_at"), now: now).map { min($0, now) })
        return try? draft.article()
    }
}
