import PulseCore
import PulsePlatform
package import PulseSources

/// How the news services are reached.
package struct FeedServiceSettings: Sendable {
    /// Where a service's key is; nil in both: it needs none.
    package struct Key: Sendable {
        package var file: String?
        package var command: String?
    }

    /// Where Pulse's backend is; nil: it is not used.
    package var pulseURL: String?
    package var pulseKey = Key()
    package var guardianKey = Key()

    package init() {}

    /// Whoever answers for feeds. The services come before the web, which would take the address of a profile for that
    /// of a page.
    package func services(in app: AppEnvironment) -> [any FeedService] {
        let client = CurlClient(NewsFeeds.policy)
        let folder = CacheFolder(app.locations.cache + "/services", now: app.now)
        return [
            NewsFeeds(
                pulse: pulseURL.map { ServiceAccess(address: $0, key: pulseKey.reading(app.variables)) },
                guardianKey: guardianKey.reading(app.variables), client: client, cacheFolder: folder),
            BlueskyFeeds(client: client, cacheFolder: folder),
            WebFeed(client: CurlClient(WebFeed.policy)),
        ]
    }
}

extension FeedServiceSettings.Key {
    fileprivate func reading(
        _ environment: [String: String]
    ) -> (@Sendable () async throws(PulseError) -> Secret)? {
        if let file { return { () async throws(PulseError) in try Secret.fromFile(file) } }
        guard let command else { return nil }
        return { () async throws(PulseError) in try await Secret.fromCommand(command, environment: environment) }
    }
}
