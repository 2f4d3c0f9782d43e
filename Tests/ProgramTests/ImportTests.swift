import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ImportTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func lines(_ range: Range<Int>) -> Data {
        Data(
            range.map {
                #"{"id":"article-\#($0)","title":"Title \#($0)","content":"Some text of number \#($0)."}"# + "\n"
            }.joined().utf8)
    }

    private func articles() throws -> Int {
        let stats = try run("history stats")
        guard stats.status == 0, let row = stats.output.split(separator: "\n").first else {
            throw Unexpected(outcome: stats)
        }
        return Int(row.filter(\.isNumber)) ?? -1
    }

    @Test func importingTwiceDoublesNothing() throws {
        let first = try run("import jsonl", Sandbox.sampleHistory)
        #expect(first.output == "40 articles: 40 new, 0 updated, 0 known\n")
        let times = try run("history list -n 99")
        let second = try run("import jsonl", Sandbox.sampleHistory)
        #expect(second.output == "40 articles: 0 new, 0 updated, 40 known\n")
        #expect(try run("history list -n 99").output == times.output)
    }

    @Test func aBrokenLineIsToldAndTheRestGoesIn() throws {
        let input = #"""
            {"id":"1","title":"One"}
            {"id":"2","title":
            {"id":"3"}

            {"title":"no id"}
            {"id":"5","title":7}
            {"id":"6","title":"   ","content":"\n"}
            {"url":"https://a.example/7","content":"Seven.","read_at":"2026-02-30"}
            {"url":"https://a.example/8","content":"<p>Eight &eacute;</p>"}
            """#
        let outcome = try run("import jsonl", input: Data(input.utf8) + [0x0a, 0xff, 0x22]).ends(65)
        for line in [2, 3, 5, 6, 7, 10] { #expect(outcome.errors.contains("line \(line): "), "\(outcome.errors)") }
        #expect(outcome.errors.contains(#/\d+ lines were skipped; \d+ articles were imported\./#), "\(outcome.errors)")
        #expect(try articles() >= 2)
    }

    @Test func quietSaysNothing() throws {
        let outcome = try sandbox.run("import", "jsonl", Sandbox.sampleHistory, "--store", sandbox.store, "--quiet")
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
    }

    @Test func anArticleOfTenMegabytesGoesIn() throws {
        let text = String(repeating: "word ", count: 2_000_000)
        let outcome = try run("import jsonl", input: Data(#"{"id":"big","title":"Big","content":"\#(text)"}"#.utf8))
        #expect(outcome.output == "1 article: 1 new, 0 updated, 0 known\n")
    }

    @Test func twoImportsAtOnceBothArrive() throws {
        let first = try sandbox.start(["import", "jsonl", "--store", sandbox.store], input: lines(0..<3000))
        let second = try sandbox.start(["import", "jsonl", "--store", sandbox.store], input: lines(2000..<5000))
        let outcomes = [first.finish(), second.finish()]
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors == "" }, "\(outcomes)")
        #expect(try articles() == 5000)
    }

    /// While one makes the store, the others find it half made: by chance, so it is tried several times.
    @Test func severalAtOnceMakeOneStore() throws {
        for round in 0..<6 {
            let store = sandbox.folder.file("store-\(round).sqlite")
            let runs = try (0..<4).map {
                try sandbox.start(["import", "jsonl", "--store", store], input: lines($0..<$0 + 1))
            }
            let outcomes = runs.map { $0.finish() }
            #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes)")
        }
    }

    /// Killed in the middle, the store is whole, keeps what was stored, and takes the rest later.
    @Test func aKilledImportLeavesAWholeStore() throws {
        let input = Pipe()
        let process = Process()
        process.standardInput = input
        let running = try sandbox.start(["import", "jsonl", "--store", sandbox.store], process: process)
        // More than one batch, and never the end.
        try input.fileHandleForWriting.write(contentsOf: lines(0..<1700))
        while true {
            let stats = try run("history stats")
            if stats.status == 0, try articles() >= 500 { break }
        }
        kill(running.process.processIdentifier, SIGKILL)
        let outcome = running.finish()
        #expect(outcome.signal == SIGKILL)
        let kept = try articles()
        #expect((500...1700).contains(kept))
        let check = try sandbox.shell(
            "command -v sqlite3 >/dev/null || { echo ok; exit; }; sqlite3 '\(sandbox.store)' 'PRAGMA integrity_check'")
        #expect(check.output == "ok\n")
        try run("import jsonl", input: lines(0..<1700)).ends(0)
        #expect(try articles() == 1700)
    }

    @Test func newsboatsCacheIsRead() throws {
        let cache = Sandbox.fixtures + "/newsboat-2.21.db"
        try run("import newsboat", cache).ends(0)
        let count = try articles()
        #expect(count > 0)
        let second = try run("import newsboat", cache)
        #expect(second.output == "\(count) articles: 0 new, 0 updated, \(count) known\n")
        let stats = try run("history stats")
        #expect(stats.output.contains("reading time estimated  \(count)"))
    }

    /// The second import passes over what has not changed, and still knows what the reader did here and there.
    @Test func aSecondImportSeesWhatHasChanged() throws {
        let cache = sandbox.folder.file("cache.db")
        try FileManager.default.copyItem(atPath: Sandbox.fixtures + "/newsboat-2.21.db", toPath: cache)
        func imported(_ options: String...) throws -> String {
            let outcome = try run("import newsboat", [cache] + options).ends(0)
            return outcome.output + outcome.errors
        }
        #expect(try imported().contains("4 articles: 4 new"))
        #expect(try imported("--no-bulk").contains("4 articles: 0 new, 0 updated, 4 known"))
        #expect(try imported().contains("4 articles: 0 new, 0 updated, 4 known"))
        let list = try run("history list --format json")
        let id = try #require(list.output.firstMatch(of: #/"id" ?: ?"([^"]+)"/#)?.1)
        #expect(try run("history remove", String(id), "--yes").status == 0)
        for _ in 1...2 {
            let words = try imported()
            #expect(words.contains("3 articles: 0 new, 0 updated, 3 known"), "\(words)")
            #expect(words.contains("Left out 1 article that you removed from the history."), "\(words)")
        }
        try Connection(path: cache, access: .readWrite).execute("UPDATE rss_item SET unread = 0")
        #expect(try imported().contains(#/articles: [1-9]\d* new, 0 updated, 3 known/#))
    }

    @Test func aCacheThatIsNowhereIsToldOf() throws {
        try run("import newsboat").ends(66, "/.newsboat/cache.db")
    }
}
