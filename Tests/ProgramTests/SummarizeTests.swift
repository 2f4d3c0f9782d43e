import Foundation
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SummarizeTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    /// By its id, its key, a beginning of either, its URL, or a link of the app.
    @Test func anArticleByAnyOfItsNames() throws {
        let id = "world/2026/nov/20/orvanto-earthquake-north"
        let list = try run("history search Magnitude 5.8")
        let key = try #require(list.output.split(separator: " ").first)
        for name in [
            id, "world/2026/nov/20/orvanto", "pulse://article?id=" + id, "https://www.herald.example/" + id,
            String(key.prefix(5)),
        ] {
            try run("summarize", name).ends(0, printing: "Magnitude 5.8 earthquake")
        }
    }

    @Test func standardInputIsSummarised() throws {
        let html = "<p>The council of Orlen voted.</p><script>alert('no')</script><p>Work starts in May.</p>"
        let told = try run("summarize -", input: Data(html.utf8)).ends(0).output
        #expect(!told.contains("alert") && (told.contains("council of Orlen voted.") || told.contains("Work starts")))
        let outcome = try run("summarize - --format json", input: Data("The council of Orlen voted on Tuesday.".utf8))
        let summary = try outcome.object()
        #expect(summary["text"] as? String == "The council of Orlen voted on Tuesday.")
        #expect(summary["shortened"] as? Bool == false)
    }

    /// Two sentences of its own, and its captions and headings are none.
    @Test func anArticleIsToldInTwoOfItsSentences() throws {
        let outcome = try run("summarize circuit-feature-0091 --format json")
        let summary = try outcome.object()
        let sentences = try #require(summary["sentences"] as? [[String: Any]])
        #expect(sentences.count == 2)
        #expect((sentences[0]["text"] as? String)?.hasPrefix("At ten past two in the morning") == true)
        #expect(summary["model"] == nil)
    }

    /// One article is no digest: nothing is said of stories.
    @Test func outOfTimeTheSummaryIsTheArticlesOwn() throws {
        let name = "world/2026/nov/20/orvanto-earthquake-north"
        let outcome = try sandbox.run(["summarize", name, "--stall-timeout", "0.001"] + sandbox.written)
            .ends(0, "The summary is made of the article's own sentences.")
        #expect(try outcome.output.hasPrefix(run("summarize", name).output))
        #expect(!outcome.errors.contains("stor"), "\(outcome.errors)")
    }

    @Test func aLongArticleIsReadAsFarAsTheModelCan() throws {
        let text = Data(String(repeating: "A sentence of some words stands here. ", count: 280_000).utf8)
        try sandbox.run(["summarize", "-"] + sandbox.written, input: text)
            .ends(0, printing: "longer than the model can read")
        try run("summarize -", input: text).ends(nil, output: "“A sentence of some words stands here.”\n")
    }

    @Test func anInputWithoutEndIsRefused() throws {
        try sandbox.shell("yes | $P summarize -").ends(65, "longer than 16 MiB.", output: "")
    }

    @Test func aTerminalIsLeftWithoutAWord() async throws {
        let terminal = try PseudoTerminal()
        let process = try sandbox.start(["summarize", "-"] + sandbox.plain, at: terminal)
        try await terminal.wait(for: "on a line of its own.\n")
        terminal.type("Half a text")
        kill(process.processIdentifier, SIGINT)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 130 && shown.hasSuffix("Half a text\n"), "\(shown)")
    }

    @Test func whatIsNoArticle() throws {
        for (name, status) in [
            ("zzzz", 66), ("pulse://article?id=../../etc/passwd", 65), ("pulse://feed", 65), ("", 66),
        ] as [(String, Int32)] {
            let outcome = try run("summarize", name).ends(status, output: "")
            #expect(outcome.errors.hasPrefix("pulse-digest: "))
        }
        let several = try run("summarize 7c9e41").ends(66, "matches several articles", output: "")
        #expect(several.errors.split(separator: "\n").count == 5)
    }

    @Test func nothingToSummarise() throws {
        for text in ["", " \n\t ", "<script>only()</script>"] {
            try run("summarize -", input: Data(text.utf8)).ends(65, "nothing to summarise")
        }
        try run("summarize -", input: Data((0...255).map(UInt8.init))).ends(65, "not a text", output: "")
    }
}
