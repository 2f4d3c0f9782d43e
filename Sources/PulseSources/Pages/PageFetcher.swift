public import Foundation
public import PulseCore
public import PulsePlatform

/// Why a page gave no text.
public enum PageError: String, Sendable, Hashable, Codable, CaseIterable {
    case refusedByRobots, refused, notAsked, notFound, paywall, noArticle, notHTML, tooLarge, unreachable, later

    /// Follows the number of articles in a message.
    public var words: Message {
        switch self {
        case .refusedByRobots: "refused by robots.txt"
        case .refused: "refused by the site"
        case .notAsked: "not fetched (on this machine, in a private network or unencrypted)"
        case .notFound: "not found"
        case .paywall: "behind a paywall"
        case .noArticle: "without an article"
        case .notHTML: "not a web page"
        case .tooLarge: "too large"
        case .unreachable: "out of reach"
        case .later: "left for the next import"
        }
    }
}

/// Fetches linked articles politely: one page at a time from each host, with a pause, only what robots.txt allows, and
/// no page twice within a week.
///
/// Links come from articles, so they are untrusted. The requests are not marked as the user's, so the client refuses
/// this machine and private networks.
public struct PageFetcher: Sendable {
    public struct Limits: Sendable {
        /// Between two requests to one host. A robots.txt may ask for more.
        public var pause: Duration = .seconds(1)
        /// The number of hosts that are fetched from concurrently.
        public var hosts = 4
        /// For all pages together. The rest is left for the next time.
        public var totalTime: Duration = .seconds(15 * 60)

        public init() {}
    }

    public enum Outcome: Sendable {
        case text(PageText)
        case problem(PageError)
    }

    private let client: any HTTPClient
    private let cache: PageCache
    private let now: Date
    private let limits: Limits

    public static var policy: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.userAgent = "\(RobotsRules.agent) (reads articles for one person; asks once)"
        policy.sizeLimit = PageSource.longest
        policy.totalTimeout = .seconds(30)
        policy.stallTimeout = .seconds(15)
        policy.connectTimeout = .seconds(10)
        // A busy site is skipped for the rest of the run.
        policy.retries = 0
        return policy
    }

    /// - Parameter cacheFolder: created if it is missing.
    public init(client: any HTTPClient, cacheFolder: String, now: Date, limits: Limits = Limits()) {
        self.client = client
        self.cache = PageCache(folder: cacheFolder, now: now)
        self.now = now
        self.limits = limits
    }

    /// The result of each page, in the order of completion. Ending the iteration cancels the fetching.
    public func pages(of urls: [String]) -> AsyncStream<(url: String, outcome: Outcome)> {
        AsyncStream { continuation in
            let task = Task {
                await fetch(urls, continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func fetch(
        _ urls: [String], _ continuation: AsyncStream<(url: String, outcome: Outcome)>.Continuation
    ) async {
        let deadline = ContinuousClock.now + limits.totalTime
        var hosts: [String] = []
        var addresses: [String: [WebAddress]] = [:]
        for url in urls {
            guard let address = WebAddress(url) else {
                continuation.yield((url, .problem(.notHTML)))
                continue
            }
            if addresses[address.host] == nil { hosts.append(address.host) }
            addresses[address.host, default: []].append(address)
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, host) in hosts.enumerated() {
                if index >= limits.hosts { await group.next() }
                let queue = addresses[host] ?? []
                group.addTask {
                    var visit = HostVisit(client: client, cache: cache, now: now, pause: limits.pause)
                    for address in queue {
                        guard !Task.isCancelled else { return }
                        let isLate = ContinuousClock.now >= deadline
                        guard let outcome = await visit.outcome(address, isLate: isLate) else { return }
                        continuation.yield((address.text, outcome))
                    }
                }
            }
        }
    }
}

/// Fetches pages from one host, one after the other.
private struct HostVisit {
    let client: any HTTPClient
    let cache: PageCache
    let now: Date
    let pause: Duration

    var robots: [String: RobotsRules] = [:]
    var lastAnswer: ContinuousClock.Instant?
    /// Why no more pages of the host are fetched.
    var ending: PageError?
    var failures = 0

    /// A host is skipped after this many failures in a row.
    private static let mostFailures = 2
    /// In seconds; the longest pause that a robots.txt may ask for.
    private static let longestPause = 10.0

    /// Nil if the task was cancelled.
    mutating func outcome(_ address: WebAddress, isLate: Bool) async -> PageFetcher.Outcome? {
        // A front page lists articles and is none itself.
        if address.path == "/" { return .problem(.noArticle) }
        let known = cache.page(address.text)
        if let known, cache.isFresh(known) { return outcome(known) }
        if isLate { return .problem(.later) }
        if let ending { return .problem(ending) }
        do {
            let rules = try await rules(address)
            guard rules.allows(address.path) else {
                if rules.isTemporary { return .problem(.refusedByRobots) }
                return keep(PageCache.Entry(url: address.text, fetchedAt: now, problem: .refusedByRobots))
            }
            let response = try await ask(address, known, delay: rules.delay)
            failures = 0
            return try await outcome(address, known, response)
        } catch {
            let error = error.asPulseError
            if error.code == .interrupted || Task.isCancelled { return nil }
            switch error.code {
            case .badData: return keep(PageCache.Entry(url: address.text, fetchedAt: now, problem: .tooLarge))
            // The client refused the address without a request.
            case .permission: return .problem(.notAsked)
            default:
                failures += 1
                if failures >= HostVisit.mostFailures { ending = .unreachable }
                return .problem(.unreachable)
            }
        }
    }

    private func outcome(_ entry: PageCache.Entry) -> PageFetcher.Outcome {
        if let article = entry.article { return .text(PageText(article: article, isBeginning: entry.isBeginning)) }
        return .problem(entry.problem ?? .noArticle)
    }

    private func keep(_ entry: PageCache.Entry) -> PageFetcher.Outcome {
        cache.keep(entry)
        return outcome(entry)
    }

    private mutating func outcome(
        _ address: WebAddress, _ known: PageCache.Entry?, _ response: HTTPResponse
    ) async throws -> PageFetcher.Outcome {
        var entry = PageCache.Entry(url: address.text, fetchedAt: now)
        switch response.status {
        case 200:
            // The client has followed redirects. The target may have rules of its own.
            if response.url != address.text, let last = WebAddress(response.url) {
                if last.path == "/" {
                    entry.problem = .notFound
                } else if try await !rules(last).allows(last.path) {
                    entry.problem = .refusedByRobots
                }
            }
            if entry.problem == nil { read(response, into: &entry) }
        case 304:
            guard var known, known.article != nil else { return .problem(.unreachable) }
            known.fetchedAt = now
            return keep(known)
        case 401, 403, 451: entry.problem = .refused
        case 402: entry.problem = .paywall
        case 404, 410: entry.problem = .notFound
        case 429, 503:
            ending = .later
            return .problem(.later)
        default: return .problem(.unreachable)
        }
        return keep(entry)
    }

    private func read(_ response: HTTPResponse, into entry: inout PageCache.Entry) {
        entry.entityTag = response.validators.entityTag
        entry.lastModified = response.validators.lastModified
        let type = response.headers["content-type"]
        let body = Inflater.unpacked(response.body, limit: PageSource.longest)
        guard type?.lowercased().contains("html") ?? body.prefix(500).contains(UInt8(ascii: "<")) else {
            entry.problem = .notHTML
            return
        }
        guard let page = PageText(page: body, contentType: type, url: response.url, now: now) else {
            entry.problem = PageText.isPaywalled(body, contentType: type) ? .paywall : .noArticle
            return
        }
        entry.article = page.article
        entry.isBeginning = page.isBeginning
    }

    private mutating func rules(_ address: WebAddress) async throws -> RobotsRules {
        if let rules = robots[address.origin] { return rules }
        var known = cache.robots(address.origin)
        if known == nil {
            let response = try await send(address, url: address.origin + "/robots.txt", accept: "text/plain")
            let isServed = (200...299).contains(response.status)
            if isServed || (400...499).contains(response.status) && response.status != 429 {
                let file = isServed ? response.body.prefix(RobotsRules.longest) : nil
                known = PageCache.Robots(origin: address.origin, fetchedAt: now, file: file)
            }
            if let known { cache.keep(known) }
        }
        let rules = known.map { $0.file.map { RobotsRules($0) } ?? .allowed } ?? .refused
        robots[address.origin] = rules
        return rules
    }

    private mutating func ask(
        _ address: WebAddress, _ known: PageCache.Entry?, delay: Double?
    ) async throws -> HTTPResponse {
        let pause = max(pause, .seconds(min(delay ?? 0, HostVisit.longestPause)))
        if let lastAnswer { try await Task.sleep(until: lastAnswer + pause, clock: .continuous) }
        let validators = known.flatMap {
            $0.article == nil ? nil : Validators(entityTag: $0.entityTag, lastModified: $0.lastModified)
        }
        return try await send(address, accept: "text/html,application/xhtml+xml", unlessAs: validators)
    }

    /// - Parameter url: nil: the address.
    private mutating func send(
        _ address: WebAddress, url: String? = nil, accept: String, unlessAs validators: Validators? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(url ?? address.text)
        request.headers = [("Accept", accept)]
        // The user read that page without encryption, so this request reveals nothing new.
        request.allowsPlainHTTP = !address.isEncrypted
        defer { lastAnswer = .now }
        return try await client.send(request, unlessAs: validators)
    }
}

/// Caches the articles of pages, and not the pages, which are fifty times larger.
struct PageCache: Sendable {
    struct Entry: Codable {
        let url: String
        var fetchedAt: Date
        var entityTag: String?
        var lastModified: String?
        var article: Article?
        var isBeginning = false
        var problem: PageError?
    }

    struct Robots: Codable {
        let origin: String
        let fetchedAt: Date
        /// Nil: the site has no such file.
        let file: Data?
    }

    /// Seconds before a page is fetched again.
    private static let freshness: TimeInterval = 7 * 86_400
    /// "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309, 2.4).
    private static let robotsFreshness: TimeInterval = 86_400

    private let folder: CacheFolder
    private let now: Date

    init(folder: String, now: Date) {
        self.folder = CacheFolder(folder, now: now)
        self.now = now
    }

    func page(_ url: String) -> Entry? { folder.read(Entry.self, url).flatMap { $0.url == url ? $0 : nil } }

    func isFresh(_ entry: Entry) -> Bool {
        // A robots.txt may change within a day.
        let limit = entry.problem == .refusedByRobots ? PageCache.robotsFreshness : PageCache.freshness
        return (0..<limit).contains(now.timeIntervalSince(entry.fetchedAt))
    }

    func robots(_ origin: String) -> Robots? {
        folder.read(Robots.self, "robots.txt:" + origin).flatMap {
            $0.origin == origin && (0..<PageCache.robotsFreshness).contains(now.timeIntervalSince($0.fetchedAt))
                ? $0 : nil
        }
    }

    func keep(_ entry: Entry) { folder.write(entry, entry.url) }

    func keep(_ robots: Robots) { folder.write(robots, "robots.txt:" + robots.origin) }
}
