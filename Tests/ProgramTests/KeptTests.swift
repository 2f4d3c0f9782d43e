import Foundation
import PulseTestSupport
import Testing

/// What was written once is not written twice, and never lost.
@Suite struct KeptTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    private var today: [String] { ["today"] + sandbox.quick }

    /// A file that no model can be made of, with the name, the size and the time of the model: whoever opens it fails.
    private func breakTheModel() throws {
        let files = FileManager.default
        let before = try files.attributesOfItem(atPath: sandbox.model)
        let size = try #require(before[.size] as? Int)
        // Written in place and touched back to the nanosecond by the shell.
        let outcome = try sandbox.shell(
            """
            touch -r '\(sandbox.model)' '\(sandbox.model).time' && head -c \(size) /dev/zero > '\(sandbox.model)' \
            && touch -r '\(sandbox.model).time' '\(sandbox.model)'
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let broken = try sandbox.run(today + ["--fresh"])
        #expect(broken.status == 69)
    }

    @Test("The same inputs are printed again, letter by letter, and the model is not opened")
    func nothingNew() throws {
        let first = try sandbox.run(today)
        #expect(first.status == 0, "\(first.errors)")
        try breakTheModel()
        let second = try sandbox.run(today)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output == first.output)
        #expect(second.errors == "")
        // How it is computed and what is asked for beside decides nothing.
        let third = try sandbox.run(today + ["--threads", "2", "--timeout", "9", "--seed", "7", "--top-p", "0.5"])
        #expect(third.output == first.output)
    }

    @Test("What was streamed is what is printed again", arguments: ["strict", "checked"])
    func streamedAndReprinted(mode: String) throws {
        let options = [
            "today", "--grounded", mode, "--store", sandbox.store, "--model", sandbox.model, "--max-tokens", "150",
        ]
        let first = try sandbox.run(options)
        let second = try sandbox.run(options)
        #expect(first.status == 0 && first.output.count > 3000)
        #expect(first.output == second.output)
        // The terminal's form is made of the same value.
        let json = try sandbox.run(options + ["--format", "json"])
        #expect(json.output == (try sandbox.run(options + ["--format", "json"])).output)
    }

    @Test("JSON after text tells the hash, though the text did not need it")
    func jsonOfAKeptText() throws {
        _ = try sandbox.run(today)
        let outcome = try sandbox.run(today + ["--format", "json"])
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let model = try #require(object?["model"] as? [String: String])
        #expect(model["sha256"]?.count == 64)
    }

    /// Each input changed alone: the broken model is asked, and cannot answer.
    @Test(arguments: [
        ["--fresh"], ["--hours", "47"], ["--since", "2001-01-01"], ["--category", "world"], ["--max-articles", "24"],
        ["--max-tokens", "5"], ["--temperature", "0.5"], ["--context", "2048"], ["--grounded", "strict"],
    ])
    func anotherWishIsAnotherDigest(options: [String]) throws {
        _ = try sandbox.run(today)
        try breakTheModel()
        let outcome = try sandbox.run(today + options)
        #expect(outcome.status == 69, "\(outcome.output)")
    }

    @Test func theSeedCountsWhereItIsUsed() throws {
        let warm = today + ["--temperature", "0.8"]
        let first = try sandbox.run(warm + ["--seed", "1"])
        try breakTheModel()
        #expect(try sandbox.run(warm + ["--seed", "1"]).output == first.output)
        #expect(try sandbox.run(warm + ["--seed", "2"]).status == 69)
        #expect(try sandbox.run(warm + ["--seed", "1", "--top-p", "0.5"]).status == 69)
    }

    @Test("A model that was changed, or goes by another name, is another model")
    func anotherModel() throws {
        let first = try sandbox.run(today)
        try breakTheModel()
        #expect(try sandbox.run(today).output == first.output)
        _ = try sandbox.shell("touch '\(sandbox.model)'")
        #expect(try sandbox.run(today).status == 69)
    }

    @Test func aReadingMoreIsANewDigest() throws {
        _ = try sandbox.run(today)
        try breakTheModel()
        let line = "{\"id\":\"new\",\"title\":\"New\",\"content\":\"It is new.\",\"read_at\":\"-PT1H\"}"
        _ = try sandbox.run("import", "jsonl", "-", "--store", sandbox.store, input: Data(line.utf8))
        #expect(try sandbox.run(today).status == 69)
    }

    /// The sections that are as they were are told in the same words, and only the others are written: what is kept of
    /// the one section is made another text here, and it is that which is printed.
    @Test(.enabled(if: hasSQLite))
    func ofADigestThatChangedTheRestStays() throws {
        let first = try sandbox.run(today + ["--grounded", "strict"])
        #expect(first.status == 0, "\(first.errors)")
        let line =
            "{\"id\":\"new\",\"title\":\"New\",\"content\":\"It is new.\",\"category\":\"world\",\"read_at\":\"-PT1H\"}"
        _ = try sandbox.run("import", "jsonl", "-", "--store", sandbox.store, input: Data(line.utf8))
        let second = try sandbox.run(today + ["--grounded", "strict", "--verbose"])
        let kept = try #require(second.errors.split(separator: "\n").first { $0.contains("sections that were kept: ") })
        #expect(kept.contains("Science") && !kept.contains("World"))
        let sections = { (text: String) in text.components(separatedBy: "\n\n").filter { $0.contains("[") } }
        #expect(Set(sections(first.output)).intersection(sections(second.output)).count > 3)
        let fresh = try sandbox.run(today + ["--grounded", "strict", "--verbose", "--fresh"])
        #expect(!fresh.errors.contains("sections that were kept"))
        // What one token at a time and what batches of other sizes give is the same text here, to the letter.
        #expect(sections(fresh.output) == sections(second.output))
    }

    /// Damaged, they are written again.
    @Test(.enabled(if: hasSQLite), arguments: ["payload = '{'", "form = 9"])
    func aDamagedSectionIsWrittenAgain(damage: String) throws {
        // Without the heading, which names the minute.
        let sections = { (text: String) in text.components(separatedBy: "\n\n").dropFirst() }
        let first = try sandbox.run(today)
        #expect(sections(first.output).count > 3)
        try sql("UPDATE summaries SET \(damage); DELETE FROM digests")
        let second = try sandbox.run(today + ["--verbose"])
        #expect(second.status == 0 && sections(second.output) == sections(first.output))
        #expect(!second.errors.contains("sections that were kept"))
        try sql("DELETE FROM digests")
        let third = try sandbox.run(today + ["--verbose"])
        #expect(sections(third.output) == sections(first.output))
        #expect(third.errors.contains("sections that were kept"))
    }

    @Test func anotherPromptIsANewDigest() throws {
        _ = try sandbox.run(today)
        try breakTheModel()
        let prompts = sandbox.folder.file("home") + "/.config/pulse-digest/prompts"
        try FileManager.default.createDirectory(atPath: prompts, withIntermediateDirectories: true)
        try Data("# user\nMine: {{articles}}\n# article\n{{text}}".utf8)
            .write(to: URL(fileURLWithPath: prompts + "/digest.en.md"))
        #expect(try sandbox.run(today).status == 69)
    }

    @Test func aFreshOneIsKeptBesideTheOld() throws {
        _ = try sandbox.run(today)
        _ = try sandbox.run(today)
        #expect(
            try sandbox.run("history", "stats", "--store", sandbox.store).output.contains("digests kept          1\n"))
        _ = try sandbox.run(today + ["--fresh"])
        #expect(
            try sandbox.run("history", "stats", "--store", sandbox.store).output.contains("digests kept          2\n"))
    }

    @Test func aDryRunIsAlwaysMade() throws {
        _ = try sandbox.run(today)
        let outcome = try sandbox.run(today + ["--dry-run"])
        #expect(outcome.output.contains("=== 13 prompts, "))
    }

    // MARK: Damage and hindrance

    private func sql(_ statement: String) throws {
        let outcome = try sandbox.shell("sqlite3 '\(sandbox.store)' \"\(statement)\"")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    @Test(.enabled(if: hasSQLite), arguments: ["payload = '{'", "form = 9", "payload = substr(payload, 1, 500)"])
    func aDamagedDigestIsWrittenAgain(damage: String) throws {
        let first = try sandbox.run(today)
        try sql("UPDATE digests SET \(damage)")
        let told = try sandbox.run("today", "--date", day(), "--store", sandbox.store)
        #expect(told.status == 65 && told.output == "")
        #expect(told.errors.contains("damaged or of another version"))
        let second = try sandbox.run(today)
        #expect(second.status == 0, "\(second.errors)")
        #expect(body(second.output) == body(first.output))
        try breakTheModel()
        #expect(try sandbox.run(today).output == second.output)
    }

    @Test(.enabled(if: hasSQLite)) func yesterdaysDigestOfTheSameReadingsIsDatedToday() throws {
        let first = try sandbox.run(today)
        // As if it had been made a day and a half ago.
        try sql(
            "UPDATE digests SET made_at = made_at - 129600000, payload = json_set(payload, '\\$.date', payload ->> '\\$.date' - 129600)"
        )
        try breakTheModel()
        let second = try sandbox.run(today)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output.split(separator: "\n").first == first.output.split(separator: "\n").first)
        #expect(body(second.output) == body(first.output))
        #expect(try sandbox.run(today).output == second.output)
        #expect(
            try sandbox.run("history", "stats", "--store", sandbox.store).output.contains("digests kept          2\n"))
        #expect(try sandbox.run("today", "--date", day(), "--store", sandbox.store).output == second.output)
        let earlier = try sandbox.run("today", "--date", day(-36 * 3600), "--store", sandbox.store)
        #expect(earlier.status == 0 && body(earlier.output) == body(first.output))
        #expect(earlier.output != second.output)
    }

    @Test func twoAtOnceBothTell() throws {
        let running = try (0..<2).map { _ in try sandbox.start(today) }
        let outcomes = running.map { $0.finish() }
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors == "" })
        #expect(body(outcomes[0].output) == body(outcomes[1].output))
        #expect(try sandbox.run(today).status == 0)
    }

    /// The signal may come when the last word has just been written: then the digest is kept, but never a part of one.
    @Test func oneThatIsInterruptedIsKeptWholeOrNotAtAll() throws {
        let running = try sandbox.start(["today", "--store", sandbox.store, "--model", sandbox.model])
        _ = running.read(until: "World")
        running.process.terminate()
        #expect([0, 143].contains(running.finish().status))
        let kept = try sandbox.run("today", "--date", day(), "--store", sandbox.store)
        let whole = try sandbox.run("today", "--fresh", "--store", sandbox.store, "--model", sandbox.model)
        #expect(whole.status == 0)
        if kept.status == 0 { #expect(body(kept.output) == body(whole.output)) } else { #expect(kept.status == 66) }
    }

    // MARK: By day

    /// The day in the sandbox's time zone.
    private func day(_ seconds: TimeInterval = 0) -> String {
        Date(timeIntervalSinceNow: seconds).formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    }

    /// Without the two lines that tell the day and the minute.
    private func body(_ text: String) -> Substring {
        text.drop { $0 != "\n" }.dropFirst().drop { $0 != "\n" }
    }

    @Test("A day's digest is printed again in every format, without a model")
    func byDay() throws {
        let formats = ["text", "markdown", "html", "json", "email"]
        func options(_ format: String) -> [String] {
            ["--format", format, "--store", sandbox.store] + (format == "email" ? ["--to", "ana@example.org"] : [])
        }
        // JSON first: it is what needs the model's hash, which is kept then.
        _ = try sandbox.run(today + options("json"))
        let printed = try formats.map { try sandbox.run(today + options($0)) }
        try FileManager.default.removeItem(atPath: sandbox.model)
        for (format, first) in zip(formats, printed) {
            let again = try sandbox.run(["today", "--date", day()] + options(format))
            #expect(first.status == 0 && again.status == 0, "\(format): \(first.errors)\(again.errors)")
            #expect(again.output == first.output, "\(format)")
            #expect(again.output.count > 1000)
        }
    }

    @Test func aDayWithoutOneSaysWhichThereAre() throws {
        let none = try sandbox.run("today", "--date", "2024-02-29", "--store", sandbox.store)
        #expect(none.status == 66 && none.output == "")
        #expect(none.errors.contains("There is no digest of 2024-02-29. None was kept so far"))
        _ = try sandbox.run(today)
        let one = try sandbox.run("today", "--date", "2024-02-29", "--store", sandbox.store)
        #expect(one.status == 66)
        #expect(one.errors.contains("The nearest is of \(day())."))
    }

    @Test(arguments: [
        ["2024-02-30"], ["yesterday"], ["2024-2-3"], ["-P1D"], ["2024-02-28T10:00"], ["2024-02-28", "--fresh"],
        ["2024-02-28", "--dry-run"],
    ])
    func whatIsNoDay(options: [String]) throws {
        let outcome = try sandbox.run(
            ["today", "--store", sandbox.store, "--date=" + options[0]] + options.dropFirst())
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--date"))
    }

    @Test func clearingForgetsThem() throws {
        _ = try sandbox.run(today)
        _ = try sandbox.run("history", "clear", "--yes", "--store", sandbox.store)
        #expect(try sandbox.run("today", "--date", day(), "--store", sandbox.store).status == 66)
    }

    // MARK: Summaries

    private var summarize: [String] { ["summarize", "world/2026/nov/20/orvanto-earthquake-north"] + sandbox.quick }

    @Test(arguments: ["text", "json", "markdown"])
    func aSummaryIsPrintedAgain(format: String) throws {
        let first = try sandbox.run(summarize + ["--format", format])
        #expect(first.status == 0, "\(first.errors)")
        try breakTheModel()
        let second = try sandbox.run(summarize + ["--format", format])
        #expect(second.output == first.output && second.status == 0, "\(second.errors)")
    }

    @Test(arguments: [
        ["--fresh"], ["--max-tokens", "5"], ["--temperature", "0.5"], ["--grounded", "strict"], ["--context", "2048"],
    ])
    func anotherWishIsAnotherSummary(options: [String]) throws {
        _ = try sandbox.run(summarize)
        try breakTheModel()
        #expect(try sandbox.run(summarize + options).status == 69)
    }

    /// An article's id may be anything, also what stands for standard input.
    @Test func anArticleWithADashForItsIDIsKept() throws {
        let line =
            "{\"id\":\"-\",\"url\":\"https://a.example/x\",\"content\":\"The council of Orlen voted.\",\"read_at\":\"-PT1H\"}"
        _ = try sandbox.run("import", "jsonl", "-", "--store", sandbox.store, input: Data(line.utf8))
        let first = try sandbox.run(["summarize", "https://a.example/x"] + sandbox.quick)
        #expect(first.status == 0, "\(first.errors)")
        try breakTheModel()
        #expect(try sandbox.run(["summarize", "https://a.example/x"] + sandbox.quick).output == first.output)
    }

    @Test func whatIsPipedInLeavesNothing() throws {
        let input = Data("The council of Orlen voted on Tuesday.".utf8)
        _ = try sandbox.run(["summarize", "-"] + sandbox.quick, input: input)
        try breakTheModel()
        #expect(try sandbox.run(["summarize", "-"] + sandbox.quick, input: input).status == 69)
    }
}
