public import Foundation
public import PulseCore
import PulseMarkup
public import PulsePlatform
import PulseText

/// One kind of server that people read on, as the command `import` offers it.
public struct ServerKind: Sendable {
    /// What follows `pulse-digest import`, such as `miniflux`.
    public let name: String
    /// What the server runs, such as `Miniflux`.
    public let program: String
    /// What an address looks like; for a service that there is one of, its address.
    public let example: String
    /// Whether that address is the only one, or the one that nearly everybody uses.
    public var hasOneAddress = false
    /// Whether a user's name is asked for; else the key tells it.
    public let asksUser: Bool
    /// Whether all that it tells is public: then no key is asked for, and what follows the name on the command line is
    /// the user's name.
    public var isPublic = false
    /// What is asked for, such as `API key` or `password`.
    public let keyName: Message
    /// Where to find the right key, in a sentence.
    public let keyHint: Message
    /// What it reads, in a few words, for the list in the help.
    public let summary: Message
    /// The rest of its help, in whole sentences.
    public let details: Message
    /// Ends of addresses that people copy and that the program adds itself.
    var trimmed: [String] = []
    /// Finds out whether the server accepts the user; the address at which it does, and the user's name there.
    let signIn: @Sendable (ServerConnection, Credentials) async throws(PulseError) -> (address: String, user: String)
    let open: @Sendable (ServerAccount) -> any ArticleSource

    /// What may follow the name on the command line.
    public var operands: String { isPublic ? "NAME" : hasOneAddress ? "[URL]" : "URL" }

    /// All there are, in the order of the help.
    public static let all: [ServerKind] = [
        .bluesky,
        .feedbin,
        .greader,
        .miniflux,
        .newsBlur,
        .tinyTinyRSS,
    ]

    /// Asks the server whether it accepts the user.
    /// - Returns: the address at which it does, and the user's name there: what to remember of the account.
    public func signIn(
        address: String, allowsPlainHTTP: Bool = false, credentials: Credentials, client: any HTTPClient
    ) async throws(PulseError) -> (address: String, user: String) {
        try await signIn(connection(address, allowsPlainHTTP, client), credentials)
    }

    /// What was read by one user.
    /// - Parameters:
    ///   - address: as `signIn` returned it.
    ///   - allowsPlainHTTP: whether the user said that the key may be sent unencrypted.
    ///   - memory: where the source notes how far it came.
    public func source(
        address: String, allowsPlainHTTP: Bool = false, credentials: Credentials, client: any HTTPClient,
        memory: any SourceMemory, now: Date
    ) -> any ArticleSource {
        let connection = connection(address, allowsPlainHTTP, client)
        return open(
            ServerAccount(
                origin: origin(address: address, user: credentials.user), connection: connection,
                credentials: credentials, memory: memory, now: now))
    }

    /// The name of an account in the history: `miniflux:ana@rss.example.org`.
    public func origin(address: String, user: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return "\(name):\(user)@\(rest)"
    }

    /// An address as a person writes it, or copies it from a browser, in the form in which it is remembered: with a
    /// scheme, and without a user, a query and what `trimmed` says. Nil where it is none.
    public func address(_ text: String) -> String? {
        var text = text.trimmed
        if !text.contains("://") { text = "https://" + text }
        guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { return nil }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        parts.scheme = scheme
        parts.host = host.lowercased()
        var address = parts.string ?? text
        while let end = (["/"] + trimmed).first(where: address.hasSuffix) { address.removeLast(end.count) }
        return ArticleURL.clean(address)
    }

    /// The user that stands in the place of an address, where the kind is public; nil where it is an address.
    public func userName(_ text: String) -> String? { isPublic ? BlueskyName.actor(text) : nil }

    private func connection(
        _ address: String, _ allowsPlainHTTP: Bool, _ client: any HTTPClient
    ) -> ServerConnection {
        ServerConnection(
            program: program, command: name, address: address, allowsPlainHTTP: allowsPlainHTTP, example: example,
            keyHint: keyHint, client: client)
    }
}

/// Who reads, and how that is proved.
public struct Credentials: Sendable {
    /// Empty where the key alone tells.
    public let user: String
    /// Gets the key or the password. Called when it is needed, and not before: it may start a program.
    public let key: @Sendable () async throws(PulseError) -> Secret

    public init(user: String, key: @escaping @Sendable () async throws(PulseError) -> Secret) {
        self.user = user
        self.key = key
    }
}

/// The addresses of an account's feeds, by what the server calls these.
struct FeedAddresses {
    private let origin: String
    private let addresses: [String: String]

    init(_ origin: String, _ addresses: [(feed: String?, address: String?)]) {
        self.origin = origin
        let known = addresses.compactMap { feed, address in feed.flatMap { feed in address.map { (feed, $0) } } }
        self.addresses = Dictionary(known) { first, _ in first }
    }

    /// What stands for one that is not followed any more is its name. Nil where the server tells no addresses.
    func address(of feed: String) -> String? {
        addresses.isEmpty || feed.isEmpty ? nil : addresses[feed] ?? "\(origin)/\(feed)"
    }
}

/// What a server's source needs.
struct ServerAccount: Sendable {
    let origin: String
    let connection: ServerConnection
    let credentials: Credentials
    let memory: any SourceMemory
    /// The moment of the import.
    let now: Date
}

extension ArticleDraft {
    /// Fits the draft to what all servers have in common. An article is known by its URL, so that it is one and the
    /// same in every program; without one, by the number that the server gave it.
    ///
    /// One feed, one voice: what a feed says of a page of another server is an article of that feed alone, which changes
    /// nothing of what others say of the page, and takes its place from none.
    /// - Parameter feed: the feed's address, or what stands for it; nil where the server tells neither.
    mutating func fit(_ number: String, of origin: String, feed: String?) {
        // What Miniflux and FreshRSS call the folder of the feeds that are in none.
        if let name = category?.lowercased(), ["all", "uncategorized", "_"].contains(name) { category = nil }
        guard let page = url.flatMap(ArticleURL.clean) else {
            id = "\(origin)#\(number)"
            return
        }
        if let feed, !WebURL.areOfOneServer(feed, page) { id = ArticleKey.inFeed(page, feed) }
    }
}

extension LeftOut {
    static let tooLong = LeftOut(words: "longer than an answer of a server may be")
}

extension ImportBatch {
    /// Adds an article that was read, or marked together with many others.
    mutating func add(_ draft: ArticleDraft, readAt: Date, isExact: Bool, isBulk: Bool, origin: String) {
        let count = readings.count
        add(draft, readAt: readAt, isExact: isExact, origin: origin)
        if isBulk, readings.count > count { bulk.insert(readings[count].article.id) }
    }

    /// Adds an article that was starred; one that has no text is not worth keeping.
    mutating func add(star draft: ArticleDraft, savedAt: Date?) {
        if let article = try? draft.article() { starred.append(Bookmark(article: article, savedAt: savedAt)) }
    }
}
