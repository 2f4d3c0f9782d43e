public import Foundation
public import PulseCore
public import PulsePlatform
import PulseText

/// The news services: Pulse's backend, with the Guardian as its fallback, and the Guardian alone.
///
/// Addresses: `pulse:en`, `pulse:en/science`, `pulse:en/breaking`, `guardian:all`, `guardian:world`,
/// `guardian:breaking`.
public struct NewsFeeds: FeedService {
    package static let guardianAddress = "https://content.guardianapis.com"

    public static var policy: CurlClient.Policy {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(15)
        policy.stallTimeout = .seconds(15)
        policy.totalTimeout = FeedFetcher.patience
        // Parsed JSON takes many times its length in memory.
        policy.sizeLimit = 2 << 20
        return policy
    }

    private let pulse: ServiceAccess?
    private let guardian: ServiceAccess?
    private let client: any HTTPClient
    private let cacheFolder: CacheFolder
    private let pause: Duration

    /// A service that is nil is not set up.
    /// - Parameter pause: between two requests to the Guardian, because its free key allows one a second.
    package init(
        pulse: ServiceAccess?, guardian: ServiceAccess?, client: any HTTPClient, cacheFolder: CacheFolder,
        pause: Duration = .seconds(1)
    ) {
        self.pulse = pulse
        self.guardian = guardian
        self.client = client
        self.cacheFolder = cacheFolder
        self.pause = pause
    }

    public func serves(_ address: String) -> Bool { NewsAddress.isOne(address) }

    public func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse {
        let address = try NewsAddress(feed.address)
        let cache = HTTPCache(folder: cacheFolder, now: now)
        var answer =
            address.isGuardian
            ? try await askGuardian(address.topic, of: feed, cache, now)
            : try await askPulse(address.topic, of: feed, cache, now)
        answer.contents?.title = address.title
        answer.contents?.site = address.site
        return answer
    }

    private func askGuardian(
        _ topic: NewsTopic, of feed: Feed, _ cache: HTTPCache, _ now: Date
    ) async throws -> FeedResponse {
        guard let guardian else { throw PulseError.unset(Guardian.name, hint: .guardianHint) }
        let service = try await Guardian(guardian, client: client, cache: cache, now: now, pause: pause)
        return try await ServiceReader(name: Guardian.name, now: now).newest(of: feed) { cursor in
            try await service.page(of: topic, from: cursor)
        }
    }

    /// Pulse's articles, else the Guardian's, else cached ones. If both fail, throws Pulse's error.
    private func askPulse(
        _ topic: NewsTopic, of feed: Feed, _ cache: HTTPCache, _ now: Date
    ) async throws -> FeedResponse {
        // The Guardian is in English.
        let hasFallback = topic.language == "en" && guardian != nil
        guard let pulse else {
            guard hasFallback else {
                throw PulseError.unset(PulseAppBackend.name, hint: topic.language == "en" ? .eitherHint : .pulseHint)
            }
            return try await askGuardian(topic, of: feed, cache, now)
        }
        var stale: FeedResponse?
        let failure: PulseError?
        do {
            let service = try await PulseAppBackend(pulse, client: client, cache: cache, now: now)
            let result = try await ServiceReader(name: PulseAppBackend.name, now: now).newest(of: feed) {
                cursor in try await service.page(of: topic, from: cursor)
            }
            guard result.refusal != nil, hasFallback else { return result }
            stale = result
            failure = nil
        } catch {
            let error = error.asPulseError
            if error.code == .interrupted || !hasFallback { throw error }
            failure = error
        }
        do {
            var answer = try await askGuardian(topic, of: feed, cache, now)
            if answer.refusal != nil, let stale { return stale }
            // Keeps the backend's position, so that its missed articles are fetched later.
            answer.entityTag = feed.refresh.entityTag
            let reason: Message = failure?.message ?? "\(PulseAppBackend.name) does not answer."
            answer.note = [reason, "\(Guardian.name) is used instead.", answer.note].compactMap(\.self)
                .joined(separator: " ")
            return answer
        } catch let error as PulseError where error.code != .interrupted {
            if let stale { return stale }
            throw failure ?? error
        }
    }
}

struct NewsTopic: Hashable {
    /// A language of ISO 639. The Guardian is in English.
    var language = "en"
    /// A section of the Guardian, such as `uk-news`, or a category of Pulse's; nil: all.
    var section: String?
    /// Only the ten newest articles.
    var isBreaking = false
}

private struct NewsAddress {
    let isGuardian: Bool
    let topic: NewsTopic

    /// `pulse://` is the scheme of the app's links, which are not feeds.
    static func isOne(_ address: String) -> Bool {
        let address = address.lowercased()
        return address.hasPrefix("guardian:") || address.hasPrefix("pulse:") && !address.hasPrefix("pulse://")
    }

    /// Throws `.noInput` if the rest of the address is invalid.
    init(_ address: String) throws {
        let parts = address.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = (parts.last ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard words.allSatisfy(Self.isName) else { throw Self.unknown(parts.first) }
        switch (parts.first, words.count) {
        case ("guardian", 1):
            isGuardian = true
            let section = Guardian.sections[words[0]] ?? words[0]
            topic = NewsTopic(
                section: ["all", "breaking"].contains(section) ? nil : section, isBreaking: section == "breaking")
        case ("pulse", 1...2) where (2...3).contains(words[0].utf8.count):
            let category = words.count == 2 ? words[1] : nil
            guard !PulseAppBackend.media.contains(category ?? "") else {
                throw PulseError(.noInput, "Podcasts and videos are not articles.", hint: "Name another category.")
            }
            isGuardian = false
            topic = NewsTopic(
                language: words[0], section: category == "breaking" ? nil : category,
                isBreaking: category == "breaking")
        default: throw Self.unknown(parts.first)
        }
    }

    /// Whether the text needs no encoding in a URL.
    private static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    private static func unknown(_ service: Substring?) -> PulseError {
        PulseError(
            .noInput, "There is no such feed.",
            hint: service == "guardian"
                ? "Name a section, such as guardian:world, or guardian:all."
                : "Name a language and, if you like, a category, such as pulse:en or pulse:pt/science.")
    }

    var title: String {
        let subject = topic.isBreaking ? "breaking news" : topic.section.map { Category($0).title } ?? "all news"
        return isGuardian ? "\(Guardian.name): \(subject)" : "Pulse: " + subject + " (\(topic.language))"
    }

    var site: String? { isGuardian ? "https://www.theguardian.com/" + (topic.section ?? "international") : nil }
}

extension PulseError {
    fileprivate static func unset(_ service: Message, hint: Message) -> PulseError {
        PulseError(.configuration, "\(service) is not set up.", hint: hint)
    }
}

extension Message {
    fileprivate static let guardianHint: Message =
        "Get a free key at https://open-platform.theguardian.com/access, put it into a file that only you can read, "
        + "and name that: pulse-digest config set guardianKeyFile PATH (or --guardian-key-file)."
    fileprivate static let pulseHint: Message =
        "To name its address: pulse-digest config set pulseUrl URL (or --pulse-url)"
    fileprivate static let eitherHint: Message =
        "To name its address: pulse-digest config set pulseUrl URL (or --pulse-url). To let the Guardian stand in, "
        + "with its key: pulse-digest config set guardianKeyFile PATH (or --guardian-key-file)"
}
