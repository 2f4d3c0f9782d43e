import PulseCore
import PulseSQL
import PulseText

import struct Foundation.Date

/// Writes the entries of one transaction, with each statement compiled once.
struct EntryWriter {
    private let now: Date
    private let entryOfFeed: Statement
    private let byIdentifier: Statement
    private let onPage: Statement
    private let byText: Statement
    private let unpaged: Statement
    private let history: Statement
    private let nearby: Statement
    private let insert: Statement
    private let copyTold: Statement
    private let update: Statement
    private let list: Statement
    private let clearPage: Statement
    private let isKnown: Statement
    private let removals: Removals

    /// Of a feed that was just added, what is older counts as seen: it was there before the reader was.
    private static let oldest: Double = 7 * 86_400

    init(_ connection: borrowing Connection, now: Date) throws(SQLError) {
        self.now = now
        entryOfFeed = try connection.prepare(Query.entryOfFeed)
        byIdentifier = try connection.prepare(Query.entriesByIdentifier)
        onPage = try connection.prepare(Query.entriesOnPage)
        byText = try connection.prepare(Query.entryByText)
        unpaged = try connection.prepare(Query.entriesWithoutPage)
        history = try connection.prepare(Query.byIdentifier)
        nearby = try connection.prepare(Query.urlsByPrefix)
        insert = try connection.prepare(
            """
            INSERT INTO entries (feed, identifier, key, page, state, fetched_at, listed_at, \(Article.detailColumns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """)
        copyTold = try connection.prepare(
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
    }

    /// - Returns: how many are new and waiting.
    func write(_ articles: [Article], of feed: Feed) throws(SQLError) -> Int {
        let isFirst = try isKnown.first([.integer(feed.id)]) { _ in true } == nil
        var new = 0
        var shared: Set<String>?
        for var article in articles {
            if article.category == .general, let folder = feed.folder?.split(separator: "/").last {
                article.category = Category(String(folder))
            }
            if try write(article, of: feed, isFirst: isFirst, &shared) { new += 1 }
        }
        return new
    }

    /// Whether it is new and waiting, and was nowhere before.
    /// - Parameter shared: the pages to which the feed links several entries; nil: not looked up yet.
    private func write(
        _ article: Article, of feed: Feed, isFirst: Bool, _ shared: inout Set<String>?
    ) throws(SQLError) -> Bool {
        var page = article.url.flatMap(WebURL.page)
        let near = try page.map { page throws(SQLError) in try onPage.rows([.text(page)], EntryRow.init) } ?? []
        var known = try entryOfFeed.first([.integer(feed.id), .text(article.id)], EntryRow.init)
        let isRemoved = if known == nil { try removals.date(of: article) != nil } else { false }
        // Some programs give an article a new id whenever they like, and many ids change with the feed's address. What
        // was removed from the history has no title to be known by.
        if known == nil {
            known = near.first {
                $0.feed == feed.id && ($0.article.title == article.title || isRemoved && $0.state == .gone)
            }
        }
        if known == nil, let address = page {
            let pages = if let shared { shared } else { try pagesInCommon(of: feed) }
            let isShared = pages.contains(address) || near.contains { $0.feed == feed.id }
            shared = isShared ? pages.union([address]) : pages
            if isShared {
                try clearPage.run([.integer(feed.id), .text(address)])
                page = nil
            }
        }
        if known == nil, page == nil, article.hasBody {
            known = try byText.first(
                [.integer(feed.id), .text(article.title), .text(article.content)], EntryRow.init)
        }
        if let known {
            try list.run([.integer(known.row), .integer(Instant.milliseconds(now))])
            let merged = known.article.revised(by: article)
            // What has gone stays gone; what was told is not told again because its text has changed.
            if merged != known.article, known.state != .gone {
                try update.run([.integer(known.row)] + merged.details)
            }
            return false
        }
        let twins = try byIdentifier.rows([.text(article.id)], EntryRow.init) + (page == nil ? [] : near)
        let state = try state(
            of: article, page: page, twin: twins.first, isRemoved: isRemoved, isFirst: isFirst)
        let texts = state == .gone ? Article(id: article.id, url: article.url, title: "") : article
        try insert.run(
            [
                .integer(feed.id), .text(article.id), .text(article.key), SQLValue(page), .text(state.rawValue),
                .integer(Instant.milliseconds(now)),
            ] + texts.details)
        if let twin = twins.first { try copyTold.run([.integer(twin.row)]) }
        return state == .new && twins.isEmpty
    }

    /// The pages to which a feed links several entries: those have none of their own.
    private func pagesInCommon(of feed: Feed) throws(SQLError) -> Set<String> {
        let addresses = try unpaged.rows([.integer(feed.id)]) { $0.text(0) }
        return Set(addresses.compactMap { $0.flatMap(WebURL.page) })
    }

    private func state(
        of article: Article, page: String?, twin: EntryRow?, isRemoved: Bool, isFirst: Bool
    ) throws(SQLError) -> EntryState {
        if let twin { return twin.state }
        if try isInHistory(article, page: page) { return .read }
        if isRemoved { return .gone }
        let isOld = article.publishedAt.map { now.timeIntervalSince($0) > EntryWriter.oldest } ?? false
        return isFirst && isOld ? .seen : .new
    }

    private func isInHistory(_ article: Article, page: String?) throws(SQLError) -> Bool {
        if try history.first([.text(article.id)], { _ in true }) != nil { return true }
        guard let page else { return false }
        for bounds in Store.bounds(of: page) {
            let pages = try nearby.rows(bounds) { $0.text(0).flatMap(WebURL.identity) }
            if pages.contains(page) { return true }
        }
        return false
    }
}

extension Article {
    /// What a feed says of an article later: its texts as they are now, and what it leaves out as it was.
    fileprivate func revised(by newer: Article) -> Article {
        var revised = newer
        revised.id = id
        if newer.title.isEmpty { revised.title = title }
        if newer.content.isEmpty { revised.content = content }
        if newer.summary.isEmpty { revised.summary = summary }
        if newer.source.isEmpty { revised.source = source }
        if newer.category == .general { revised.category = category }
        revised.url = newer.url ?? url
        revised.author = newer.author ?? author
        revised.language = newer.language ?? language
        revised.publishedAt = newer.publishedAt ?? publishedAt
        return revised
    }
}

/// What the feeds brought, seen from an import: what was read waits no more.
struct EntryJoin {
    private let byIdentifier: Statement
    private let onPage: Statement
    private let mark: EntryMark

    /// Nil where there are no entries: then no import pays for the question.
    init?(_ connection: borrowing Connection) throws(SQLError) {
        guard try connection.integer("SELECT 1 FROM entries LIMIT 1") != nil else { return nil }
        byIdentifier = try connection.prepare(Query.entriesByIdentifier)
        onPage = try connection.prepare(Query.entriesOnPage)
        mark = try EntryMark(connection)
    }

    /// Marks the entries of an article as read.
    /// - Returns: the article with the texts that the feeds have of it, and by which other ids they call it.
    func join(_ article: Article) throws(SQLError) -> (article: Article, aliases: Set<String>) {
        let page = article.url.flatMap(WebURL.page)
        var entries = try byIdentifier.rows([.text(article.id)], EntryRow.init)
        if let page { entries += try onPage.rows([.text(page)], EntryRow.init) }
        guard !entries.isEmpty else { return (article, []) }
        var joined = article
        var aliases: Set<String> = []
        for entry in entries {
            if entry.state != .gone { joined = joined.merged(with: entry.article) }
            aliases.insert(entry.article.id)
            try mark.set(.read, identifier: entry.article.id, page: page)
        }
        return (joined, aliases.subtracting([article.id]))
    }
}
