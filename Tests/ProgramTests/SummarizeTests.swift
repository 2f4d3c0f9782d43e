import Foundation
import PulseTestSupport
import Testing

@Suite struct SummarizeTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    /// By its id, its key, a beginning of either, its URL, or a link of the app.
    @Test(arguments: [
        "world/2026/nov/20/orvanto-earthquake-north", "world/2026/nov/20/orvanto",
        "pulse://article?id=world/2026/nov/20/orvanto-earthquake-north",
        "https://www.herald.example/world/2026/nov/20/orvanto-earthquake-north",
    ])
    func anArticleByAnyOfItsNames(name: String) throws {
        let outcome = try sandbox.run(["summarize", name] + sandbox.quick)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Magnitude 5.8 earthquake"))
    }

    @Test func theKeyOfTheListIsAName() throws {
        let list = try sandbox.run("history", "search", "Magnitude", "5.8", "--store", sandbox.store)
        let key = try #require(list.output.split(separator: " ").first)
        let outcome = try sandbox.run(["summarize", String(key.prefix(5))] + sandbox.quick)
        #expect(outcome.output.contains("Magnitude 5.8 earthquake"))
    }

    @Test func standardInputIsSummarised() throws {
        let html = "<p>The council of Orlen voted.</p><script>alert('no')</script><p>Work starts in May.</p>"
        let outcome = try sandbox.run(
            ["summarize", "-", "--grounded", "strict"] + sandbox.quick.dropLast(2), input: Data(html.utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("alert"))
        #expect(
            outcome.output.contains("The council of Orlen voted.") || outcome.output.contains("Work starts in May."))
    }

    @Test func jsonIsWhole() throws {
        let outcome = try sandbox.run(
            ["summarize", "-", "--format", "json", "--grounded", "strict"] + sandbox.quick.dropLast(2),
            input: Data("The council of Orlen voted on Tuesday.".utf8))
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let summary = try #require(object)
        #expect(summary["text"] as? String == "The council of Orlen voted on Tuesday.")
        #expect(summary["shortened"] as? Bool == false)
    }

    /// The whole of it is read, in pieces that the context holds.
    @Test func aLongArticleIsReadInPieces() throws {
        let outcome = try sandbox.run(
            ["summarize", "circuit-feature-0091", "--context", "2048"] + sandbox.quick
                + ["--grounded", "strict", "--max-tokens", "120"])
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("longer than the model can read"))
        let listing = try sandbox.run(
            ["summarize", "circuit-feature-0091", "--context", "2048", "--dry-run"] + sandbox.quick)
        #expect(listing.output.contains("part 1 of ") && listing.output.contains("At ten past two in the morning"))
        #expect(listing.output.contains("they were putting on their lights."))
    }

    /// What the pieces gave nothing to be told of is told by its beginning, and not passed off as whole.
    @Test func aLongArticleOfWhichNothingCouldBeSaid() throws {
        let outcome = try sandbox.run(
            ["summarize", "circuit-feature-0091", "--context", "2048", "--format", "json", "--store", sandbox.store]
                + ["--model", sandbox.model, "--max-tokens", "1"])
        let summary = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(summary?["shortened"] as? Bool == true, "\(outcome.errors)")
    }

    /// The embedded model reads all of it, too.
    @Test func theEmbeddedModelReadsInPieces() throws {
        let options = ["summarize", "circuit-feature-0091", "--store", sandbox.store]
        let listing = try sandbox.run(options + ["--dry-run"])
        #expect(listing.output.contains("part 2 of 4") && listing.output.contains("part 4 of 4"))
        #expect(listing.output.contains("they were putting on their lights."))
        let outcome = try sandbox.run(options + ["--format", "json"])
        let summary = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(summary?["shortened"] as? Bool == false, "\(outcome.errors)")
        #expect((summary?["text"] as? String)?.hasPrefix("At ten past two in the morning") == true)
    }

    @Test func tenMegabytesAreTaken() throws {
        let text = String(repeating: "A sentence of some words stands here. ", count: 280_000)
        let outcome = try sandbox.run(["summarize", "-"] + sandbox.quick, input: Data(text.utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("longer than the model can read"))
    }

    @Test func oneWordOfTwoMegabytesIsTaken() throws {
        let outcome = try sandbox.run(
            ["summarize", "-"] + sandbox.quick, input: Data(String(repeating: "abcdefg", count: 300_000).utf8))
        #expect(outcome.status == 0, "\(outcome.status) \(outcome.errors)")
        #expect(outcome.output.contains("longer than the model can read"))
    }

    @Test(arguments: [
        ("zzzz", 66), ("pulse://article?id=../../etc/passwd", 65), ("pulse://feed", 65), ("7c9e41", 66), ("", 66),
    ])
    func whatIsNoArticle(name: String, status: Int32) throws {
        let outcome = try sandbox.run(["summarize", name] + sandbox.quick)
        #expect(outcome.status == status)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("pulse-digest: "))
    }

    @Test func anAmbiguousPrefixListsItsArticles() throws {
        let outcome = try sandbox.run(["summarize", "7c9e41"] + sandbox.quick)
        #expect(outcome.errors.split(separator: "\n").count == 5)
        #expect(outcome.errors.contains("fits several articles"))
    }

    @Test(arguments: ["", " \n\t ", "<script>only()</script>"])
    func nothingToSummarise(text: String) throws {
        let outcome = try sandbox.run(["summarize", "-"] + sandbox.quick, input: Data(text.utf8))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("nothing to summarise"))
    }
}
