import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ImportTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

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
        #expect(try run("history list").output.split(separator: "\n").count >= 2)
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
}
