import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

extension Store {
    /// What FTS5 itself says of the index, and whether it holds the words of the articles that should be in it.
    fileprivate func indexIsSound() -> Bool {
        // https://www.sqlite.org/fts5.html#the_integrity_check_command: with a rank of 1 the index is compared with the
        // external content.
        (try? connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")) != nil
    }

    fileprivate func found(_ words: String) throws -> Set<String> {
        Set(try search(words, limit: 99).map(\.article.id))
    }
}

/// The search index comes after the articles.
@Suite(.timeLimit(.minutes(10))) struct IndexingTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func whatIsRecordedIsFoundOnceItIsIndexed() throws {
        let store = try scratch.open()
        _ = try store.record([reading("a"), reading("b")])
        #expect(try store.unindexed() == 2)
        #expect(try store.found("title").isEmpty)
        try store.index()
        #expect(try store.unindexed() == 0)
        #expect(try store.found("title") == ["a", "b"])
        #expect(store.indexIsSound() == true)
        _ = try store.record([reading("c")])
        #expect(try store.unindexed() == 1)
        try store.index()
        #expect(try store.found("title") == ["a", "b", "c"])
        #expect(store.indexIsSound() == true)
    }

    @Test func anEmptyHistoryHasNothingToIndex() throws {
        let store = try scratch.open()
        #expect(try store.unindexed() == 0)
        try store.index()
        #expect(try store.unindexed() == 0)
    }

    /// The words of an article that changes are those of its latest text, whether it was in the index before or not.
    @Test(arguments: [false, true])
    func aTextThatGrows(isIndexed: Bool) throws {
        let store = try scratch.open()
        _ = try store.record([reading(article("a", content: "early"))])
        if isIndexed { try store.index() }
        _ = try store.record([reading(article("a", content: "early and much later"))])
        try store.index()
        #expect(try store.found("later") == ["a"])
        #expect(store.indexIsSound() == true)
    }

    /// Deleted rows leave the index, if they are in it, and a number that is given again is indexed again.
    @Test(arguments: [false, true])
    func whatIsDeletedIsGone(isIndexed: Bool) throws {
        let store = try scratch.open()
        _ = try store.record([reading("a"), reading("b"), reading("c")])
        if isIndexed { try store.index() }
        try store.connection.execute("DELETE FROM articles WHERE identifier IN ('b', 'c')")
        _ = try store.record([reading(article("d", title: "Another"))])
        #expect(try store.unindexed() > 0)
        try store.index()
        #expect(try store.found("title") == ["a"])
        #expect(try store.found("another") == ["d"])
        #expect(store.indexIsSound() == true)
    }

    @Test func itCanBeInterrupted() throws {
        let store = try scratch.open()
        _ = try store.record((0..<2500).map { reading("n\($0)") })
        var told: [Int] = []
        try store.index { left in
            told.append(left)
            return false
        }
        #expect(told == [1500])
        #expect(try store.unindexed() == 1500)
        try store.index { left in
            told.append(left)
            return true
        }
        #expect(told == [1500, 500])
        #expect(try store.unindexed() == 0)
        #expect(store.indexIsSound() == true)
    }

    /// Two programs that index at once: neither does the other's work again.
    @Test func twoAtOnce() throws {
        let one = try scratch.open(busyTimeout: .seconds(5))
        _ = try one.record((0..<2500).map { reading("n\($0)") })
        try one.index { _ in
            (try? scratch.open().index()) != nil
        }
        #expect(try one.unindexed() == 0)
        #expect(one.indexIsSound() == true)
    }

    /// In the versions before, every article was in the index.
    @Test func anEarlierVersionsIndexIsWhole() throws {
        _ = try scratch.makeFirstVersion()
        let store = try scratch.open()
        #expect(try store.unindexed() == 0)
        _ = try store.record([reading("new")])
        #expect(try store.unindexed() == 1)
        try store.index()
        #expect(try store.found("bridge") == ["a"])
        #expect(try store.found("new") == ["new"])
        #expect(store.indexIsSound() == true)
    }
}
