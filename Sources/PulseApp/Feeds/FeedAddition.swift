import Foundation
package import PulseCore
import PulsePlatform
package import PulseSources
import PulseStore
import PulseText

/// Finds the feed at an address, and follows or previews it.
package struct FeedAddition: Sendable {
    private let app: AppEnvironment
    private let services: [any FeedService]
    /// Nil: nobody can choose between several feeds.
    private let questioner: (any Questioner)?
    private let reporter: Reporter
    /// The longest time for trying all usual places of a feed on a server.
    private let patience: Duration

    package init(
        in app: AppEnvironment, services: [any FeedService], questioner: (any Questioner)?, reporter: Reporter,
        patience: Duration = FeedFetcher.patience
    ) {
        self.app = app
        self.services = services
        self.questioner = questioner
        self.reporter = reporter
        self.patience = patience
    }

    /// Follows the feed at an address, or the one that the page there names.
    ///
    /// - Parameter title: Nil: the feed's own.
    /// - Returns: The feed, its answer, and how many of its entries are new.
    package func add(
        _ text: String, title: String? = nil, folder: String? = nil
    ) async throws -> (feed: Feed, answer: FeedResponse, new: Int) {
        let address = try webAddress(text)
        try refuseDuplicate(address)
        var (feed, answer) = try await find(address, title: title)
        // The feed of a page, or the end of a redirect, may be followed already.
        try refuseDuplicate(feed.address)
        feed.folder = folder.map { PlainText.line($0, limit: 200) }
        let store = try app.history.open(.readWrite)
        guard var added = try store.add([feed], isTitled: title != nil).first else { throw Self.duplicate(feed) }
        added.refresh = added.refresh.after(.answered(answer), at: app.now)
        let new = try store.record([FetchedFeed(feed: added, contents: answer.contents)], at: app.now)
        return (added, answer, new)
    }

    /// The feed and what is in it. It is not followed.
    package func look(at text: String) async throws -> (feed: Feed, answer: FeedResponse) {
        try await find(webAddress(text), title: nil)
    }

    private func refuseDuplicate(_ address: String) throws {
        guard app.history.exists else { return }
        let known = try app.history.open().feed(at: address)
        guard let known else { return }
        // A feed from an OPML list may not be in a private network; one that was typed may.
        if !known.isNamed { _ = try app.history.open(.readWrite).markNamed([known]) }
        throw Self.duplicate(known)
    }

    private static func duplicate(_ feed: Feed) -> PulseError {
        PulseError(
            .usage, "You follow this feed already: \(PlainText.line(feed.title)) (\(PlainText.line(feed.address))).",
            hint: "To refresh it: pulse-digest feeds refresh \(feed.id)")
    }

    private func find(_ address: String, title: String?) async throws -> (Feed, FeedResponse) {
        defer { reporter.clear() }
        reporter.show("Asking \(address)")
        do {
            return try await ask(address, title: title)
        } catch {
            let error = error.asPulseError
            guard error.code == .badData, let feeds = try await feeds(of: address) else { throw error }
            reporter.clear()
            guard !feeds.isEmpty else {
                throw PulseError(
                    error.code,
                    "\(error.message) It names no feed, and there is none where sites usually have one, such as "
                        + "/feed/ and /rss.xml.", hint: error.hint)
            }
            let found = try await choose(feeds, of: address).address
            return try await ask(found, title: title, isNamed: WebAddress.isSameHost(found, address))
        }
    }

    private func ask(_ address: String, title: String?, isNamed: Bool = true) async throws -> (Feed, FeedResponse) {
        var feed = Feed(
            address: address, title: PlainText.line(title ?? "", limit: 200), addedAt: app.now, isNamed: isNamed)
        let answer = try await FeedFetcher(services: services, now: app.now).ask(feed)
        // A service that refuses may still have an earlier answer.
        if let refusal = answer.refusal, answer.contents == nil { throw refusal }
        guard !answer.isGone, answer.contents != nil else {
            throw PulseError(
                .noInput, "\(PlainText.line(address)) is gone for good (410).",
                hint: "Look on its site for another feed.")
        }
        feed.take(answer, at: app.now)
        return (feed, answer)
    }

    /// The feeds that a page names; else the first one at a usual place. Nil if the address is not a page's.
    private func feeds(of address: String) async throws -> [NamedFeed]? {
        let client = CurlClient(WebFeed.policy)
        let page = try await client.send(WebFeed.request(for: address))
        let type = page.headers["content-type"]
        guard FeedDocument.isPage(page.body, contentType: type) else { return nil }
        let named = FeedDiscovery.feeds(in: page.body, contentType: type, address: page.url)
        guard named.isEmpty else { return named }
        let isNamed = WebAddress.isSameHost(page.url, address)
        let budget = HTTPBudget(patience)
        for place in FeedDiscovery.usualPlaces(near: page.url) {
            reporter.show("Asking \(place)")
            if try await isFeed(at: place, isNamed: isNamed, client, budget) { return [NamedFeed(address: place)] }
            guard !budget.isSpent else {
                throw PulseError(
                    .unavailable,
                    "\(PlainText.line(address)) names no feed, and its server is too slow to look for one.",
                    hint: "To follow a feed by its own address: pulse-digest feeds add URL")
            }
        }
        return []
    }

    private func isFeed(
        at place: String, isNamed: Bool, _ client: CurlClient, _ budget: HTTPBudget
    ) async throws -> Bool {
        do {
            let answer = try await HTTPBudget.$current.withValue(budget) {
                try await client.send(WebFeed.request(for: place, isNamed: isNamed))
            }
            guard answer.status == 200 else { return false }
            _ = try FeedDocument.parse(
                answer.body, contentType: answer.headers["content-type"], address: answer.url, now: app.now)
            return true
        } catch let error as PulseError where error.code != .interrupted {
            return false
        }
    }

    /// One of several feeds of a page: asked for on a terminal, listed elsewhere.
    private func choose(_ feeds: [NamedFeed], of page: String) async throws -> NamedFeed {
        guard feeds.count > 1 else { return feeds[0] }
        let lines = feeds.enumerated().map { number, feed in
            "  \(number + 1)  \(feed.title.map { $0 + "  " } ?? "")\(feed.address)\n"
        }.joined()
        let found: Message = "\(PlainText.line(page)) names \(feeds.count) feeds:\n\(lines)"
        guard let questioner else {
            throw PulseError(.badData, [found, "To follow one of them: pulse-digest feeds add URL"].joined())
        }
        let answer = try await questioner.ask([found, "Which one? [1] "].joined()) ?? ""
        guard let number = answer.isEmpty ? 1 : Int(answer), feeds.indices.contains(number - 1) else {
            throw PulseError(
                .usage, "“\(PlainText.line(answer))” is not a number in the list.",
                hint: "Run the command again, and type one of the numbers shown.")
        }
        return feeds[number - 1]
    }

    /// Completes an address that was typed without a scheme, or with the scheme of feed readers, which
    /// means http.
    static func address(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .whitespaces)
        let start = text.lowercased()
        if start.hasPrefix("feed://") { text = "http://" + text.dropFirst(7) }
        if start.hasPrefix("feed:http") { text = String(text.dropFirst(5)) }
        let hasScheme = text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])/) != nil
        return hasScheme ? text : "https://" + text
    }

    /// The same, if it can be an address: a single word or a file is none.
    private func webAddress(_ text: String) throws -> String {
        let written = Self.address(text)
        guard let address = WebURL.withASCIIHost(written), services.contains(where: { $0.serves(address) }) else {
            let shown = PlainText.line(WebURL.withoutUser(text), limit: 200)
            if WebURL.hasUser(written) {
                throw PulseError(
                    .usage, "The address of \(shown) holds a user name or a password, which others could see.",
                    hint: "Feeds behind a login cannot be read; some sites offer an address with a key in it.")
            }
            if let host = WebURL.refusedHost(written) {
                throw PulseError(
                    .usage, "“\(PlainText.line(host, limit: 200))” is not a name that a server can have (IDNA).",
                    hint: "Check its spelling, or copy the address from a browser.")
            }
            throw PulseError(
                .usage, "“\(shown)” is not a valid feed address.",
                hint: "A feed's address begins with https:// or http:// and holds no name or password, or is a "
                    + "service's, such as guardian:world. To import from a file what you read: pulse-digest import "
                    + "FILE. To follow a list of feeds: pulse-digest feeds import-opml FILE")
        }
        let hasScheme = written == text.trimmingCharacters(in: .whitespaces)
        let host = WebURL.host(address)
        guard !hasScheme, let host, !host.contains("."), host != "localhost", !text.contains("/"), !text.contains(":")
        else { return address }
        throw PulseError(
            .usage, "“\(PlainText.line(text, limit: 200))” is not a web address.",
            hint: "Name a feed or a page, such as https://example.org, or a service's feed, such as guardian:world.")
    }

    /// `web`, or the service that an address names.
    package static func kind(of address: String) -> String {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(scheme) ? "web" : scheme
    }
}

extension [FollowedFeed] {
    /// Finds a feed by its number, its address as `feeds add` takes it, its page, or a unique part of its title.
    package func find(_ reference: String) throws -> Feed {
        let page = WebURL.identity(FeedAddition.address(reference))
        let shown = PlainText.line(WebURL.hasUser(reference) ? WebURL.withoutUser(reference) : reference)
        let ways: [(Feed) -> Bool] = [
            { $0.id == Int64(reference) },
            {
                $0.address.lowercased() == reference.lowercased()
                    || page != nil && WebURL.identity($0.address) == page
            },
            { page != nil && $0.site.flatMap(WebURL.identity) == page },
            { $0.title.lowercased() == reference.lowercased() },
            { $0.title.lowercased().contains(reference.lowercased()) },
        ]
        let found = try map(\.feed).onlyOne(by: ways) { found in
            PulseError(
                .noInput,
                "“\(shown)” fits several feeds; give the number of one.\n"
                    + "\(found.map { "  \($0.id)  \(PlainText.line($0.title))" }.joined(separator: "\n"))")
        }
        if let found { return found }
        let names = Dictionary(map { ($0.feed.title.lowercased(), $0.feed.title) }) { first, _ in first }
        let meant = EditDistance.nearest(to: reference.lowercased(), among: names.keys).flatMap { names[$0] }
        throw PulseError(
            .noInput, "You follow no feed “\(shown)”.",
            hint: meant.map { "Did you mean “\(PlainText.line($0))”?" }
                ?? "To see those you follow: pulse-digest feeds list")
    }
}
