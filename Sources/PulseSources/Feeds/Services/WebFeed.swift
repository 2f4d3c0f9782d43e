public import Foundation
public import PulseCore
import PulseMarkup
public import PulsePlatform

/// Feeds on the web: RSS, Atom and JSON Feed at an http or https address.
public struct WebFeed: FeedService {
    private let client: any HTTPClient

    public init(client: any HTTPClient) { self.client = client }

    /// The HTTP policy for feeds: half a minute per server, and 4 MiB per feed; the rest is ignored. A busy server is
    /// not retried before the next refresh.
    public static var policy: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(15)
        policy.stallTimeout = .seconds(20)
        policy.totalTimeout = FeedFetcher.patience
        policy.sizeLimit = FeedDocument.longest
        policy.retries = 0
        return policy
    }

    public func serves(_ address: String) -> Bool { WebAddress(address) != nil }

    public func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse {
        let validators = Validators(entityTag: feed.refresh.entityTag, lastModified: feed.refresh.lastModified)
        var request = WebFeed.request(for: feed.address, isNamed: feed.isNamed)
        let types =
            "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8"
        request.headers = [(name: "Accept", value: types)]
        let response = try await client.send(
            request, unlessAs: feed.refresh.isConditional(at: now, id: feed.id) ? validators : nil)
        let wait = response.maxAge.map(now.addingTimeInterval)
        switch response.status {
        case 304:
            return FeedResponse(
                movedTo: response.movedTo, entityTag: response.validators.entityTag,
                lastModified: response.validators.lastModified, notBefore: wait)
        case 200..<300:
            var contents = try await WebFeed.contents(of: response, now: now)
            // The user knows the feed by this name, even if the feed is renamed.
            if feed.title != feed.address {
                let name = ArticleDraft.name(feed.title, limit: 100)
                for index in contents.entries.indices { contents.entries[index].source = name }
            }
            let wanted = contents.interval.map(now.addingTimeInterval)
            let size = "\(FeedDocument.longest >> 20) MiB"
            var notes: [Message] =
                (response.isWhole ? [] : ["It is larger than \(size), and only its beginning was read."])
                + contents.cuts
            var validators = response.validators
            if response.isWhole, contents.isTruncated {
                notes.append("It is cut off in the middle: some entries may be missing.")
                // With validators, the rest would never be fetched.
                validators = Validators(entityTag: nil, lastModified: nil)
            }
            return FeedResponse(
                contents: contents, movedTo: response.movedTo, entityTag: validators.entityTag,
                lastModified: validators.lastModified, notBefore: [wait, wanted].compactMap(\.self).max(),
                note: notes.isEmpty ? nil : notes.joined(separator: " "))
        case 410: return FeedResponse(isGone: true)
        case 429, 500...:
            return FeedResponse(
                notBefore: response.retryAfter(now),
                refusal: PulseError(
                    .tryAgain,
                    response.status == 429
                        ? "The server got too many requests (429), and is not contacted again for a while."
                        : "The server has a problem (\(response.status)), and is not contacted again for a while."))
        case 404: throw PulseError(.noInput, "There is no such page (404).", hint: "Check whether the feed has moved.")
        case 401, 403, 407:
            if response.headers["cf-mitigated"] == "challenge" {
                throw PulseError(
                    .permission, "Cloudflare lets only browsers in (403).",
                    hint: "Look for another address of the feed, or ask the site to let feed readers in.")
            }
            throw PulseError(.permission, "The server requires a login, or refuses access (\(response.status)).")
        default: throw PulseError(.unavailable, "The server answered with the status \(response.status).")
        }
    }

    /// Parsing takes ten times a feed's length in memory, so large feeds are parsed one at a time.
    private static func contents(of response: HTTPResponse, now: Date) async throws -> FeedContents {
        guard response.body.count > LargeFeeds.smallest else { return try parse(response, now) }
        return try await LargeFeeds.shared.parse(response, now)
    }

    /// Parsing time counts against the server's time budget.
    private static func parse(_ response: HTTPResponse, _ now: Date) throws -> FeedContents {
        let start = ContinuousClock.now
        defer { HTTPBudget.current?.spend(start.duration(to: .now)) }
        return try FeedDocument.parse(
            response.body, contentType: response.headers["content-type"], address: response.url, now: now)
    }

    private actor LargeFeeds {
        static let shared = LargeFeeds()
        /// In bytes.
        static let smallest = 1 << 18

        func parse(_ response: HTTPResponse, _ now: Date) throws -> FeedContents {
            try WebFeed.parse(response, now)
        }
    }

    /// - Parameter isNamed: whether the user typed the address.
    public static func request(for address: String, isNamed: Bool = true) -> HTTPRequest {
        var request = HTTPRequest(address)
        request.isFromUser = isNamed
        request.allowsPlainHTTP = true
        request.takesBeginning = true
        return request
    }
}
