import PulsePlatform
import Testing

@testable import PulseStore

/// SQLite's own word that no question of the store reads the whole history to answer for a part of it.
@Suite(.timeLimit(.minutes(20))) struct PlanTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func plan(_ sql: String) throws -> [String] {
        let store = try scratch.open()
        var steps: [String] = []
        try store.connection.query("EXPLAIN QUERY PLAN " + sql) { row in
            steps.append(row.text(3) ?? "")
        }
        return steps
    }

    @Test(arguments: [
        (Query.window, "articles_by_read"), (Query.listed, "articles_by_read"), (Query.listedCount, "articles_by_read"),
        (Query.byURL, "articles_by_url"), (Query.byURLPrefix, "articles_by_url"),
        (Query.urlsByPrefix, "articles_by_url"), (Query.sameURL, "articles_by_url"),
        (Query.byPrefix, "articles_by_key"), (Query.byPrefix, "sqlite_autoindex_articles_1"),
        (Query.byIdentifier, "sqlite_autoindex_articles_1"), (Query.nextRead, "articles_by_read"),
        (Query.latestReadBefore, "articles_by_read"), (Query.latestExactBefore, "articles_by_read"),
        (Query.digestByTime, "digests_by_time"), (Query.removeSameDigest, "digests_by_time"),
        (Query.digestBefore, "digests_by_time"), (Query.digestsOfReader, "digests_by_time"),
        (Query.digestAfter, "digests_by_time"), (Query.undelivered, "articles_by_read"),
        (Query.undelivered, "told_by_reader"), (Query.undelivered, "SEARCH told USING PRIMARY"),
        (Query.lastDelivery, "told_by_reader"), (Query.answer, "sqlite_autoindex_answers_1"),
        (Query.feedByIdentity, "sqlite_autoindex_feeds_1"), (Query.entryOfFeed, "sqlite_autoindex_entries_1"),
        (Query.entriesByIdentifier, "entries_by_identifier"), (Query.entriesOnPage, "entries_by_page"),
        (Query.waiting, "entries_by_state"), (Query.waiting, "entries_told"),
        (Query.markEntries, "entries_by_identifier"), (Query.markEntries, "entries_by_page"),
        (Query.unmarkDelivered, "entries_told"), (Query.unmarkDelivered, "entries_by_page"),
        (Query.unread, "entries_by_state"), (Query.unreadCount, "entries_by_state"),
        (Query.entriesWithoutPage, "entries_by_feed"), (Query.entriesByPrefix, "entries_by_key"),
        (Query.entriesByPrefix, "entries_by_identifier"), (Query.expired, "entries_by_state"),
        (Query.emptied, "entries_by_identifier"), (Query.emptied, "entries_by_page"),
        (Query.forgotten, "entries_by_feed"), (EntryMark.byIdentifier, "entries_by_identifier"),
        (EntryMark.byPage, "entries_by_page"), (EntryMark.byArticle, "entries_by_identifier"),
        (EntryMark.byArticle, "entries_by_page"), (Query.entryTitles, "entries"), (Query.entryByRow, "PRIMARY KEY"),
    ])
    func aPartIsFoundThroughAnIndex(sql: String, index: String) throws {
        let plan = try plan(sql)
        #expect(plan.contains { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
        #expect(
            !plan.contains {
                $0.contains("SCAN articles") || $0.contains("SCAN digests") || $0.contains("SCAN entries")
            }, "\(plan)")
    }

    @Test(arguments: [Query.window, Query.listed, Query.latestMailed, Query.titlesWithoutVectors])
    func anOrderIsTheIndexsOwn(sql: String) throws {
        let plan = try plan(sql)
        #expect(plan.contains { $0.contains("USING INDEX") })
        #expect(!plan.contains { $0.contains("B-TREE") }, "\(plan)")
    }

    @Test(arguments: [
        (Query.perCategory, "articles_by_category"), (Query.sources, "articles_by_source"),
        (Query.approximate, "articles_approximate"), (Query.firstRead, "articles_by_read"),
        (Query.lastRead, "articles_by_read"), (Query.sourceNames, "articles_by_source"),
        (Query.entryCounts, "entries_by_feed"),
    ])
    func theNumbersNeverReadAText(sql: String, index: String) throws {
        let plan = try plan(sql)
        #expect(plan.contains { $0.contains("COVERING INDEX \(index)") }, "\(plan)")
    }

    @Test(arguments: [(Query.newestArticle, "SEARCH articles"), (Query.lastIndexed, "SEARCH words_docsize")])
    func whatIsNotIndexedIsKnownWithoutCounting(sql: String, step: String) throws { #expect(try plan(sql) == [step]) }

    @Test func aSearchReadsTheWordsAndThenItsHits() throws {
        let plan = try plan(Query.search)
        #expect(plan.contains { $0.contains("words VIRTUAL TABLE INDEX") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN articles") || $0.contains("SCAN hit ") }, "\(plan)")
    }
}
