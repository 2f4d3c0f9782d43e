import Foundation
import PulseTestSupport
import Testing

@Suite struct TodayTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    @Test func everyCategoryHasItsSection() throws {
        let outcome = try sandbox.run(["today"] + sandbox.quick)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        for heading in [
            "World", "Business", "Technology", "Science", "Health", "Sports", "Entertainment", "Gardening", "General",
        ] {
            #expect(outcome.output.contains("\n\(heading)\n\n"), "\(heading)")
        }
        #expect(outcome.output.hasPrefix("Your digest, "))
        #expect(outcome.output.contains("27 of the 34 articles"))
        #expect(!outcome.output.contains("\u{1b}"))
    }

    /// Nothing of the status line, of colours or of titles with escapes in them.
    @Test func aPipeGetsPlainText() throws {
        let outcome = try sandbox.run(["today", "--max-articles", "100"] + sandbox.quick)
        #expect(outcome.output.contains("Quillon editor patches flaw"))
        #expect(
            !outcome.output.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7f...0x9f).contains($0.value)
            })
        #expect(!outcome.output.unicodeScalars.contains("\u{202e}"))
    }

    @Test func theSameInputIsTheSameDigest() throws {
        let first = try sandbox.run(["today"] + sandbox.quick)
        let second = try sandbox.run(["today"] + sandbox.quick)
        // The heading tells the minute since which was read.
        func body(_ text: String) -> Substring { text.drop { $0 != "\n" }.dropFirst().drop { $0 != "\n" } }
        #expect(body(first.output) == body(second.output))
        #expect(!body(first.output).isEmpty)
    }

    /// What would mean nothing is said to mean nothing.
    @Test(arguments: [
        (["--to", "a@b.example"], "--to"), (["--from", "a@b.example", "--format", "json"], "--from"),
        (["--again"], "--again"), (["--sendmail", "/bin/sh"], "--sendmail"),
        (["--send-timeout", "5"], "--send-timeout"),
        (["--retry-time", "5"], "--retry-time"), (["--scheduled", "cron"], "--scheduled"),
        (["--date", "2026-11-18", "--hours", "5"], "--hours"),
        (["--date", "2026-11-18", "--category", "x"], "--category"),
        (["--date", "2026-11-18", "--seed", "5"], "--seed"), (["--date", "2026-11-18", "--fresh"], "--fresh"),
        (["--date", "2026-11-18", "--send", "--to", "a@b.example"], "--send"),
        (["--send", "--to", "a@b.example", "--format", "json"], "--format json"),
    ])
    func anOptionWithoutAMeaningIsAUsageError(options: [String], name: String) throws {
        let outcome = try sandbox.run(["today"] + options + sandbox.quick.prefix(2))
        #expect(outcome.status == 64 && outcome.output == "")
        #expect(outcome.errors.contains(name), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    /// A setting is for the commands that it means something to, and what is switched off was not asked for.
    @Test func aSettingWithoutAMeaningIsNoFault() throws {
        sandbox.environment["PULSE_DIGEST_TO"] = "a@b.example"
        sandbox.environment["PULSE_DIGEST_SENDMAIL"] = "/nowhere"
        #expect(try sandbox.run(["today", "--again=no"] + sandbox.quick).status == 0)
        sandbox.environment["PULSE_DIGEST_FORMAT"] = "email"
        let mail = try sandbox.run(["today", "--to", "c@d.example"] + sandbox.quick)
        #expect(mail.status == 0 && mail.output.contains("\nTo: c@d.example\n"))
    }

    @Test func theDigestIsStreamed() throws {
        let running = try sandbox.start(["today", "--store", sandbox.store, "--model", sandbox.model])
        let front = running.read(until: "Business")
        #expect(front.contains("World"))
        // Further sections are still to be written.
        #expect(running.process.isRunning)
        running.process.terminate()
        _ = running.finish()
    }

    @Test func jsonIsWholeAndTrue() throws {
        let outcome = try sandbox.run(["today", "--format", "json"] + sandbox.quick)
        #expect(outcome.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let digest = try #require(object)
        let articles = try #require(digest["articles"] as? [[String: Any]])
        let sections = try #require(digest["sections"] as? [[String: Any]])
        // Twenty-five stories, one of which three sources tell.
        #expect(articles.count == 27)
        #expect(sections.flatMap { $0["articles"] as? [String] ?? [] } == articles.compactMap { $0["id"] as? String })
        let model = try #require(digest["model"] as? [String: String])
        #expect(model["name"] == "fixture")
        let expected = try sandbox.shell("sha256sum '\(sandbox.model)' || shasum -a 256 '\(sandbox.model)'")
        #expect(model["sha256"] == expected.output.prefix(64).description)
        let timing = try #require(digest["timing"] as? [String: Int])
        #expect(timing["prompt_tokens", default: 0] > 1000)
    }

    @Test func aDryRunPrintsThePromptsWithTheirCounts() throws {
        let outcome = try sandbox.run(["today", "--dry-run"] + sandbox.quick)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("=== World, 3 stories, 3 of them by the beginning only: "))
        #expect(outcome.output.contains("--- system\nYou write one paragraph"))
        #expect(outcome.output.contains("Category: Gardening"))
        #expect(outcome.output.contains("=== 13 prompts, "))
    }

    @Test func markersOfChatTemplatesStayText() throws {
        let strict = try sandbox.run(
            ["today", "--dry-run", "--category", "technology", "--max-articles", "99"] + sandbox.quick)
        #expect(strict.status == 0)
        #expect(strict.output.contains("8 stories"))
    }

    @Test func theWindowAndTheCategoriesChoose() throws {
        let week = try sandbox.run(["today", "--hours", "400", "--max-articles", "99"] + sandbox.quick)
        #expect(week.output.contains("40 articles"))
        let two = try sandbox.run(["today", "--category", "Health", "--category", "sports"] + sandbox.quick)
        #expect(two.output.contains("in 2 topics") && two.output.contains("Health") && two.output.contains("Sports"))
        #expect(!two.output.contains("World"))
        let since = try sandbox.run(["today", "--since", "2001-01-01", "--max-articles", "99"] + sandbox.quick)
        #expect(since.output.contains("40 articles"))
    }

    /// An empty day is an ordinary day: cron has nothing to mail.
    @Test(arguments: [["--hours", "0.01"], ["--category", "philately"]])
    func anEmptyWindowIsSilent(options: [String]) throws {
        let outcome = try sandbox.run(["today"] + options + sandbox.quick)
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
    }

    @Test(arguments: ["strict", "checked"])
    func bothWaysOfGroundingWork(mode: String) throws {
        let outcome = try sandbox.run([
            "today", "--grounded", mode, "--category", "gardening", "--store", sandbox.store,
            "--model", sandbox.model, "--max-tokens", "300",
        ])
        #expect(outcome.status == 0)
        // Bytes at random are no words; strict ones are the article's own.
        #expect(outcome.output.contains("A cubic metre of autumn") == (mode == "strict"))
    }

    @Test func ownPromptsWin() throws {
        let prompts = sandbox.folder.file("home") + "/.config/pulse-digest/prompts"
        try FileManager.default.createDirectory(atPath: prompts, withIntermediateDirectories: true)
        let file = prompts + "/digest.en.md"
        try Data("# user\nMine: {{articles}}\n# article\n{{text}}".utf8).write(to: URL(fileURLWithPath: file))
        let good = try sandbox.run(["today", "--dry-run"] + sandbox.quick)
        #expect(good.output.contains("Mine: "))
        try Data("# user\n{{articles}} {{weather}}\n# article\n{{text}}".utf8).write(to: URL(fileURLWithPath: file))
        let bad = try sandbox.run(["today", "--dry-run"] + sandbox.quick)
        #expect(bad.status == 78)
        #expect(bad.errors.contains("\(file), line 2") && bad.errors.contains("{{weather}}"))
    }
}
