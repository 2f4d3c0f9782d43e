import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// The Guardian's Content API (https://open-platform.theguardian.com/documentation/).
struct Guardian {
    static let name = Message(verbatim: "The Guardian")

    /// Other names of sections.
    static let sections = ["health": "society", "sports": "sport", "entertainment": "culture"]

    private static let categories = [
        "world": ["world", "uk-news", "us-news", "australia-news"], "business": ["business", "money"],
        "technology": ["technology"], "science": ["science"], "health": ["society", "healthcare-network"],
        "sports": ["sport", "football"], "politics": ["politics"],
        "entertainment": ["culture", "film", "music", "books", "tv-and-radio", "stage"],
    ]

    /// The API's limit is 200.
    private static let pageSize = 50
    private static let breaking = 10

    private let connection: ServiceConnection
    private let now: Date
    private let pause: Duration

    init(_ access: ServiceAccess, client: any HTTPClient, cache: HTTPCache, now: Date, pause: Duration) async throws {
        var connection = ServiceConnection(
            name: Self.name, address: access.address,
            refusalHint: "Check its key (--guardian-key-file) and the name of the section.",
            client: client, cache: cache)
        if let key = try await access.key?().revealed() {
            connection.secret = "&" + URLQuery.text([("api-key", key)])
        }
        self.connection = connection
        self.now = now
        self.pause = pause
    }

    func page(of topic: NewsTopic, from cursor: String?) async throws -> ServicePage {
        let number = cursor.flatMap { Int($0) } ?? 1
        if number > 1 { try await Task.sleep(for: pause) }
        let name = topic.section.map { Self.sections[$0] ?? $0 }
        let section = name.map { "&section=\($0)" } ?? ""
        let reply = try await connection.json(
            "/search?order-by=newest&page=\(number)&page-size=\(topic.isBreaking ? Self.breaking : Self.pageSize)"
                + "\(section)&show-fields=trailText,body,byline",
            minimumAge: MinimumAge.page(isFirst: number == 1, isBreaking: topic.isBreaking),
            isAnswer: { JSONObject($0)?.object("response")?.text("status") == "ok" },
            refusal: { status, _ in
                // An unknown section.
                guard status == 400 || status == 404 else { return nil }
                return PulseError(
                    .noInput, "\(Self.name) has no section “\(name ?? "")”.",
                    hint: "Its sections are the first word in the addresses of its articles, such as world or uk-news.")
            })
        let response = JSONObject(reply.json)?.object("response")
        let results = response?.objects("results") ?? []
        var page = ServicePage(answer: reply.answer)
        page.articles = results.compactMap(article)
        page.oldest = results.compactMap { SourceTime.parse($0.text("webPublicationDate"), now: now) }.min()
        if !topic.isBreaking, let pages = response?.number("pages"), Double(number) < pages, !results.isEmpty {
            page.next = String(number + 1)
        }
        return page
    }

    /// Nil for live blogs, galleries, crosswords and the like.
    private func article(_ result: JSONObject) -> Article? {
        guard result.text("type") == "article", let id = result.text("id") else { return nil }
        let section = result.text("sectionId") ?? ""
        let category = Self.categories.first { $0.value.contains(section) }?.key
        let fields = result.object("fields")
        let draft = ArticleDraft(
            id: id, url: result.text("webUrl"), title: result.text("webTitle") ?? "",
            summary: fields?.text("trailText") ?? "", content: fields?.text("body") ?? "", contentForm: .html,
            author: fields?.text("byline"), source: Self.name.description,
            category: category ?? result.text("sectionName"), language: "en",
            publishedAt: SourceTime.parse(result.text("webPublicationDate"), now: now).map { min($0, now) })
        return try? draft.article()
    }
}
