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
        let row = try run("history stats").succeeded().output.prefix { $0 != "\n" }
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
        try run("import jsonl --quiet", Sandbox.sampleHistory).ends(0, output: "", errors: "")
    }

    @Test func twoImportsAtOnceBothArrive() throws {
        let first = try sandbox.start(["import", "jsonl", "--store", sandbox.store], input: lines(0..<3000))
        let second = try sandbox.start(["import", "jsonl", "--store", sandbox.store], input: lines(2000..<5000))
        let outcomes = [first.finish(), second.finish()]
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors == "" }, "\(outcomes)")
        #expect(try articles() == 5000)
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

    /// The second import passes over what has not changed, and still knows what the reader did here and there.
    @Test func aSecondImportSeesWhatHasChanged() throws {
        let cache = try sandbox.folder.copy(Sandbox.fixtures + "/newsboat-2.21.db", to: "cache.db")
        func imported(_ options: String...) throws -> String {
            let outcome = try run("import newsboat", [cache] + options).ends(0)
            return outcome.output + outcome.errors
        }
        #expect(try imported().contains("4 articles: 4 new"))
        #expect(try run("history stats").output.contains("reading time estimated  4"))
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
