import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport

@testable import PulseSources

/// What the tests of the services share: a clock, some patience, and JSON.
enum ServiceSupport {
    /// 21 November 2026, 20:00 in UTC.
    static let now = Date(timeIntervalSince1970: 1_795_291_200)

    static func client(_ policy: CurlClient.Policy = NewsFeeds.policy) -> CurlClient {
        var policy = policy
        policy.connectTimeout = .seconds(60)
        policy.stallTimeout = .seconds(60)
        policy.retries = 0
        return CurlClient(policy)
    }

    static func time(_ hoursAgo: Double) -> String { now.addingTimeInterval(-hoursAgo * 3600).formatted(.iso8601) }

    static func feed(_ address: String, tag: String? = nil) -> Feed {
        var feed = Feed(address: address, addedAt: now)
        feed.refresh.entityTag = tag
        return feed
    }

    /// How servers fail, and as what it is told.
    static let failures: [(name: String, answer: LoopbackResponse, code: PulseError.Code)] = [
        ("401", LoopbackResponse(status: 401), .configuration),
        ("403", .json(["message": "k3y-of-ana"], status: 403), .configuration),
        ("404", LoopbackResponse(status: 404), .noInput),
        ("418", LoopbackResponse(status: 418), .badData),
        ("429", LoopbackResponse(status: 429, headers: ["Retry-After": "7"]), .tryAgain),
        ("500", LoopbackResponse(status: 500), .tryAgain),
        ("HTML", LoopbackResponse(text: "  <!doctype html><p>Log in"), .badData),
        ("no JSON", LoopbackResponse(text: "[{\"id\":"), .badData),
        ("empty", LoopbackResponse(), .badData),
        ("other JSON", .json(["hello": 1]), .badData),
        ("cut", .json([["id": "1"]]).with { $0.breaksOffAfter = 5 }, .unavailable),
        ("slow", LoopbackResponse().with { $0.isSilent = true }, .unavailable),
    ]
}
