public import Foundation
public import PulseCore
import PulseMarkup
public import PulsePlatform
import PulseText

/// A kind of server that people read on, as the command `import` offers it.
public struct ServerKind: Sendable {
    /// The argument of `import`, such as `miniflux`.
    public let name: String
    /// The server's software, such as `Miniflux`.
    public let program: String
    /// An example of an address; for a single service, its address.
    public let example: String
    /// Whether `example` is the only address, or the one that nearly all users have.
    public var hasOneAddress = false
    /// Whether the user's name is asked for; otherwise the key identifies the user.
    public let asksUser: Bool
    /// Whether all its data is public. Then no key is asked for, and the command line takes the user's name instead of
    /// an address.
    public var isPublic = false
    /// The key's name: `API key` or `password`.
    public let keyName: Message
    /// A sentence that says where to find the key.
    public let keyHint: Message
    /// One line for the list in the help.
    public let summary: Message
    /// The rest of the help, in whole sentences.
    public let details: Message
    /// Path suffixes to remove from an address, because requests contain them.
    var trimmed: [String] = []
    /// Signs in. Returns the address that accepted the user, and the user's name there.
    let signIn: @Sendable (ServerConnection, Credentials) async throws -> (address: String, user: String)
    let open: @Sendable (ServerAccount) -> any ArticleSource

    /// All kinds, in the order of the help.
    public static let all: [ServerKind] = [.bluesky, .feedbin, .greader, .miniflux, .newsBlur, .tinyTinyRSS]

    /// Signs in to the server.
    /// - Returns: the address that accepted the user, and the user's name there. Both identify the account.
    public func signIn(
        address: String, allowsPlainHTTP: Bool = false, credentials: Credentials, client: any HTTPClient
    ) async throws -> (address: String, user: String) {
        try await signIn(connection(address, allowsPlainHTTP, client), credentials)
    }

    /// A source of what one user has read.
    /// - Parameters:
    ///   - address: as `signIn` returned it.
    ///   - allowsPlainHTTP: whether the user allowed sending the key unencrypted.
    ///   - memory: stores the sync cursor.
    public func source(
        address: String, allowsPlainHTTP: Bool = false, credentials: Credentials, client: any HTTPClient,
        memory: any SyncCursorStore, now: Date
    ) -> any ArticleSource {
        open(
            ServerAccount(
                origin: origin(address: address, user: credentials.user),
                connection: connection(address, allowsPlainHTTP, client), credentials: credentials, memory: memory,
                now: now))
    }

    /// The origin of an account's articles: `miniflux:ana@rss.example.org`.
    public func origin(address: String, user: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return "\(name):\(user)@\(rest)"
    }

    /// Normalises an address that a person typed or copied from a browser: adds a scheme, and removes the user, the
    /// query and the `trimmed` suffixes. Nil if it is no address.
    public func address(_ text: String) -> String? {
        var text = text.trimmed
        if !text.contains("://") { text = "https://" + text }
        guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { return nil }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        parts.scheme = scheme
        parts.host = host.lowercased()
        // Only of the path: a server in the local network may be called `api`.
        var path = parts.percentEncodedPath
        while let end = (["/"] + trimmed).first(where: path.hasSuffix) { path.removeLast(end.count) }
        parts.percentEncodedPath = path
        return ArticleURL.clean(parts.string ?? text)
    }

    /// The user's name that was given instead of an address, for public kinds; nil for an address.
    public func userName(_ text: String) -> String? { isPublic ? BlueskyName.actor(text) : nil }

    private func connection(_ address: String, _ allowsPlainHTTP: Bool, _ client: any HTTPClient) -> ServerConnection {
        ServerConnection(
            program: program, command: name, address: address, allowsPlainHTTP: allowsPlainHTTP, example: example,
            keyHint: keyHint, client: client)
    }
}

/// A user and the means to sign in.
public struct Credentials: Sendable {
    /// Empty if the key alone identifies the user.
    public let user: String
    /// Gets the key or password. Called only when needed, because it may start a program.
    public let key: @Sendable () async throws -> Secret

    public init(user: String, key: @escaping @Sendable () async throws -> Secret) {
        self.user = user
        self.key = key
    }

    /// HTTP Basic authentication (RFC 7617).
    func basic() async throws -> (name: String, value: String) {
        let text = "\(user):\(try await key().revealed())"
        return (name: "Authorization", value: "Basic " + Data(text.utf8).base64EncodedString())
    }
}

struct FeedAddresses {
    let origin: String
    /// The URLs of an account's feeds, by the server's feed id.
    let addresses: [String: String]

    /// The URL of a feed. For an unsubscribed feed, a name that stands for it. Nil if the server reports no URLs at
    /// all.
    func address(of feed: String) -> String? {
        addresses.isEmpty || feed.isEmpty ? nil : addresses[feed] ?? "\(origin)/\(feed)"
    }
}

struct ServerAccount: Sendable {
    let origin: String
    var connection: ServerConnection
    let credentials: Credentials
    let memory: any SyncCursorStore
    let now: Date
}

extension ArticleDraft {
    /// Sets the article's id. An article with a URL is identified by that, so that every program's copy of it is the
    /// same article; otherwise by the server's number.
    ///
    /// A feed's entry about a page on another host gets an id of that feed, so that it cannot replace other feeds'
    /// texts about the page.
    /// - Parameter feed: the feed's URL or a substitute for it; nil if the server reports neither.
    mutating func fit(_ number: String, of origin: String, feed: String?) {
        // Miniflux's and NewsBlur's names for the default folder.
        if let name = category?.lowercased(), ["all", "_"].contains(name) { category = nil }
        guard let page = url.flatMap(ArticleURL.clean) else {
            id = "\(origin)#\(number)"
            return
        }
        if let feed, !WebURL.haveSameSite(feed, page) { id = ArticleKey.inFeed(page, feed) }
    }
}

/// Stores the sync cursors of sources, one for each origin.
public protocol SyncCursorStore: Sendable {
    /// The saved cursor; nil: there is none.
    func load(_ origin: String) throws -> Data?
    func save(_ data: Data, for origin: String) throws
}

/// A source's position, saved so that the next run continues from there.
///
/// A cursor is saved when the articles before it are stored (see `ArticleSource.noteStored(isLast:)`), but at most
/// every two seconds, because saving for every batch would take longer than the import. After a kill, the last seconds
/// are imported again.
struct SyncCursor<Value: Codable> {
    var value: Value {
        didSet { isChanged = true }
    }
    private let memory: any SyncCursorStore
    private let origin: String
    private var isChanged = false
    private var savedAt = ContinuousClock.now

    /// The saved value, or `initial` if there is none that can be decoded, or if it `isOutdated`.
    init(
        _ origin: String, in memory: any SyncCursorStore, initial: Value, isOutdated: (Value) -> Bool = { _ in false }
    ) throws {
        let saved = try memory.load(origin).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
        value = saved.flatMap { isOutdated($0) ? nil : $0 } ?? initial
        self.memory = memory
        self.origin = origin
    }

    /// Saves the value if it has changed: at most every two seconds, unless `isLast`.
    mutating func save(isLast: Bool) throws {
        guard isChanged, isLast || savedAt.duration(to: .now) > .seconds(2) else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(value) else { preconditionFailure("a cursor that cannot be encoded") }
        try memory.save(data, for: origin)
        isChanged = false
        savedAt = .now
    }
}
