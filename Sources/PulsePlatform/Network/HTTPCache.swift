package import Foundation
package import PulseCore
import PulseText

/// An HTTP cache on disk (RFC 9110, section 13). A cached response is also used if the server fails.
package struct HTTPCache: Sendable {
    /// Where a response comes from.
    package enum State: Sendable, Hashable {
        /// The server sent it now.
        case fetched
        /// Cached; the server confirmed that it is unchanged.
        case unchanged
        case fresh
        /// Cached; the server failed with this error.
        case stale(PulseError)
    }

    package struct Answer: Sendable {
        package let body: Data
        package let state: State
        /// When the server last sent or confirmed it.
        package let confirmedAt: Date
        /// It is fresh until this time.
        package let freshUntil: Date
    }

    /// How old a cached response may be to replace an error of the server. If there was no response, any age will do.
    private static let longestFailure: TimeInterval = 48 * 3600
    /// The longest `max-age` that is honoured, because servers send a year by mistake.
    private static let longestFreshness: TimeInterval = 5 * 3600
    /// The largest body that is cached, in bytes.
    private static let largest = 4 << 20

    private let folder: CacheFolder
    package let now: Date

    package init(folder: CacheFolder, now: Date) {
        self.folder = folder
        self.now = now
    }

    /// The response to a request, from the server or the cache.
    ///
    /// - Parameters:
    ///   - name: The key in the cache. It is stored on disk, so it must contain no secret.
    ///   - minimumAge: In seconds. A younger response is fresh; the server's `max-age` may extend that.
    ///   - check: Throws for a response that cannot be used, which is then not cached. A cached response may be used in
    ///     place of `.tryAgain` and `.badData`; other errors are thrown.
    package func answer(
        to request: HTTPRequest, name: String, minimumAge: TimeInterval, from client: any HTTPClient,
        check: (HTTPResponse) throws -> Void
    ) async throws -> Answer {
        let known = folder.read(Entry.self, name).flatMap { $0.name == name && $0.confirmedAt <= now ? $0 : nil }
        if let known, now < known.freshUntil(minimumAge) { return known.answer(.fresh, minimumAge) }
        do {
            let response = try await client.send(request, unlessAs: known?.validators)
            if response.status == 304, var known {
                known.confirm(by: response, at: now)
                folder.write(known, name)
                return known.answer(.unchanged, minimumAge)
            }
            try check(response)
            let entry = Entry(name: name, response: response, at: now)
            if response.body.count <= HTTPCache.largest, response.mayBeStored { folder.write(entry, name) }
            return entry.answer(.fetched, minimumAge)
        } catch {
            let error = error.asPulseError
            guard let known, mayReplace(error, known) else { throw error }
            return known.answer(.stale(error), minimumAge)
        }
    }

    private func mayReplace(_ error: PulseError, _ known: Entry) -> Bool {
        switch error.code {
        case .unavailable: true
        // A web page in place of data is usually a captive portal and not the server's mistake.
        case .tryAgain, .badData: now.timeIntervalSince(known.confirmedAt) <= HTTPCache.longestFailure
        default: false
        }
    }

    private struct Entry: Codable {
        let name: String
        let body: Data
        var confirmedAt: Date
        var entityTag: String?
        var lastModified: String?
        /// In seconds.
        var maxAge: TimeInterval

        init(name: String, response: HTTPResponse, at now: Date) {
            self.name = name
            body = response.body
            confirmedAt = now
            maxAge = 0
            confirm(by: response, at: now)
        }

        mutating func confirm(by response: HTTPResponse, at now: Date) {
            confirmedAt = now
            entityTag = response.validators.entityTag ?? entityTag
            lastModified = response.validators.lastModified ?? lastModified
            maxAge = min(response.maxAge ?? maxAge, HTTPCache.longestFreshness)
        }

        var validators: Validators { Validators(entityTag: entityTag, lastModified: lastModified) }

        func freshUntil(_ minimumAge: TimeInterval) -> Date { confirmedAt.addingTimeInterval(max(minimumAge, maxAge)) }

        func answer(_ state: State, _ minimumAge: TimeInterval) -> Answer {
            Answer(body: body, state: state, confirmedAt: confirmedAt, freshUntil: freshUntil(minimumAge))
        }
    }
}

/// A folder of cached values, a JSON file each. Files that cannot be read or written count as missing.
package struct CacheFolder: Sendable {
    private let path: String

    /// Makes the folder with mode 0700, as it shows what the user reads, and deletes files older than thirty days.
    package init(_ path: String, now: Date) {
        self.path = path
        try? AtomicFile.makeFolder(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for file in names where file.hasSuffix(".json") {
            guard let stamp = FileStamp(path: "\(path)/\(file)") else { continue }
            let age = now.timeIntervalSince1970 - Double(stamp.modified) / 1e9
            if age > 30 * 86_400 { unlink("\(path)/\(file)") }
        }
    }

    /// The value of a name; nil: none. File names are hashes and may collide: a value must contain its name.
    package func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        (try? Data(contentsOf: file(name))).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    package func write(_ value: some Encodable, _ name: String) {
        try? JSONEncoder().encode(value).write(to: file(name), options: .atomic)
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(ShortHash.of(name)).json") }
}
