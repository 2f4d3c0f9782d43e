import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore
import PulseText

/// `feeds add` and `feeds preview`: finds the feed of an address, and looks what is in it.
struct FeedAddition {
    let context: Context
    private let services: [any FeedService]
    /// How long a server may take for all the places where a feed may be.
    private let patience: Duration

    init(context: Context, patience: Duration = FeedRefresher.patience) {
        self.context = context
        self.patience = patience
        services = context.feedServices
    }

    func add(_ text: String) async throws(PulseError) {
        let address = try Self.webAddress(text)
        try refuseDuplicate(address)
        var (feed, answer) = try await find(address)
        // The feed of a page, or the end of a redirect, may be one that is followed.
        try refuseDuplicate(feed.address)
        feed.folder = context.settings.feedFolder.map { PlainText.line($0, limit: 200) }
        let asked = feed
        let (row, new) = try context.writing { store throws(PulseError) in
            let isTitled = context.settings.feedTitle != nil
            guard var added = try store.add([asked], isTitled: isTitled).first else { throw Self.duplicate(asked) }
            added.refresh = added.refresh.after(.answered(answer), at: context.now)
            return (added, try store.record([FeedUpdate(feed: added, contents: answer.contents)], at: context.now))
        }
        if !context.settings.isQuiet {
            try context.console.tell(
                "\(PlainText.line(row.title)) (\(PlainText.line(row.address))): "
                    + "\(Counted.text(answer.contents?.entries.count ?? 0, "entry", "entries")), \(new) new\n")
        }
        tellNote(of: answer)
    }

    /// How old an answer is, or that another service stands in; and what of it nobody will see.
    private func tellNote(of answer: FeedAnswer) {
        if let note = answer.note { context.note(note) }
        if let skipped = answer.contents?.skipped, skipped > 0 {
            context.note(
                Counted.text(
                    skipped, "entry has nothing to read, and is left out.",
                    "entries have nothing to read, and are left out."))
        }
    }

    func preview(_ text: String) async throws(PulseError) {
        let (feed, answer) = try await find(Self.webAddress(text))
        tellNote(of: answer)
        let entries = answer.contents?.entries ?? []
        let shown = entries.prefix(context.settings.limit).map { article in
            Reading(
                article: article, readAt: article.publishedAt ?? context.now, origin: "feeds", isExact: false,
                basis: .unread)
        }
        if context.settings.format == .json {
            try context.console.write(HistoryJSON.list(shown))
            return
        }
        let facts = [feed.address, answer.contents?.site].compactMap { $0.map { PlainText.line($0) + "\n" } }
        let count = context.style.text(Counted.text(entries.count, "entry", "entries"))
        let head = PlainText.line(feed.title) + "\n" + facts.joined() + count + "\n"
        try context.console.write(head + HistoryText.list(shown, style: context.style))
    }

    private func refuseDuplicate(_ address: String) throws(PulseError) {
        guard FileManager.default.fileExists(atPath: context.storePath) else { return }
        let known = try context.reading { store throws(PulseError) in try store.feed(at: address) }
        guard let known else { return }
        // Out of a list, it may not be of this network; typed, it may.
        if !known.isNamed {
            _ = try context.writing { store throws(PulseError) in try store.name([known]) }
        }
        throw Self.duplicate(known)
    }

    private static func duplicate(_ feed: Feed) -> PulseError {
        PulseError(
            .usage, "You follow this feed already: \(PlainText.line(feed.title)) (\(PlainText.line(feed.address))).",
            hint: "To ask it for what is new: pulse-digest feeds refresh \(feed.id)")
    }

    /// The feed at an address, or the one that the page there names.
    private func find(_ address: String) async throws(PulseError) -> (Feed, FeedAnswer) {
        let status = context.statusLine()
        defer { status.clear() }
        status.show("Asking \(address)")
        do throws(PulseError) {
            return try await ask(address)
        } catch {
            guard error.code == .badData, let feeds = try await feeds(of: address, status), !feeds.isEmpty
            else { throw error }
            status.clear()
            let found = try await choose(feeds, of: address).address
            return try await ask(found, isNamed: WebAddress.isSameHost(found, address))
        }
    }

    private func ask(_ address: String, isNamed: Bool = true) async throws(PulseError) -> (Feed, FeedAnswer) {
        var feed = Feed(
            address: address, title: PlainText.line(context.settings.feedTitle ?? "", limit: 200),
            addedAt: context.now, isNamed: isNamed)
        let answer = try await FeedRefresher(services: services, now: context.now).ask(feed)
        // A service that refuses may still have an earlier answer.
        if let refusal = answer.refusal, answer.contents == nil { throw refusal }
        guard !answer.isGone, answer.contents != nil else {
            throw PulseError(.noInput, "\(PlainText.line(address)) is gone for good (410).")
        }
        feed.take(answer, at: context.now)
        return (feed, answer)
    }

    /// The feeds that a page names; else the first that is where feeds often are. Nil where it is no page.
    private func feeds(of address: String, _ status: StatusLine) async throws(PulseError) -> [NamedFeed]? {
        let client = CurlClient(WebFeed.policy)
        let page = try await client.send(WebFeed.request(for: address))
        let type = page.headers["content-type"]
        guard FeedDocument.isPage(page.body, contentType: type) else { return nil }
        let named = FeedDiscovery.feeds(in: page.body, contentType: type, address: page.url)
        guard named.isEmpty else { return named }
        let isNamed = WebAddress.isSameHost(page.url, address)
        let budget = HTTPBudget(patience)
        for place in FeedDiscovery.usualPlaces(near: page.url) {
            status.show("Asking \(place)")
            if try await isFeed(at: place, isNamed: isNamed, client, budget) { return [NamedFeed(address: place)] }
            guard !budget.isSpent else {
                throw PulseError(
                    .unavailable,
                    "\(PlainText.line(address)) names no feed, and its server is too slow to look for one.",
                    hint: "Name the feed itself: pulse-digest feeds add URL")
            }
        }
        return []
    }

    private func isFeed(
        at place: String, isNamed: Bool, _ client: CurlClient, _ budget: HTTPBudget
    ) async throws(PulseError) -> Bool {
        let answer: Result<HTTPResponse, PulseError> = await HTTPBudget.$current.withValue(budget) {
            do throws(PulseError) {
                return .success(try await client.send(WebFeed.request(for: place, isNamed: isNamed)))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .failure(let error) where error.code == .interrupted: throw error
        case .success(let answer) where answer.status == 200:
            let contents = try? FeedDocument.parse(
                answer.body, contentType: answer.headers["content-type"], address: answer.url, now: context.now)
            return contents != nil
        default: return false
        }
    }

    /// One of several feeds of a page: asked for on a terminal, listed elsewhere.
    private func choose(_ feeds: [NamedFeed], of page: String) async throws(PulseError) -> NamedFeed {
        guard feeds.count > 1 else { return feeds[0] }
        let lines = feeds.enumerated().map { number, feed in
            "  \(number + 1)  \(feed.title.map { $0 + "  " } ?? "")\(feed.address)\n"
        }.joined()
        let found: Message = "\(PlainText.line(page)) names \(feeds.count) feeds:\n\(lines)"
        guard context.console.isInputTerminal else {
            throw PulseError(.badData, [found, "Name one of them: pulse-digest feeds add URL"].joined())
        }
        let answer = try await context.console.ask([found, "Which one? [1] "].joined()) ?? ""
        guard let number = answer.isEmpty ? 1 : Int(answer), feeds.indices.contains(number - 1) else {
            throw PulseError(.usage, "There is no feed “\(PlainText.line(answer))” in the list.")
        }
        return feeds[number - 1]
    }

    /// As people write it: without a scheme, or with that of programs that read feeds.
    static func address(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .whitespaces)
        let start = text.lowercased()
        if start.hasPrefix("feed://") { text = "https://" + text.dropFirst(7) }
        if start.hasPrefix("feed:http") { text = String(text.dropFirst(5)) }
        let hasScheme = text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])/) != nil
        return hasScheme ? text : "https://" + text
    }

    /// The same, where it may be one: a word alone is none.
    private static func webAddress(_ text: String) throws(PulseError) -> String {
        let address = address(text)
        let hasScheme = address == text.trimmingCharacters(in: .whitespaces)
        let host = WebURL.host(address)
        guard !hasScheme, let host, !host.contains("."), host != "localhost", !text.contains("/"), !text.contains(":")
        else { return address }
        throw PulseError(
            .usage, "“\(PlainText.line(text, limit: 200))” is no web address.",
            hint: "Name a feed or a page, such as https://example.org, or a service's feed, such as guardian:world.")
    }

    /// `web`, or the service that an address names.
    static func kind(of address: String) -> String {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(scheme) ? "web" : scheme
    }
}
