import PulseTestSupport
import Synchronization

/// A server of feeds that say what they are told to.
final class FeedServer: Sendable {
    /// An item of a feed.
    struct Item: Sendable {
        var id: String
        var title: String
        var text: String
        var link: String?
        var date = "2026-11-21T18:00:00Z"

        fileprivate var element: String {
            "<item><title>\(title)</title><guid isPermaLink=\"false\">\(id)</guid>"
                + (link.map { "<link>\($0)</link>" } ?? "")
                + "<pubDate>\(date)</pubDate><description>\(text)</description></item>"
        }
    }

    private let server: LoopbackServer
    private let shared: Answers

    init() throws {
        let answers = Answers()
        server = try LoopbackServer { request, _ in answers.answer(request) }
        shared = answers
    }

    private final class Answers: Sendable {
        let all = Mutex<[String: LoopbackResponse]>([:])

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            let response = all.withLock { $0[request.target] } ?? LoopbackResponse(status: 404)
            let tag = response.headers["ETag"]
            return tag != nil && request.headers["if-none-match"] == tag ? LoopbackResponse(status: 304) : response
        }
    }

    var requests: [LoopbackRequest] { server.requests }

    func url(_ path: String) -> String { server.url(path) }

    /// What a path answers from now on.
    func set(_ path: String, _ response: LoopbackResponse) { shared.all.withLock { $0["/" + path] = response } }

    func set(_ path: String, title: String, _ items: [Item]) { set(path, title: title, raw: items.map(\.element)) }

    /// - Parameter items: Elements.
    func set(_ path: String, title: String, raw items: [String]) {
        let body = FeedServer.rss(title: title, raw: items)
        let headers = ["Content-Type": "application/rss+xml", "ETag": "\"\(body.hashValue)\""]
        set(path, LoopbackResponse(headers: headers, text: body))
    }

    static func rss(title: String, _ items: [Item]) -> String { rss(title: title, raw: items.map(\.element)) }

    private static func rss(title: String, raw items: [String]) -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>"
            + items.joined(separator: "\n") + "</channel></rss>"
    }
}
