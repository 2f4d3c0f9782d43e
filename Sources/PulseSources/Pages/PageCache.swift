import Foundation
import PulseCore
import PulsePlatform

/// Caches the articles of pages, and not the pages, which are fifty times larger.
struct PageCache: Sendable {
    struct Entry: Codable {
        let url: String
        var fetchedAt: Date
        /// The validators of a conditional request.
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

    /// A page is not fetched again before that.
    private static let freshness: TimeInterval = 7 * 86_400
    /// "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309, 2.4).
    private static let robotsFreshness: TimeInterval = 86_400

    private let folder: CacheFolder
    private let now: Date

    init(folder: String, now: Date) {
        self.folder = CacheFolder(folder, now: now)
        self.now = now
    }

    func page(_ url: String) -> Entry? {
        folder.read(Entry.self, url).flatMap { $0.url == url ? $0 : nil }
    }

    func isFresh(_ entry: Entry) -> Bool {
        // A robots.txt may change within a day.
        let limit = entry.problem == .refusedByRobots ? PageCache.robotsFreshness : PageCache.freshness
        return (0..<limit).contains(now.timeIntervalSince(entry.fetchedAt))
    }

    func robots(_ origin: String) -> Robots? {
        folder.read(Robots.self, "robots.txt of " + origin).flatMap {
            $0.origin == origin && (0..<PageCache.robotsFreshness).contains(now.timeIntervalSince($0.fetchedAt))
                ? $0 : nil
        }
    }

    func keep(_ entry: Entry) { folder.write(entry, entry.url) }

    func keep(_ robots: Robots) { folder.write(robots, "robots.txt of " + robots.origin) }
}
