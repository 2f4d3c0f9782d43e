package import Foundation
package import PulseCore

/// What servers answered, on the disk: nothing is asked again before its time, what has not changed is not sent again
/// (RFC 9110, section 13), and what is kept serves where the server does not.
package struct HTTPCache: Sendable {
    /// How an answer was come by.
    package enum State: Sendable, Hashable {
        /// From the server just now.
        case fetched
        /// The server says that what is kept is still its answer.
        case unchanged
        /// Kept, and too young to ask again.
        case fresh
        /// Kept, since the server gave no answer that can be used.
        case stale(PulseError)
    }

    package struct Answer: Sendable {
        package let body: Data
        package let state: State
        /// When the server last gave it, or said that it has not changed.
        package let confirmedAt: Date
        /// Before that there is no use in asking.
        package let freshUntil: Date
    }

    /// What a failing server's answer may be replaced by. Without a connection, whatever is kept serves.
    private static let longestFailure: TimeInterval = 48 * 3600
    /// The longest `max-age` that counts: servers say a year by mistake.
    private static let longestFreshness: TimeInterval = 5 * 3600
    /// In bytes.
    private static let largest = 4 << 20

    private let folder: CacheFolder
    private let now: Date

    package init(folder: CacheFolder, now: Date) {
        self.folder = folder
        self.now = now
    }

    /// The answer to a request, from the server or from what is kept.
    ///
    /// - Parameters:
    ///   - name: what it is kept under. It stands on the disk, so no key may be in it.
    ///   - minimumAge: in seconds; younger answers are not asked for again. A server may ask for more by `max-age`.
    ///   - check: throws what is to be said of an answer that cannot be used; such a one is never kept. `.tryAgain` and
    ///     `.badData` are failures that what is kept may stand in for; what is refused or missing is to be told.
    package func answer(
        to request: HTTPRequest, name: String, minimumAge: TimeInterval, from client: any HTTPClient,
        check: (HTTPResponse) throws(PulseError) -> Void
    ) async throws(PulseError) -> Answer {
        let known = folder.read(Entry.self, name).flatMap { $0.name == name && $0.confirmedAt <= now ? $0 : nil }
        if let known, now < known.freshUntil(minimumAge) { return known.answer(.fresh, minimumAge) }
        do throws(PulseError) {
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
            guard let known, mayReplace(error, known) else { throw error }
            return known.answer(.stale(error), minimumAge)
        }
    }

    private func mayReplace(_ error: PulseError, _ known: Entry) -> Bool {
        switch error.code {
        case .unavailable: true
        // A web page in the place of data is a hotel's network more often than a server's mistake.
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
