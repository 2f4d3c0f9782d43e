import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

/// SQLite's own word that no question reads the whole history to answer for a part of it.
@Suite(.timeLimit(.minutes(10))) struct PlanTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func plan(_ sql: String) throws -> [String] {
        let store = try scratch.open()
        try store.connection.addRelevance()
        var steps: [String] = []
        try store.connection.query("EXPLAIN QUERY PLAN " + sql) { row throws(SQLError) in
            steps.append(row.text(3) ?? "")
        }
        return steps
    }

    @Test("A window and a list are a range of one index, in its order", arguments: [Queries.window, Queries.listed])
    func ranges(sql: String) throws {
        #expect(
            try plan(sql).map { $0.prefix(while: { $0 != "(" }) } == [
                "SEARCH articles USING INDEX articles_by_read "
            ])
    }

    @Test func aSearchReadsTheWordsAndThenItsHits() throws {
        let plan = try plan(Queries.search)
        // fts5_main.c: FTS5_BI_ORDER_ROWID is 0x40 and FTS5_BI_ORDER_DESC 0x80. FTS5 has its matches in that order, so
        // nothing is sorted before the limit; what is sorted after it are the candidates.
        let words = try #require(plan.first { $0.hasPrefix("SCAN words VIRTUAL TABLE INDEX ") })
        let order = try #require(words.split(separator: " ").last?.split(separator: ":").first.flatMap { Int($0) })
        #expect(order & 0xc0 == 0xc0)
        #expect(
            plan.filter { $0 != words } == [
                "MATERIALIZE hits", "MATERIALIZE latest", "SCAN latest",
                "SEARCH hit USING INTEGER PRIMARY KEY (rowid=?)", "USE TEMP B-TREE FOR ORDER BY", "SCAN hits",
                "SEARCH articles USING INTEGER PRIMARY KEY (rowid=?)", "USE TEMP B-TREE FOR ORDER BY",
            ])
    }

    @Test(
        "One article is found through an index",
        arguments: [
            (Queries.byURL, "articles_by_url"), (Queries.byPrefix, "articles_by_key"),
            (Queries.byPrefix, "sqlite_autoindex_articles"),
            (Queries.byIdentifier, "INTEGER PRIMARY KEY"),
        ])
    func one(sql: String, index: String) throws {
        let plan = try plan(sql)
        #expect(plan.contains { $0.hasPrefix("SEARCH articles USING") && $0.contains(index) })
        #expect(!plan.contains { $0.hasPrefix("SCAN articles") })
    }

    @Test(
        "The journal and the numbers never read a text",
        arguments: [
            "SELECT category, count(*) FROM articles GROUP BY category", "SELECT min(read_at) FROM articles",
            "SELECT max(read_at) FROM articles", "SELECT count(*) FROM articles WHERE read_exact = 0",
            "SELECT count(DISTINCT source) FROM articles WHERE source <> ''",
            "SELECT min(read_at) FROM articles WHERE read_at >= 5", "SELECT count(*) FROM articles",
        ])
    func counts(sql: String) throws {
        #expect(try plan(sql).allSatisfy { $0.contains("COVERING INDEX") || $0.contains("USE TEMP B-TREE") })
    }

    @Test(
        "What was kept is found by one step into an index, in its order",
        arguments: [
            (Queries.answer, "SEARCH answers USING INDEX sqlite_autoindex_answers_1 (key=?)"),
            (Queries.latestDigest, "SCAN digests USING INDEX digests_by_time"),
            (Queries.digestByTime, "SEARCH digests USING INDEX digests_by_time (made_at>? AND made_at<?)"),
            (Queries.digestBefore, "SEARCH digests USING COVERING INDEX digests_by_time (made_at<?)"),
            (Queries.digestAfter, "SEARCH digests USING COVERING INDEX digests_by_time (made_at>?)"),
            (Queries.latestReadBefore, "SEARCH articles USING COVERING INDEX articles_by_read (read_at<?)"),
        ])
    func kept(sql: String, step: String) throws { #expect(try plan(sql) == [step]) }
}
