import Foundation
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct TodayTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private func json(_ options: [String]) throws -> [String: Any] {
        let outcome = try sandbox.run(["today", "--format", "json"] + options).succeeded()
        return try outcome.object()
    }

    @Test func everyCategoryHasItsSection() throws {
        let outcome = try run("today").ends(0, errors: "")
        for heading in ["Top stories", "World", "Business", "Technology", "Science", "Health", "Sports", "More"] {
            #expect(outcome.output.contains("\n\(heading)\n"), "\(heading)")
        }
        #expect(outcome.output.hasPrefix("Your digest, "))
        #expect(outcome.output.contains("stories from 27 of the 34 articles"))
        #expect(!outcome.output.contains("\u{1b}"))
        // What three sources tell is told first, once, with all of them behind it.
        let told = outcome.output.split(separator: "\n").filter { $0.contains("Tamsin dam") }
        #expect(told.count == 1 && told.first?.contains(" 1  ") == true)
        #expect(told.first?.hasSuffix("— The Herald, also Harbour Post, Northern Wire") == true)
    }

    /// Nothing of the status line, of colours or of titles with escapes in them.
    @Test func aPipeGetsPlainText() throws {
        for options in [sandbox.written, sandbox.plain] {
            let output = try sandbox.run(["today", "--max-stories", "100"] + options).output
            #expect(output.contains("Quillon"))
            let isUnsafe = output.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7f...0x9f).contains($0.value) || $0 == "\u{202e}"
            }
            #expect(!isUnsafe)
        }
    }

    @Test func withoutAModelThereIsNoPromptToShow() throws {
        try run("today --dry-run").ends(64, "no model is chosen", output: "")
    }

    /// A setting is for the commands that it means something to, and what is switched off was not asked for.
    @Test func aSettingWithoutAMeaningIsNoFault() throws {
        sandbox.environment["PULSE_DIGEST_TO"] = "a@b.example"
        sandbox.environment["PULSE_DIGEST_SENDMAIL"] = "/nowhere"
        try run("today --again=no").ends(0, errors: "")
        sandbox.environment["PULSE_DIGEST_FORMAT"] = "email"
        try run("today --to c@d.example").ends(0, printing: "\nTo: c@d.example\n")
    }

    @Test func withModelNoneEveryStoryIsQuoted() throws {
        sandbox.environment["PULSE_DIGEST_MODEL"] = sandbox.model
        try run("today --model none")
            .ends(0, printing: "Every sentence is quoted from the publication named.", errors: "")
    }

    /// What no story says is shown where nobody wants it checked, or wants what is doubtful marked; and the foot says
    /// what was done.
    @Test(arguments: [("off", "was not checked", false), ("mark", "are marked", true)])
    func whatIsDoubtfulIsShownToWhoWantsIt(mode: String, says: String, isMarked: Bool) throws {
        try FixtureModel.write(to: sandbox.model) { $0.script = "Zebras graze quietly by the river every day." }
        let outcome = try run("today --check", mode, "--model", sandbox.model).ends(0, printing: says)
        #expect(outcome.output.contains("[?]") == isMarked)
        #expect(outcome.output.contains("stories are in its words"))
    }

    @Test func jsonIsWholeAndTrue() throws {
        let digest = try json(["--max-stories", "40"] + sandbox.plain)
        let articles = try #require(digest["articles"] as? [[String: Any]])
        let stories = digest.stories
        #expect(articles.count == 34 && digest["version"] as? Int == 1 && digest["basis"] as? String == "read")
        #expect(stories.flatMap { $0["articles"] as? [String] ?? [] } == articles.compactMap { $0["id"] as? String })
        // Three sources tell one of them.
        #expect(stories.compactMap { $0["weight"] as? Int }.max() == 3)
        let told = stories.filter { !(($0["sentences"] as? [Any])?.isEmpty ?? true) }
        // Two of all that was read have nothing but their titles.
        #expect(told.count == 30 && stories.count == 32)
        let sentences = told.flatMap { $0["sentences"] as? [[String: Any]] ?? [] }
        #expect(sentences.allSatisfy { ["copied", "shortened"].contains($0["origin"] as? String) })
        #expect(digest["model"] is NSNull)
    }

    /// Letters at random are no sentence that a story bears out: it is told as it would be without a model, and that is
    /// said.
    @Test func aModelThatWritesNothingUsableIsReplaced() throws {
        let digest = try json(sandbox.written)
        let plain = try json(sandbox.plain)
        let texts = { (digest: [String: Any]) in
            digest.stories.map { ($0["sentences"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String } }
        }
        #expect(texts(digest) == texts(plain))
        let origins = digest.stories.flatMap { $0["sentences"] as? [[String: Any]] ?? [] }
        #expect(origins.allSatisfy { $0["origin"] as? String == "replaced" })
        let model = try #require(digest["model"] as? [String: String])
        #expect(model["name"] == "fixture")
        #expect(try model["sha256"] == sandbox.sha256(of: sandbox.model))
        let timing = try #require(digest["timing"] as? [String: Int])
        #expect(timing["prompt_tokens", default: 0] > 1000)
    }

    @Test func aDryRunPrintsThePromptsWithTheirCounts() throws {
        // A story with nothing but its title is not asked about.
        let outcome = try sandbox.run(["today", "--dry-run", "--max-stories", "40"] + sandbox.written).ends(
            0, printing: "=== Tamsin dam gates opened as 14,000 leave Arrel valley: ", "=== 30 prompts, ",
            "--- system\nSum up the news story")
        // Of three reports each once, and of no other story.
        let dam = try #require(
            outcome.output.components(separatedBy: "=== ").first { $0.hasPrefix("Tamsin dam gates") })
        #expect(dam.components(separatedBy: "Tamsin dam").count > 4 && dam.components(separatedBy: "\n\n").count >= 5)
        #expect(!dam.contains("earthquake"))
    }

    @Test func theWindowAndTheCategoriesChoose() throws {
        try run("today --hours 400").ends(nil, printing: "the 40 articles")
        try run("today --category Health --category sports")
            .ends(nil, printing: "\nHealth\n", "\nSports\n", without: "\nWorld\n")
        try run("today --since 2001-01-01").ends(nil, printing: "the 40 articles")
    }

    /// What stands below the titles works as it stands there.
    @Test func sectionsComeInTheOrderThatIsAskedFor() throws {
        let outcome = try run("today --model none --section science --section Nowhere --explain")
        let headings = outcome.output.split(separator: "\n").filter { $0.first?.isLetter == true }
        #expect(
            headings.contains("Top stories") && outcome.errors.contains("no section “Nowhere”"), "\(outcome.errors)")
        #expect(headings.firstIndex(of: "Science") == headings.firstIndex(of: "Top stories").map { $0 + 1 })
        #expect(outcome.output.contains("Here because: 3 publications report it"))
        #expect(outcome.output.contains("Here because: it is one of the newest of its section"))
        try run("today --model none --category science --max-stories 60 --max-per-section 60 --explain")
            .ends(nil, printing: "Here because: its whole section fitted in", without: "newest")
    }

    /// An empty day is an ordinary day: cron has nothing to mail.
    @Test func anEmptyWindowIsSilent() throws {
        for options in [sandbox.plain, sandbox.written, sandbox.plain + ["--category", "sports"]] {
            try sandbox.run(["today", "--hours", "0.01"] + options).ends(0, output: "", errors: "")
        }
    }

    /// A number stands for a story of the last digest, told or titled.
    @Test func numbersAreReferences() throws {
        try run("summarize 3").ends(66, "there is none yet")
        let digest = try json(sandbox.plain)
        let titles = digest.stories.compactMap { $0["title"] as? String }
        for number in [1, 2, titles.count] {
            #expect(try run("history show \(number)").output.hasPrefix(titles[number - 1]))
        }
        #expect(try run("summarize 2").output.hasPrefix(titles[1]))
        try run("summarize 99").ends(66, "stories 1 to \(titles.count)")
    }
}
