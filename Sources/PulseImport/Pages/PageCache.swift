import Foundation
import PulseCore
import PulseText

/// What became of pages, in a folder: a file each, named by the hash of its address. It holds the articles and not the
/// pages, which are fifty times larger. What cannot be read or written is as if it were not there.
struct PageCache: Sendable {
    struct Entry: Codable {
        let url: String
        var fetchedAt: Date
        /// By which the server knows whether the page has changed since.
        var entityTag: String?
        var lastModified: String?
        var article: Article?
        var isBeginning = false
        var problem: PageProblem?
        /// A later form of the program may find more in a page.
        var version = PageCache.version
    }

    struct Robots: Codable {
        let origin: String
        let fetchedAt: Date
        /// Nil: there is no such file.
        let file: Data?
    }

    private static let version = 1
    /// A page is not asked for again before that.
    private static let freshness: TimeInterval = 7 * 86_400
    /// "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309, 2.4).
    private static let robotsFreshness: TimeInterval = 86_400
    private static let oldest: TimeInterval = 30 * 86_400

    private let folder: String
    private let now: Date

    /// Makes the folder, for this user only: it says what they read.
    init(folder: String, now: Date) {
        self.folder = folder
        self.now = now
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        removeOld()
    }

    func page(_ url: String) -> Entry? {
        read(Entry.self, file(url)).flatMap { $0.url == url && $0.version == PageCache.version ? $0 : nil }
    }

    func isFresh(_ entry: Entry) -> Bool {
        // What robots.txt forbids it may allow tomorrow.
        let limit = entry.problem == .refusedByRobots ? PageCache.robotsFreshness : PageCache.freshness
        return (0..<limit).contains(now.timeIntervalSince(entry.fetchedAt))
    }

    func robots(_ origin: String) -> Robots? {
        read(Robots.self, file("robots.txt of " + origin)).flatMap {
            $0.origin == origin && (0..<PageCache.robotsFreshness).contains(now.timeIntervalSince($0.fetchedAt))
                ? $0 : nil
        }
    }

    func keep(_ entry: Entry) { write(entry, file(entry.url)) }

    func keep(_ robots: Robots) { write(robots, file("robots.txt of " + robots.origin)) }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(ShortHash.of(name)).json") }

    private func read<Value: Decodable>(_ type: Value.Type, _ file: URL) -> Value? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    private func write(_ value: some Encodable, _ file: URL) {
        try? JSONEncoder().encode(value).write(to: file, options: .atomic)
    }

    private func removeOld() {
        let files = FileManager.default
        let urls = try? files.contentsOfDirectory(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: [.contentModificationDateKey])
        for url in urls ?? [] where url.pathExtension == "json" {
            let changed = try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let changed, now.timeIntervalSince(changed) > PageCache.oldest { try? files.removeItem(at: url) }
        }
    }
}
