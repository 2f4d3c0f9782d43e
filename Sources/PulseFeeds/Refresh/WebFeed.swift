public import Foundation
public import PulseCore
public import PulseHTTP
import PulseText

/// Feeds on the web: RSS, Atom and JSON Feed at an http or https address.
public struct WebFeed: FeedService {
    private let client: any HTTPClient

    public init(client: any HTTPClient) { self.client = client }

    /// How feeds are asked: a server has a minute, and a feed 16 MiB. When it is busy it is asked again at another
    /// time, not waited for.
    public static var policy: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(15)
        policy.stallTimeout = .seconds(20)
        policy.totalTimeout = .seconds(60)
        policy.retry.attempts = 0
        return policy
    }

    public func serves(_ address: String) -> Bool { WebAddress(address) != nil }

    public func fetch(_ feed: Feed, now: Date) async throws(PulseError) -> FeedAnswer {
        let response = try await client.send(WebFeed.request(for: feed))
        let wait = response.maxAge.map(now.addingTimeInterval)
        switch response.status {
        case 304:
            return FeedAnswer(
                movedTo: response.movedTo, entityTag: response.headers["etag"],
                lastModified: response.headers["last-modified"], notBefore: wait)
        case 200..<300:
            let contents = try FeedDocument.parse(
                response.body, contentType: response.headers["content-type"], address: response.url, now: now)
            let wanted = contents.interval.map(now.addingTimeInterval)
            return FeedAnswer(
                contents: contents, movedTo: response.movedTo, entityTag: response.headers["etag"],
                lastModified: response.headers["last-modified"], notBefore: [wait, wanted].compactMap(\.self).max())
        case 410: return FeedAnswer(isGone: true)
        case 429, 500...:
            return FeedAnswer(
                notBefore: response.retryAfter(now),
                refusal: PulseError(
                    .tryAgain,
                    response.status == 429
                        ? "The server was asked too often (429), and is left alone for a while."
                        : "The server has trouble (\(response.status)), and is left alone for a while."))
        case 404: throw PulseError(.noInput, "There is no such page (404).", hint: "Look whether the feed has moved.")
        case 401, 403, 407:
            if response.headers["cf-mitigated"] == "challenge" {
                throw PulseError(.permission, "Cloudflare lets only browsers in (403).")
            }
            throw PulseError(.permission, "The server asks for a login, or does not want us (\(response.status)).")
        default: throw PulseError(.unavailable, "The server answered with the status \(response.status).")
        }
    }

    /// - Parameter isNamed: whether somebody has typed the address.
    public static func request(for address: String, isNamed: Bool = true) -> HTTPRequest {
        var request = HTTPRequest(address)
        request.isFromUser = isNamed
        request.allowsPlainHTTP = true
        return request
    }

    private static func request(for feed: Feed) -> HTTPRequest {
        var request = request(for: feed.address, isNamed: feed.isNamed)
        request.headers = [
            (
                "Accept",
                "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8"
            )
        ]
        if let tag = feed.refresh.entityTag { request.headers.append(("If-None-Match", tag)) }
        if let date = feed.refresh.lastModified { request.headers.append(("If-Modified-Since", date)) }
        return request
    }
}
