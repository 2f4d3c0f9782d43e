import PulseCore
import PulsePlatform
import PulseText

import struct Foundation.Date

/// Writes feeds' entries in one transaction, with prepared statements.
///
/// A feed may only change its own entries. An entry is the same article as one of another feed only if both feeds
/// are of one server and the entries have the same title and the same page or id, as in sections of a newspaper. A feed
/// that links to another publisher's pages, or uses another's ids, gets entries of its own.
struct EntryWriter {
    private let now: Date
    private let entryOfFeed: Statement
    private let byIdentifier: Statement
    private let onPage: Statement
    private let byRow: Statement
    private let titles: Statement
    private let unpaged: Statement
    private let history: Statement
    private let nearby: Statement
    private let insert: Statement
    private let copyDeliveries: Statement
    private let update: Statement
    private let list: Statement
    private let clearPage: Statement
    private let isKnown: Statement
    private let removals: Removals
    private let servers: FeedServers

    /// In seconds. In a feed's first refresh, older entries count as seen.
    private static let oldest: Double = 7 * 86_400

    init(_ connection: borrowing Connection, now: Date) throws {
        self.now = now
        entryOfFeed = try connection.prepare(Query.entryOfFeed)
        byIdentifier = try connection.prepare(Query.entriesByIdentifier)
        onPage = try connection.prepare(Query.entriesOnPage)
        byRow = try connection.prepare(Query.entryByRow)
        titles = try connection.prepare(Query.entryTitles)
        unpaged = try connection.prepare(Query.entriesWithoutPage)
        history = try connection.prepare(Query.byIdentifier)
        nearby = try connection.prepare(Query.urlsByPrefix)
        insert = try connection.prepare(
            """
            INSERT INTO entries (feed, identifier, key, page, state, fetched_at, listed_at, \(Article.detailColumns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """)
        copyDeliveries = try connection.prepare(
            """
            INSERT INTO entries_told (entry, profile, told_at)
            SELECT last_insert_rowid(), profile, told_at FROM entries_told WHERE entry = ?1
            """)
        update = try connection.prepare(
            """
            UPDATE entries SET (\(Article.detailColumns)) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) WHERE id = ?1
            """)
        list = try connection.prepare("UPDATE entries SET listed_at = ?2 WHERE id = ?1")
        clearPage = try connection.prepare("UPDATE entries SET page = NULL WHERE feed = ?1 AND page = ?2")
        isKnown = try connection.prepare("SELECT 1 FROM entries WHERE feed = ?1 LIMIT 1")
        removals = try Removals(connection, from: .articles)
        servers = try FeedServers(connection)
    }

    /// Look-ups for all entries of a feed, each made when it is first needed.
    private struct Lookup {
        /// The pages to which the feed links several entries; such entries have no `page`.
        var shared: Set<String>?
        /// The rows of its entries by their titles.
        var titles: [String: [Int64]]?
        /// For each title looked up: the rows of its entries that still have texts, by the hash of those texts.
        var texts: [String: [String: Int64]] = [:]
        let listed: Set<String>
    }

    /// - Returns: The number of new entries, without those that another feed has as well.
    func write(_ articles: [Article], of feed: Feed) throws -> Int {
        let isFirst = try isKnown.first([.integer(feed.id)]) { _ in true } == nil
        var new = 0
        var lookup = Lookup(listed: Set(articles.map(\.id)))
        for var article in articles {
            if article.category == .general, let folder = feed.folder?.split(separator: "/").last {
                article.category = Category(String(folder))
            }
            if try write(article, of: feed, isFirst: isFirst, &lookup) { new += 1 }
        }
        return new
    }

    /// Returns whether the entry is new, and no other feed has it.
    private func write(_ article: Article, of feed: Feed, isFirst: Bool, _ lookup: inout Lookup) throws -> Bool {
        var article = article
        var page = article.url.flatMap(WebURL.page)
        let near = try page.map { page in try onPage.rows([.text(page)], EntryRow.init) } ?? []
        var known = try entryOfFeed.first([.integer(feed.id), .text(article.id)], EntryRow.init)
        // An entry without an id has its link's URL as id. At that URL there may be another article each day, which
        // then gets an id made from its title.
        if let earlier = known, article.id == article.url, article.replaces(of: earlier.article) {
            article.id = ArticleKey.inFeed(ShortHash.of(article.title), feed.address)
            known = try entryOfFeed.first([.integer(feed.id), .text(article.id)], EntryRow.init)
        }
        // If another feed's entry has the same id, this one's is prefixed with the feed's address.
        let ownID = ArticleKey.inFeed(article.id, feed.address)
        if known == nil { known = try entryOfFeed.first([.integer(feed.id), .text(ownID)], EntryRow.init) }
        let isRemoved = if known == nil { try removals.date(of: article) != nil } else { false }
        // Some programs change an article's id, and many ids contain the feed's address, which may change. A removed
        // entry has no title to compare.
        if known == nil {
            known = near.first {
                $0.feed == feed.id && ($0.article.title == article.title || isRemoved && $0.state == .gone)
            }
        }
        // The BBC numbers an article's revisions: its page's URL, and “#1” after it.
        if known == nil, page != nil, WebURL.page(article.id) == page {
            known = near.first {
                $0.feed == feed.id && WebURL.page($0.article.id) == page && !lookup.listed.contains($0.article.id)
                    && $0.article.sharesWords(with: article)
            }
        }
        if known == nil, let address = page {
            if lookup.shared == nil {
                let pages = try unpaged.rows([.integer(feed.id)]) { $0.text(0).flatMap(WebURL.page) }
                lookup.shared = Set(pages.compactMap(\.self))
            }
            if lookup.shared?.contains(address) == true || near.contains(where: { $0.feed == feed.id }) {
                lookup.shared?.insert(address)
                try clearPage.run([.integer(feed.id), .text(address)])
                page = nil
            }
        }
        // Some feeds give every entry a new id and a new link each time.
        if known == nil { known = try entry(of: feed, like: article, &lookup) }
        if let known {
            try list.run([.integer(known.row), .time(now)])
            let merged = known.article.revised(by: article)
            // Removed entries stay removed. A changed text does not make an entry new again.
            if merged != known.article, known.state != .gone {
                try update.run([.integer(known.row)] + merged.details)
            }
            return false
        }
        let sameID = try byIdentifier.rows([.text(article.id)], EntryRow.init)
        let twins = (sameID + (page == nil ? [] : near)).filter {
            $0.article.title == article.title && servers[$0.feed] == servers[feed.id]
        }
        let isTaken = sameID.contains { other in !twins.contains { $0.row == other.row } }
        // Only articles that the reader removed have no title.
        let isRemovedPage = page != nil && near.contains { $0.article.title.isEmpty }
        let state = try state(
            of: article, page: page, twin: twins.first, isRemoved: isRemoved || isRemovedPage, isFirst: isFirst)
        let texts = state == .gone ? Article(id: article.id, url: article.url, title: "") : article
        try insert.run(
            [
                .integer(feed.id), .text(isTaken ? ownID : article.id),
                .text(isTaken ? ArticleKey.make(from: ownID) : article.key), SQLValue(page), .text(state.rawValue),
                .time(now),
            ] + texts.details)
        lookup.titles?[article.title, default: []].append(insert.lastInsertedRow)
        if state != .gone { lookup.texts[article.title]?[article.texts] = insert.lastInsertedRow }
        if let twin = twins.first { try copyDeliveries.run([.integer(twin.row)]) }
        return state == .new && twins.isEmpty
    }

    /// The feed's entry with the same title and text.
    private func entry(of feed: Feed, like article: Article, _ lookup: inout Lookup) throws -> EntryRow? {
        if lookup.titles == nil {
            let rows = try titles.rows([.integer(feed.id)]) { ($0.integer(0) ?? 0, $0.text(1) ?? "") }
            lookup.titles = Dictionary(grouping: rows) { $0.1 }.mapValues { $0.map(\.0) }
        }
        // All entries may have the same title, so each is read once.
        if lookup.texts[article.title] == nil {
            var texts: [String: Int64] = [:]
            for row in (lookup.titles?[article.title] ?? []).reversed() {
                guard let entry = try byRow.first([.integer(row)], EntryRow.init), entry.state != .gone else {
                    continue
                }
                texts[entry.article.texts] = row
            }
            lookup.texts[article.title] = texts
        }
        guard let row = lookup.texts[article.title]?[article.texts],
            let entry = try byRow.first([.integer(row)], EntryRow.init),
            entry.article.content == article.content, entry.article.summary == article.summary
        else { return nil }
        return entry
    }

    private func state(
        of article: Article, page: String?, twin: EntryRow?, isRemoved: Bool, isFirst: Bool
    ) throws -> EntryState {
        if let twin { return twin.state }
        if try isInHistory(article, page: page) { return .read }
        if isRemoved { return .gone }
        let isOld = article.publishedAt.map { now.timeIntervalSince($0) > EntryWriter.oldest } ?? false
        return isFirst && isOld ? .seen : .new
    }

    private func isInHistory(_ article: Article, page: String?) throws -> Bool {
        let read = try history.first([.text(article.id)], ReadingRow.article)?.article
        if let read, read.title == article.title || page == nil || read.url.flatMap(WebURL.page) == page { return true }
        guard let page else { return false }
        for bounds in Store.bounds(of: page) {
            let pages = try nearby.rows(bounds) { $0.text(0).flatMap(WebURL.identity) }
            if pages.contains(page) { return true }
        }
        return false
    }
}

extension Article {
    fileprivate var texts: String { ShortHash.of(summary + "\n" + content) }

    /// Whether this is another article at the same URL, and not a later version of it.
    fileprivate func replaces(of other: Article) -> Bool {
        guard let publishedAt, let earlier = other.publishedAt, publishedAt > earlier else { return false }
        return title != other.title && content != other.content
    }

    /// Whether two of the longer words of its title and summary are also another's.
    fileprivate func sharesWords(with other: Article) -> Bool {
        func words(_ article: Article) -> Set<String> {
            Set(Words.all(in: Words.folded(article.title + "\n" + article.summary)).filter { $0.utf8.count > 4 })
        }
        return words(self).intersection(words(other)).count > 1
    }

    /// The entry after its feed has changed it: present texts win, missing ones stay.
    fileprivate func revised(by newer: Article) -> Article {
        var revised = newer.completed(with: self)
        revised.id = id
        return revised
    }
}

/// The servers of feeds: one party controls all feeds of a server. Looked up at first use, since there may be
/// thousands.
final class FeedServers {
    private var known: [Int64: String] = [:]
    private let address: Statement

    init(_ connection: borrowing Connection) throws {
        address = try connection.prepare("SELECT address FROM feeds WHERE id = ?1")
    }

    /// The host and port of a URL, else the service's name.
    static func server(of address: String) -> String {
        guard let identity = WebURL.identity(address) else { return String(address.prefix { $0 != ":" }) }
        return String(identity.prefix { !"/?".contains($0) })
    }

    /// Empty if there is no such feed, or none that can be read.
    subscript(feed: Int64) -> String {
        if let server = known[feed] { return server }
        let server = (try? address.first([.integer(feed)]) { $0.text(0).map(Self.server) }) ?? ""
        known[feed] = server
        return server
    }
}

/// Connects imported articles with feeds' entries: those of a read article are no longer unread.
struct EntryJoin {
    private let byIdentifier: Statement
    private let onPage: Statement
    private let mark: EntryMark
    private let servers: FeedServers

    /// Nil if there are no entries, so that most imports skip the queries.
    init?(_ connection: borrowing Connection) throws {
        guard try connection.integer("SELECT 1 FROM entries LIMIT 1") != nil else { return nil }
        byIdentifier = try connection.prepare(Query.entriesByIdentifier)
        onPage = try connection.prepare(Query.entriesOnPage)
        mark = try EntryMark(connection)
        servers = try FeedServers(connection)
    }

    /// Marks the entries of an article as read.
    ///
    /// - Returns: The article with the feeds' texts, and its ids in the feeds. A feed of another server may link to the
    ///   article's page; its texts only fill gaps, and only if the titles match. An article that is a feed's entry
    ///   about another publisher's page is connected with that feed only.
    func join(_ article: Article) throws -> (article: Article, aliases: Set<String>) {
        let page = article.url.flatMap(WebURL.page)
        let feed = ArticleKey.feed(of: article)
        let server = (feed ?? page.map { "https://" + $0 }).map(FeedServers.server)
        var entries = try byIdentifier.rows([.text(article.id)], EntryRow.init)
        if let page { entries += try onPage.rows([.text(page)], EntryRow.init) }
        guard !entries.isEmpty else { return (article, []) }
        var joined = article
        var aliases: Set<String> = []
        for entry in entries {
            // A browser's window title ends with the site's name.
            let isTitled = (article.title + " ").hasPrefix(entry.article.title + " ")
            let isOwn = server == servers[entry.feed]
            guard isTitled || isOwn || feed == nil else { continue }
            try mark.set(.read, identifier: entry.article.id, page: feed == nil ? page : nil)
            guard isOwn || feed == nil else { continue }
            aliases.insert(entry.article.id)
            guard entry.state != .gone, isTitled || isOwn else { continue }
            joined = isOwn ? joined.merged(with: entry.article) : joined.completed(with: entry.article)
        }
        return (joined, aliases.subtracting([article.id]))
    }
}
