import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// `import … --fetch` from a browser's own history to the texts in ours. The sites are a proxy on this machine, since
/// the program goes to no address of this machine that comes out of an article.
@Suite(.timeLimit(.minutes(20))) struct FetchTests {
    private let sandbox: Sandbox
    private let sites: LoopbackServer
    private let history: String

    init() throws {
        sandbox = try Sandbox()
        let pages = try ["semantic", "weblog"].map {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(Sandbox.fixtures)/pages/\($0).html")))
        }
        sites = try LoopbackServer { request, _ in
            // Of a proxy, whole addresses are asked for (RFC 9112, section 3.2.2).
            switch request.target {
            case "http://gazette.example/2026/ferry":
                LoopbackResponse(headers: ["Content-Type": "text/html"], body: pages[0])
            case "http://gazette.example/2026/bridge?page=1":
                LoopbackResponse(headers: ["Content-Type": "text/html"], body: pages[1])
            case "http://other.example/robots.txt":
                LoopbackResponse(text: "User-agent: *\nDisallow: /")
            default: LoopbackResponse(status: 404)
            }
        }
        history = sandbox.folder.file("places.sqlite")
        let script = try String(contentsOfFile: Sandbox.fixtures + "/browsers/firefox-153.sql", encoding: .utf8)
        try Connection(path: history, access: .readWriteCreate).execute(script)
        // A day after the visits.
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-11-23T07:46:40Z"
        sandbox.environment["http_proxy"] = sites.url()
    }

    private func run(_ options: String...) throws -> Outcome {
        try sandbox.run(
            ["import", "firefox", history, "--host", "gazette.example", "--host", "other.example"] + options
                + sandbox.plain)
    }

    @Test func whatWasVisitedBecomesText() throws {
        try run().ends(
            0, "3 articles with only a title. To get the text, import again with --fetch.",
            output: "3 articles: 3 new, 0 updated, 0 known\n")
        #expect(sites.requests.isEmpty)

        let second = try run("--fetch").ends(
            0,
            output: "3 articles: 0 new, 0 updated, 3 known\n"
                + "2 texts fetched; 1 article has only a title: 1 refused by robots.txt.\n")
        #expect(!second.errors.contains("--fetch"))
        #expect(!sites.requests.contains { $0.target == "http://other.example/2026/tides" })
        #expect(sites.requests.allSatisfy { $0.headers["cookie"] == nil && $0.headers["referer"] == nil })

        let text = try String(contentsOfFile: Sandbox.fixtures + "/pages/semantic.txt", encoding: .utf8)
        let sentence = try #require(text.split(separator: "\n").first { $0.count > 40 })
        let shown = try sandbox.run(["history", "show", "http://gazette.example/2026/ferry"] + sandbox.plain)
        let flat = shown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(flat.contains(sentence), "\(shown.output)")

        let asked = sites.requests.count
        #expect(try run("--fetch").status == 0)
        #expect(sites.requests.count == asked)
    }

    /// At a terminal it is asked once, and what was agreed to holds for what is read later, and for the night.
    @Test func textsAreFetchedAfterOneQuestion() async throws {
        let arguments = ["import", "firefox", history, "--host", "gazette.example"]
        let terminal = try PseudoTerminal()
        let process = try sandbox.start(arguments, at: terminal)
        try await terminal.wait(for: "Fetch the texts of 2 pages")
        try await terminal.wait(for: "[Y/n] ")
        #expect(sites.requests.isEmpty)
        terminal.type("")
        let shown = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0 && shown.contains("2 texts fetched."), "\(shown)")
        #expect(!shown.contains("--fetch"))

        try Connection(path: history, access: .readWrite).execute(
            """
            INSERT INTO moz_places(id, url, title, hidden, visit_count)
            VALUES (90, 'http://gazette.example/2026/lanterns', 'Lanterns on the pier', 0, 1);
            INSERT INTO moz_historyvisits(id, from_visit, place_id, visit_date, visit_type)
            SELECT 90, 0, 90, max(visit_date) + 60000000, 1 FROM moz_historyvisits;
            """)
        try sandbox.run("import").ends(nil, printing: "1 article has only a title: 1 not found")
        #expect(sites.requests.filter { $0.target == "http://gazette.example/2026/lanterns" }.count == 1)
        #expect(sites.requests.filter { $0.target == "http://gazette.example/2026/ferry" }.count == 1)
    }

    @Test func whoRefusesIsNotAskedAgain() async throws {
        for isFirst in [true, false] {
            let shown = try await sandbox.talk(
                isFirst ? [("[Y/n] ", "n")] : [], with: ["import", "firefox", history, "--host", "gazette.example"])
            #expect(isFirst || !shown.contains("[Y/n]"), "\(shown)")
        }
        #expect(sites.requests.isEmpty)
    }
}
