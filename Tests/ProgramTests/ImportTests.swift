import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// `import` of whatever is at a path, and of whatever is on the machine.
@Suite(.timeLimit(.minutes(20))) struct ImportTests: StoreSuite {
    let sandbox: Sandbox
    private let cache: String

    init() throws {
        sandbox = try Sandbox()
        cache = sandbox.folder.file("home/.newsboat/cache.db")
    }

    private func installNewsboat() throws {
        try sandbox.folder.copy(Sandbox.fixtures + "/newsboat-2.21.db", to: "home/.newsboat/cache.db")
    }

    private var isStored: Bool { FileManager.default.fileExists(atPath: sandbox.store) }

    // MARK: - A path

    @Test func aFileIsWhatItIs() throws {
        try run("import", Sandbox.sampleHistory).ends(
            0, output: "40 articles: 40 new, 0 updated, 0 known\n",
            errors: Sandbox.sampleHistory + ": JSON Lines, one article a line (jsonl)\n")
        try run("import", Sandbox.sampleHistory).ends(0, output: "40 articles: 0 new, 0 updated, 40 known\n")
        try run("import", Sandbox.fixtures + "/newsboat-2.21.db", "--quiet").ends(0, output: "", errors: "")
        try run("import", "-", input: Data(#"{"id":"1","title":"One"}"#.utf8)).ends(
            0, "standard input: JSON Lines", output: "1 article: 1 new, 0 updated, 0 known\n")
    }

    @Test func aFolderIsLookedInto() throws {
        try installNewsboat()
        let outcome = try run("import", sandbox.folder.file("home/.newsboat"))
        #expect(outcome.status == 0 && outcome.output == "4 articles: 4 new, 0 updated, 0 known\n")
        #expect(outcome.errors.contains("newsboat’s") || outcome.errors.contains("(newsboat)"))
    }

    @Test func whatIsNoSourceSaysWhatItIs() throws {
        for (text, words) in [
            ("<opml version='2.0'><body/></opml>", "a list of feeds (OPML).\nTo follow these feeds"),
            ("<rss version='2.0'/>", "a feed"), ("", "an empty file"),
            ("a,b\n1,2\n", "CSV with the columns a, b.\nIf"), (#"{"a":[1]}"#, "JSON with the keys a.\nIf"),
            ("<html></html>", "an HTML page.\nTo summarise it: pulse-digest summarize - <"),
            ("PK\u{5}\u{6}", "a ZIP archive without any file that is known"),
            ("\0\u{1}", "something that is neither text nor a database"),
        ] {
            try run("import", sandbox.folder.write(text, to: "some file")).ends(65, "it looks like " + words)
        }
        #expect(!isStored)
    }

    /// Once, instead of each line.
    @Test func aFileOfAnotherKindIsToldOnce() throws {
        for (kind, text, words) in [
            ("jsonl", "Title,URL\nA,https://a.example/\n", "CSV with the columns Title, URL.\nTo import it: pulse-"),
            ("jsonl", #"[{"title":"A","url":"https://a.example/"}]"#, "JSON with the keys title, url.\nTo import it"),
            ("jsonl", "<rss version='2.0'/>", "a feed.\nA feed holds"),
            ("jsonl", "Dear all,\nhello.\n", "plain text.\nTo summ"),
            ("json", #"{"id":"1","title":"A"}"#, "JSON with the keys id, title.\nTo import it: pulse-digest import"),
            ("json", "Title,URL\nA,https://a.example/\n", "CSV with the columns"),
        ] {
            let outcome = try run("import", kind, sandbox.folder.write(text, to: "some file"))
                .ends(65, "it looks like " + words, output: "")
            #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
        }
        #expect(!isStored)
    }

    @Test func aMistypedKindIsNoPath() throws {
        try run("import", "newsbota").ends(66, "Did you mean the source newsboat?")
        #expect(try run("import", "/nowhere/at/all").status == 66)
        #expect(try run("import", "a", "b").status == 64)
    }

    @Test func severalFilesAreAChoice() throws {
        let folder = sandbox.folder.file("files")
        try sandbox.folder.copy(Sandbox.fixtures + "/newsboat-2.21.db", to: "files/copy.db")
        try sandbox.folder.copy(Sandbox.sampleHistory, to: "files/my list.jsonl")
        try run("import", folder)
            .ends(64, "pulse-digest import newsboat \(folder)/copy.db\n", "pulse-digest import jsonl '")
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

    // MARK: - --dry-run and options

    @Test func aDryRunStoresNothing() throws {
        for command in ["import --dry-run", "import jsonl --dry-run"] {
            let lines = try run(command, Sandbox.sampleHistory).ends(0, errors: "").output.split(separator: "\n")
            #expect(lines.first?.hasSuffix(": JSON Lines, one article a line (jsonl)") == true)
            #expect(lines.count == 6 && lines[1] == "40 articles read" && lines[2] == "For example:")
        }
        #expect(!isStored)
    }

    @Test func standardInputIsToldOf() async throws {
        // Before it waits. What is typed is the end of the input.
        for kind in ["jsonl", "csv"] {
            let terminal = try PseudoTerminal(columns: 300)
            let process = try sandbox.start(["import", kind] + sandbox.plain, at: terminal)
            #expect(try await terminal.wait(for: "then press control-D") { !process.isRunning })
            terminal.type("\u{4}")
            _ = try await terminal.rest { !process.isRunning }
        }
    }

    /// Whoever sends a file has named it.
    @Test func aFilesNameDoesNothingToTheTerminal() throws {
        let file = try sandbox.folder.write(#"{"id":"1","title":"One"}"#, to: "a\u{1b}[2Jb.jsonl")
        let outcome = try run("import", file, "--dry-run").ends(0, printing: "a[2Jb.jsonl: JSON Lines")
        #expect(!outcome.output.contains("\u{1b}") && !outcome.errors.contains("\u{1b}"))
    }

    @Test func aDryRunTellsEstimatesStarsAndFaults() throws {
        let input = #"""
            {"id":"1","title":"One"}
            {"id":"2","title":"Two","saved_at":"2026-11-01"}
            {"id":"3"
            """#
        try run("import", "jsonl", "--dry-run", input: Data(input.utf8)).ends(
            65, "line 3: ",
            printing: "\n1 article read, 1 of them at an estimated time; 1 starred; 1 unread\n", "2026-11-21 20:00~",
            beginning: "standard input: JSON Lines")
        #expect(!isStored)
    }

    /// A key that is not known is passed over, and that may be the one that matters most.
    @Test func textsOfAnotherNameAreMissed() throws {
        let lines = #"{"id":"1","title":"One","body":"A text."}"# + "\n" + #"{"id":"2","title":"Two","body":"A text."}"#
        let hint = "None has a text. If the file has another name for it: --map content=NAME"
        #expect(try run("import", "jsonl", "--dry-run", input: Data(lines.utf8)).output.contains(hint))
        let mapped = try run("import", "jsonl", "--dry-run", "--map", "content=body", input: Data(lines.utf8))
        #expect(mapped.status == 0 && !mapped.output.contains(hint))
        let one = lines + "\n" + #"{"id":"3","title":"Three","content":"A text."}"#
        #expect(try !run("import", "jsonl", "--dry-run", input: Data(one.utf8)).output.contains(hint))
    }

    @Test func whatWasMarkedTogetherCanBeLeftOut() throws {
        let lines =
            (0..<12).map { #"{"id":"bulk-\#($0)","title":"Bulk","read_at":"2026-11-20T08:00:00Z"}"# }
            + (0..<12).map { #"{"id":"one-\#($0)","title":"One","read_at":"2026-11-20T09:00:\#($0 + 10)Z"}"# }
            + (0..<12).map { #"{"id":"none-\#($0)","title":"None"}"# }
        let input = Data(lines.joined(separator: "\n").utf8)
        let outcome = try run("import", "jsonl", "--no-bulk", input: input)
        #expect(outcome.output == "24 articles: 24 new, 0 updated, 0 known\n")
        #expect(outcome.errors == "Left out: 12 items marked as read together with many others.\n")
        #expect(try run("import", "jsonl", input: input).output == "36 articles: 12 new, 0 updated, 24 known\n")
    }

    @Test func whatHoldsNothingSaysSo() throws {
        let header = try sandbox.folder.write("title,url,time_added,tags,status\n", to: "pocket.csv")
        try run("import", "pocket", header)
            .ends(0, output: "0 articles: 0 new, 0 updated, 0 known\n", errors: "It holds no articles.\n")
        let folder = try TemporaryFolder()
        try folder.write("<html></html>", to: "archive_browser.html")
        try run("import", "greader", folder.path).ends(65, "no file in it is called *.json")
    }

    // MARK: - Everything

    @Test func withoutAReaderItSaysSo() throws {
        try run("import").ends(66, "pulse-digest import PATH")
        #expect(!isStored)
    }

    @Test func nobodyIsAskedWhereThereIsNobody() throws {
        try installNewsboat()
        try run("import").ends(64, "--yes", cache)
        try run("import", "--dry-run").ends(0, printing: "4 articles read")
        #expect(!isStored)
        try run("import", "--yes").ends(0, output: "newsboat (\(cache)): 4 articles: 4 new, 0 updated, 0 known\n")
        // From then on it is known.
        let known = "newsboat (\(cache)): 4 articles: 0 new, 0 updated, 4 known\n"
        try run("import").ends(0, output: known, errors: "")
        #expect(try run("doctor").output.contains("newsboat (\(cache))"))
        // One that fails stops no other.
        let other = try sandbox.folder.write("no database", to: "home/.local/share/liferea/liferea.db")
        try run("import", "--yes").ends(65, "liferea (\(other)): ", output: known)
    }

    // MARK: - At a terminal

    /// Return is yes.
    @Test func aPersonIsAskedOnce() async throws {
        for (answer, isImported) in [("y", true), ("", true), ("n", false)] {
            let sandbox = try Sandbox()
            try sandbox.folder.copy(Sandbox.fixtures + "/newsboat-2.21.db", to: "home/.newsboat/cache.db")
            let words = ["import", "--store", sandbox.store]
            let shown = try await sandbox.talk([("[Y/n] ", answer)], with: words)
            let told = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(told.contains("/cache.db): 4 read"), "\(shown)")
            #expect(told.contains(": 4 articles: 4 new, 0 updated, 0 known") == isImported, "\(shown)")
            if isImported { try sandbox.run(words).ends(0, errors: "") }
        }
    }

    // MARK: - Killed

    /// Killed at any moment of an import, a clean run after it loses and doubles nothing.
    @Test(arguments: [40, 200])
    func aKilledImportIsFinishedByTheNext(milliseconds: UInt32) throws {
        let lines = (0..<6000).map { number in
            #"{"id":"a-\#(number)","title":"Title \#(number)","content":"Text of number \#(number)."\#(number % 100 == 0 ? #","saved_at":"2026-11-01","read_at":"2026-11-02""# : "")}"#
        }
        let path = try sandbox.folder.write(lines.joined(separator: "\n"), to: "list.jsonl")
        let running = try sandbox.start(["import", path, "--store", sandbox.store])
        usleep(milliseconds * 1000)
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.finish()
        try run("import", path).ends(0, beginning: "6,000 articles: ")
        #expect(try run("import", path).output == "6,000 articles: 0 new, 0 updated, 6,000 known\n")
        #expect(try run("history", "stats").output.hasPrefix("articles                6,000\n"))
        #expect(try run("bookmarks", "-n", "999").output.split(separator: "\n").count == 60)
        #expect(try run("history", "search", "number", "17", "-n", "9").output.split(separator: "\n").count == 9)
    }
}
