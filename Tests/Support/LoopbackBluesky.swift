public import Foundation
public import Synchronization

/// A Bluesky of one machine: the AppView, the directory of accounts and the server of one account's records.
///
/// Post N is gone where N ends in 7, has a label where it ends in 8, and is for people with a login where it ends in 9;
/// of the others, the even ones have a link card.
public final class LoopbackBluesky: Sendable {
    /// Of the account.
    public struct Records: Sendable {
        /// The numbers of posts, in the order in which they were liked.
        public var likes: [Int] = []
        public var reposts: [Int] = []
        /// The account's own posts.
        public var posts: [Int] = []
        public var handle = "alice.example"
        /// Where the account says that its records are; nil: here.
        public var home: String?
        /// What the server of the records does instead of answering.
        public var fault: LoopbackResponse?
        /// Gives the newest first, whatever is asked for.
        public var ignoresOrder = false

        public init() {}
    }

    public let records: Mutex<Records>
    public let server: LoopbackServer
    /// As the tests name it, `127.0.0.1` or `localhost`.
    public let address: String
    private let isWeb: Bool

    /// When post 0 was liked: 20 November 2026, 20:00 in UTC. Each number is a minute later.
    public static let start = Date(timeIntervalSince1970: 1_795_204_800)

    /// - Parameter isWeb: whether the account's DID is of the method `web`, so that no directory is needed.
    public init(_ records: Records, isWeb: Bool = false) throws {
        let box = Box()
        let server = try LoopbackServer { request, _ in box.answer(request) }
        self.server = server
        self.isWeb = isWeb
        address = "http://\(isWeb ? "localhost" : "127.0.0.1"):\(server.port)"
        self.records = Mutex(records)
        box.network.withLock { $0.value = self }
    }

    public var did: String { isWeb ? "did:web:localhost%3A\(server.port)" : "did:plc:alice" }

    /// The methods that were asked for, with the beginnings of their parameters.
    public var asked: [String] {
        server.requests.map { request in
            let method = request.target.prefix { $0 != "?" }
            return String(method.split(separator: "/").last ?? "")
        }
    }

    /// Breaks the circle of the server, which needs the answers, and the answers, which need its port.
    private final class Box: Sendable {
        struct Weak: Sendable { weak var value: LoopbackBluesky? }
        let network = Mutex(Weak())

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            network.withLock { $0.value }?.answer(request) ?? LoopbackResponse(status: 503)
        }
    }

    private func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let records = records.withLock { $0 }
        let parts = URLComponents(string: request.target)
        let query = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        func value(_ name: String) -> String? { query.first { $0.0 == name }?.1 }
        let path = parts?.path ?? ""
        switch path.split(separator: "/").last {
        case "com.atproto.identity.resolveHandle":
            guard value("handle") == records.handle else {
                return .json(["error": "InvalidRequest", "message": "Unable to resolve handle"], status: 400)
            }
            return .json(["did": did])
        case "did.json", "did:plc:alice":
            return .json([
                "id": did,
                "service": [
                    ["id": "#other", "type": "Other", "serviceEndpoint": "https://other.example"],
                    [
                        "id": "#atproto_pds", "type": "AtprotoPersonalDataServer",
                        "serviceEndpoint": records.home ?? address,
                    ],
                ],
            ])
        case "com.atproto.repo.listRecords":
            if let fault = records.fault { return fault }
            guard value("repo") == did else { return .json(["error": "RepoNotFound"], status: 400) }
            return list(value("collection") ?? "", after: value("cursor"), records)
        case "app.bsky.feed.getPosts":
            let numbers = query.filter { $0.0 == "uris" }.compactMap { Int($0.1.split(separator: "/").last ?? "") }
            guard numbers.count <= 25 else { return .json(["error": "InvalidRequest"], status: 400) }
            return .json(["posts": numbers.filter { $0 % 10 != 7 }.map(view)])
        default: return LoopbackResponse(status: 404)
        }
    }

    private func list(_ collection: String, after cursor: String?, _ records: Records) -> LoopbackResponse {
        let numbers =
            switch collection {
            case "app.bsky.feed.like": records.likes
            case "app.bsky.feed.repost": records.reposts
            default: records.posts
            }
        var all = numbers.indices.map { (key: "3k" + String(100_000 + $0), number: numbers[$0]) }
        if records.ignoresOrder { all.reverse() }
        let page = all.filter { $0.key > cursor ?? "" }.prefix(100)
        var answer: [String: Any] = [
            "records": page.map { key, number -> [String: Any] in
                var value: [String: Any] = ["createdAt": time(number)]
                if collection == "app.bsky.feed.post" {
                    value["text"] = "My post \(number)"
                    if number % 2 == 0 { value["embed"] = ["external": card(number)] }
                } else {
                    value["subject"] = ["uri": "at://did:plc:bob/app.bsky.feed.post/\(number)", "cid": "b"]
                }
                return ["uri": "at://\(did)/\(collection)/\(key)", "cid": "b", "value": value]
            }
        ]
        answer["cursor"] = page.last?.key
        return .json(answer)
    }

    private func view(_ number: Int) -> [String: Any] {
        var author: [String: Any] = ["did": "did:plc:bob", "handle": "bob.example", "displayName": "Bob"]
        if number % 10 == 9 { author["labels"] = [["val": "!no-unauthenticated"]] }
        var view: [String: Any] = [
            "uri": "at://did:plc:bob/app.bsky.feed.post/\(number)", "author": author, "indexedAt": time(number - 60),
            "record": ["text": "Post \(number) of Bob", "createdAt": time(number - 60), "langs": ["en"]],
            "labels": number % 10 == 8 ? [["val": "porn"]] : [],
        ]
        if number % 2 == 0 { view["embed"] = ["external": card(number)] }
        return view
    }

    private func card(_ number: Int) -> [String: Any] {
        ["uri": "https://herald.example/\(number)", "title": "Story \(number)", "description": "What \(number) tells."]
    }

    private func time(_ number: Int) -> String {
        Self.start.addingTimeInterval(Double(number) * 60).formatted(.iso8601)
    }
}
