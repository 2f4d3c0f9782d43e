import Foundation
import PulseTestSupport
import Testing

/// What was written once is not written twice, and never lost.
@Suite(.timeLimit(.minutes(20))) struct KeptTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private var today: [String] { ["today"] + sandbox.written }

    /// A file that no model can be made of, with the name, the size and the time of the model: whoever opens it fails.
    private func breakTheModel() throws {
        let files = FileManager.default
        let before = try files.attributesOfItem(atPath: sandbox.model)
        let size = try #require(before[.size] as? Int)
        // Written in place and touched back to the nanosecond by the shell.
        try sandbox.shell(
            """
            touch -r '\(sandbox.model)' '\(sandbox.model).time' && head -c \(size) /dev/zero > '\(sandbox.model)' \
            && touch -r '\(sandbox.model).time' '\(sandbox.model)'
            """
        ).ends(0)
        #expect(isQuoted(try sandbox.run(today + ["--fresh"])))
    }

    /// Whether the model was needed and could not be opened, so that the publications are quoted.
    private func isQuoted(_ outcome: Outcome) -> Bool {
        outcome.status == 0 && outcome.errors.contains("quoted instead")
    }

    // MARK: Answers

    @Test func whatWasAnsweredIsPrintedAgainAndTheModelIsNotOpened() throws {
        let first = try sandbox.run(today).ends(0)
        try breakTheModel()
        let second = try sandbox.run(today).ends(0, errors: "")
        #expect(body(second.output) == body(first.output))
        // How it is computed and what is asked for beside decides nothing; nor does another choice of the same stories.
        for options in [
            ["--threads", "2", "--timeout", "9", "--seed", "7", "--top-p", "0.5"], ["--max-stories", "9"],
            ["--hours", "47"],
        ] {
            #expect(try sandbox.run(today + options).errors == "", "\(options)")
        }
        // Each input changed alone: the broken model is asked, and cannot answer.
        for options in Self.wishes {
            #expect(isQuoted(try sandbox.run(today + options)), "\(options)")
        }
        // Without a model nothing is missing.
        #expect(try run("today").status == 0)
        let prompt = "home/.config/pulse-digest/prompts/digest.en.md"
        try sandbox.folder.write("# user\nMine: {{articles}}\n# article\n{{text}}", to: prompt)
        #expect(isQuoted(try sandbox.run(today)))
        try FileManager.default.removeItem(atPath: sandbox.folder.file(prompt))
        #expect(!isQuoted(try sandbox.run(today)))
        _ = try sandbox.shell("touch '\(sandbox.model)'")
        #expect(isQuoted(try sandbox.run(today)))
    }

    /// Each makes another answer of the same.
    private static let wishes = [
        ["--fresh"], ["--max-tokens", "5"], ["--temperature", "0.5"], ["--context", "2048"],
    ]

    @Test func theSeedCountsWhereItIsUsed() throws {
        let warm = today + ["--temperature", "0.8"]
        let first = try sandbox.run(warm + ["--seed", "1"])
        try breakTheModel()
        #expect(body(try sandbox.run(warm + ["--seed", "1"]).output) == body(first.output))
        #expect(isQuoted(try sandbox.run(warm + ["--seed", "2"])))
        #expect(isQuoted(try sandbox.run(warm + ["--seed", "1", "--top-p", "0.5"])))
    }

    // MARK: Digests

    private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    @Test(.enabled(if: hasSQLite)) func aDamagedDigestIsSaidToBeOne() throws {
        _ = try run("today")
        try sandbox.shell("sqlite3 '\(sandbox.store)' \"UPDATE digests SET payload = '{'\"").succeeded()
        try run("today --date", day).ends(65, "damaged, or was made by another version", output: "")
        #expect(try run("summarize 1").status == 66)
        #expect(try run("today --category world").status == 0)
        #expect(try run("summarize 1").status == 0)
    }

    /// Of the sandbox's clock.
    private let day = "2026-11-21"

    /// Without the two lines that tell the day and the minute.
    private func body(_ text: String) -> Substring {
        text.drop { $0 != "\n" }.dropFirst().drop { $0 != "\n" }
    }

    /// JSON has all that is kept, and a mail is text and HTML.
    @Test(arguments: ["json", "email"])
    func aDaysDigestIsPrintedAgainInEveryFormatWithoutAModel(format: String) throws {
        let options =
            ["--format", format, "--store", sandbox.store] + (format == "email" ? ["--to", "ana@example.org"] : [])
        let first = try sandbox.run(["today", "--model", sandbox.model, "--max-tokens", "4"] + options)
        try FileManager.default.removeItem(atPath: sandbox.model)
        let again = try sandbox.run(["today", "--date", day] + options)
        #expect(first.status == 0 && again.status == 0, "\(first.errors)\(again.errors)")
        #expect(again.output == first.output && again.output.count > 1000)
    }

    /// What was printed on a day is what the week tells of that day, in every format, and the same each time.
    @Test func aWeekIsToldOfWhatIsKept() throws {
        clock(20, 20)
        #expect(try run("today").status == 0)
        clock(21, 20)
        try run("today --week").ends(
            0, printing: "Friday: ", beginning: "Your week, 15 November to 21 November 2026\n", errors: "")
        for format in ["text", "markdown", "html", "json"] {
            let outputs = try (0..<2).map { _ in try run("today --week --format", format).output }
            #expect(outputs[0] == outputs[1] && outputs[0].count > 500)
        }
        #expect(try run("summarize 1").status == 0)
    }

    @Test func aDayWithoutOneSaysWhichThereAre() throws {
        try run("today --date 2024-02-29")
            .ends(66, "There is no digest of 2024-02-29.\nNone has been made yet", output: "")
        _ = try sandbox.run(today)
        try run("today --date 2024-02-29").ends(66, "The nearest is of \(day).")
    }

    // MARK: Summaries

    private var summarize: [String] { ["summarize", "world/2026/nov/20/orvanto-earthquake-north"] + sandbox.written }

    @Test func aSummaryIsPrintedAgain() throws {
        func print(_ format: String) throws -> String {
            try sandbox.run(summarize + ["--format", format]).ends(0).output
        }
        let first = try ["text", "markdown"].map(print)
        try breakTheModel()
        #expect(try ["text", "markdown"].map(print) == first)
        #expect(try print("json").hasPrefix("{"))
        for options in Self.wishes {
            #expect(isQuoted(try sandbox.run(summarize + options)), "\(options)")
        }
    }

    @Test func whatIsPipedInLeavesNothing() throws {
        let input = Data("The council of Orlen voted on Tuesday.".utf8)
        _ = try sandbox.run(["summarize", "-"] + sandbox.written, input: input)
        try breakTheModel()
        #expect(isQuoted(try sandbox.run(["summarize", "-"] + sandbox.written, input: input)))
    }
}
