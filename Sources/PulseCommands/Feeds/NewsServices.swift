import PulseCore
import PulsePlatform
import PulseSources

extension Context {
    /// Those who answer for feeds that are not the web's, as the settings have set them up. They come before the web,
    /// which would take the address of a profile for that of a page.
    func newsServices() -> [any FeedService] {
        let client = CurlClient(NewsFeeds.policy)
        let folder = CacheFolder(locations.cache + "/services", now: now)
        let pulseKey = key(settings.pulseKeyFile, settings.pulseKeyCommand)
        return [
            NewsFeeds(
                pulse: settings.pulseURL.map { ServiceAccess(address: $0, key: pulseKey) },
                guardianKey: key(settings.guardianKeyFile, settings.guardianKeyCommand), client: client,
                cacheFolder: folder),
            BlueskyFeeds(client: client, cacheFolder: folder),
        ]
    }

    private func key(
        _ file: String?, _ command: String?
    ) -> (@Sendable () async throws(PulseError) -> Secret)? {
        if let file { return { () async throws(PulseError) in try Secret.fromFile(file) } }
        guard let command else { return nil }
        return { [environment] () async throws(PulseError) in
            try await Secret.fromCommand(command, environment: environment)
        }
    }
}
