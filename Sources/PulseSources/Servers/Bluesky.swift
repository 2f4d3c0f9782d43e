import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

extension ServerKind {
    static let bluesky = ServerKind(
        name: "bluesky", program: "Bluesky", example: "https://public.api.bsky.app", hasOneAddress: true,
        asksUser: true, isPublic: true, keyName: "", keyHint: "", summary: "Bluesky, what you liked and shared there",
        details: """
            What you liked or reposted counts as read, exactly when you did; so does what you posted a link to. Of a
            post with a link card, the article is what the card tells of the page; of another one, the post. All of it
            is public, so no password is needed. NAME is your handle, such as alice.example.
            """,
        signIn: { connection, credentials in
            guard let user = BlueskyName.actor(credentials.user) else {
                throw PulseError(
                    .usage, "This is not a handle.",
                    hint: "A handle looks like the name of a host, such as alice.bsky.social.")
            }
            _ = try await BlueskyNetwork(appView: connection).repository(of: user)
            return (connection.address, user)
        },
        open: { BlueskySource($0, BlueskyNetwork(appView: $0.connection)) })
}

/// Bluesky's servers: the AppView indexes all posts, and each account stores its records on a server of its choice (its
/// PDS).
struct BlueskyNetwork {
    let appView: ServerConnection
    /// The directory that resolves did:plc identifiers (https://web.plc.directory).
    var directory = "https://plc.directory"

    /// The repository that holds an account's records.
    typealias Repository = (did: String, server: ServerConnection)

    /// Resolves a handle or a DID.
    func repository(of user: String) async throws -> Repository {
        var did = user
        if !user.hasPrefix("did:") {
            let answer = try await appView.xrpc("com.atproto.identity.resolveHandle", [("handle", user)])
            guard let found = answer.text("did"), BlueskyName.actor(found) == found else { throw unknown(user) }
            did = found
        }
        let document = try await document(of: did)
        let service = document.objects("service").first {
            $0.text("id")?.hasSuffix("#atproto_pds") == true && $0.text("type") == "AtprotoPersonalDataServer"
        }
        guard document.text("id") == did, let endpoint = service?.text("serviceEndpoint"),
            let server = server(endpoint)
        else {
            throw PulseError(
                .noInput, "The account \(user) names no server for its records.",
                hint: "It may have been deleted: look at https://bsky.app/profile/\(user).")
        }
        return (did: did, server: server)
    }

    /// The posts with these URIs, at most 25. Deleted ones are missing.
    func posts(_ uris: [String], now: Date) async throws -> [BlueskyPost] {
        try await appView.xrpc("app.bsky.feed.getPosts", uris.map { ("uris", $0) }).objects("posts")
            .compactMap { BlueskyPost(view: $0, now: now) }
    }

    /// The DID document of an account (https://www.w3.org/TR/did-core).
    private func document(of did: String) async throws -> JSONObject {
        let isWeb = did.hasPrefix("did:web:")
        let host = did.dropFirst(8)
        let name = host.replacing("%3A", with: ":").replacing("%3a", with: ":")
        // Plain HTTP for localhost, as in tests.
        let scheme = name.split(separator: ":").first == "localhost" ? "http" : "https"
        let address = isWeb ? server("\(scheme)://\(name)") : server(directory)
        guard let address, !isWeb || !host.contains(":") else { throw unknown(did) }
        let response = try await address.send(isWeb ? "/.well-known/did.json" : "/\(did)")
        if [404, 410].contains(response.status) { throw unknown(did) }
        try address.check(response)
        guard let document = JSONObject(try address.json(in: response)) else { throw unknown(did) }
        return document
    }

    /// A server that a third party named. It may be in a private network only if it is the user's own.
    private func server(_ address: String) -> ServerConnection? {
        guard WebAddress(address) != nil, !address.contains("?"), !address.contains("#") else { return nil }
        var server = appView.moved(to: address.hasSuffix("/") ? String(address.dropLast()) : address)
        server.isFromUser = WebAddress.isSameHost(address, appView.address)
        server.allowsPlainHTTP = server.isFromUser && appView.allowsPlainHTTP
        return server
    }

    private func unknown(_ user: String) -> PulseError {
        PulseError(.noInput, "Bluesky has no account \(user).", hint: "Check its spelling: alice.bsky.social.")
    }
}

extension ServerConnection {
    /// A method of https://docs.bsky.app/docs/category/http-reference.
    fileprivate func xrpc(_ method: String, _ parameters: [(String, String)]) async throws -> JSONObject {
        let response = try await send("/xrpc/\(method)?\(URLQuery.text(parameters))")
        if [400, 401, 403].contains(response.status), let name = JSONObject(response.body)?.text("error") {
            let cause = "\(host): \(PlainText.line(name, limit: 60))"
            throw PulseError(
                .noInput, "\(host) does not show that account or its records (status \(response.status)).",
                hint: "It may be spelled otherwise, deleted or suspended.", cause: cause)
        }
        try check(response)
        guard let object = JSONObject(try json(in: response)) else {
            throw PulseError(
                .badData, "\(host) does not answer like a \(program) server.", hint: "Try again later.",
                cause: "\(host): no object")
        }
        return object
    }
}

/// The user's likes, reposts and posts with a link card: the only public traces of reading on Bluesky.
///
/// Each is a collection of records whose keys grow with time. It is listed from the oldest record on, so that a later
/// run continues after the last key.
final class BlueskySource: ArticleSource {
    var origin: String { account.origin }
    var name: String { "@" + user }

    private let account: ServerAccount
    private var user: String { account.credentials.user }
    private var now: Date { account.now }
    private let network: BlueskyNetwork
    private var repository: BlueskyNetwork.Repository?
    private var state: SyncCursor<State>?
    private var collections = ["app.bsky.feed.like", "app.bsky.feed.repost", BlueskyURI.post]

    /// "Number of records to return, at most 100."
    private static let pageSize = 100
    /// "At most 25 URIs."
    private static let postsPerRequest = 25

    private struct State: Codable {
        /// By collection.
        var cursors: [String: Cursor] = [:]
        /// Whether a run reached the end.
        var isComplete = false

        private enum CodingKeys: String, CodingKey {
            case cursors = "places"
            case isComplete
        }
    }

    private struct Cursor: Codable {
        var cursor: String
        /// The key of the last record.
        var key: String
    }

    init(_ account: ServerAccount, _ network: BlueskyNetwork) {
        self.account = account
        self.network = network
    }

    func next(previousImport: Date?) async throws -> ImportBatch? {
        if state == nil {
            // Without a previous import, the local history was replaced or deleted.
            state = try SyncCursor(origin, in: account.memory, initial: State()) {
                previousImport == nil && $0.isComplete
            }
        }
        while let collection = collections.first {
            let page = try await page(of: collection)
            var batch = ImportBatch()
            if collection == BlueskyURI.post {
                for record in page.records { add(post: record, to: &batch) }
            } else {
                try await add(page.records, to: &batch, previousImport)
            }
            if let cursor = page.cursor { state?.value.cursors[collection] = cursor }
            if page.isLast { collections.removeFirst() }
            if !batch.readings.isEmpty || !batch.leftOut.isEmpty { return batch }
        }
        state?.value.isComplete = true
        return nil
    }

    func noteStored(isLast: Bool) throws { try state?.save(isLast: isLast) }

    // MARK: Records

    private typealias Record = (uri: BlueskyURI, value: JSONObject)

    private func page(of collection: String) async throws -> (records: [Record], cursor: Cursor?, isLast: Bool) {
        let repository = if let known = self.repository { known } else { try await network.repository(of: user) }
        self.repository = repository
        let cursor = state?.value.cursors[collection]
        var parameters = [
            ("repo", repository.did), ("collection", collection), ("limit", String(Self.pageSize)), ("reverse", "true"),
        ]
        if let cursor { parameters.append(("cursor", cursor.cursor)) }
        let answer = try await repository.server.xrpc("com.atproto.repo.listRecords", parameters)
        let records = answer.objects("records").compactMap { record -> Record? in
            guard let uri = record.text("uri").flatMap({ BlueskyURI($0) }), uri.collection == collection,
                let value = record.object("value")
            else { return nil }
            return (uri: uri, value: value)
        }
        guard zip(records, records.dropFirst()).allSatisfy({ $0.uri.key < $1.uri.key }) else {
            throw PulseError(
                .badData, "\(repository.server.host) does not list records in the order that was asked for.",
                hint: "Nothing can be imported from this server.", cause: "\(repository.server.host): no order")
        }
        // A page without new records is the last one, even if it has a cursor.
        let new = records.filter { $0.uri.key > cursor?.key ?? "" }
        guard let last = new.last?.uri.key else { return ([], nil, true) }
        let next = answer.text("cursor")
        return (new, Cursor(cursor: next ?? last, key: last), next == nil)
    }

    // MARK: Readings

    /// Adds liked and reposted posts, which come from the AppView.
    private func add(_ records: [Record], to batch: inout ImportBatch, _ previousImport: Date?) async throws {
        // Feeds and lists can be liked too.
        let acts = records.compactMap { record -> (uri: String, time: Date?)? in
            guard let uri = record.value.object("subject")?.text("uri"),
                BlueskyURI(uri)?.collection == BlueskyURI.post
            else { return nil }
            return (uri, SourceTime.parse(record.value.text("createdAt"), now: now))
        }
        for start in stride(from: 0, to: acts.count, by: Self.postsPerRequest) {
            let part = acts[start..<min(start + Self.postsPerRequest, acts.count)]
            let found = try await network.posts(Array(Set(part.map(\.uri))).sorted(), now: now)
            let posts = Dictionary(found.map { ($0.uri, $0) }) { first, _ in first }
            for act in part {
                guard let post = posts[act.uri] else {
                    batch.leftOut[.gone, default: 0] += 1
                    continue
                }
                let time = act.time.map { min($0, now) }
                let estimate = ImportBatch.approximateTime(
                    published: post.postedAt, previousImport: previousImport, now: now)
                add(post, readAt: time ?? estimate, isExact: time != nil, to: &batch)
            }
        }
    }

    /// Adds the page that a post of the user links to.
    private func add(post record: Record, to batch: inout ImportBatch) {
        guard let post = BlueskyPost(record: record.value, uri: record.uri.text, handle: user, now: now), post.isCard
        else { return }
        add(post, readAt: min(post.postedAt ?? now, now), isExact: post.postedAt != nil, to: &batch)
    }

    private func add(_ post: BlueskyPost, readAt: Date, isExact: Bool, to batch: inout ImportBatch) {
        switch post.hiding {
        case .label: batch.leftOut[.labelled, default: 0] += 1
        case .loginOnly: batch.leftOut[.loginOnly, default: 0] += 1
        case nil: batch.add(post.draft, readAt: readAt, isExact: isExact, origin: origin)
        }
    }
}
