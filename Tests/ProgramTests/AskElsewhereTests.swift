import PulseTestSupport
import Testing

/// What the search by meaning does for other commands: several articles in one text, lists and related articles.
@Suite(.timeLimit(.minutes(20))) struct AskElsewhereTests: AskSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Self.newSandbox() }

    // MARK: - Several articles in one text

    private func several(_ arguments: String...) throws -> Outcome {
        try sandbox.run(["summarize", "lock0", "leek0"] + arguments)
    }

    @Test func severalArticlesAreQuotedWithoutAModel() throws {
        try record(Self.articles)
        try several().ends(
            nil,
            printing: "Upper Arrel.” [a2]\n\na1  Calder lock reopens — Harbour Post, read 21 November 2026\n",
            beginning: "“\(Self.lock)” [a1] “A meteorite weighing 740")
        #expect(try sandbox.run("share", "a2").output.hasPrefix("Meteorite falls"))
        let markdown = try several("--format", "markdown").output
        #expect(markdown.hasPrefix("“The harbour") && markdown.contains("\n- a2: Meteorite falls"), "\(markdown)")
        let reply = try json(several("--format", "json"))
        let (answer, articles) = (reply["answer"] as? [Any], reply["articles"] as? [Any])
        #expect(answer?.count == 2 && articles?.count == 2 && reply["question"] == nil)
        #expect(try several("--format", "speech").output.hasPrefix("The harbour office"))
        #expect(try sandbox.run("summarize", "lock0", "-").status == 64)
    }

    @Test func aModelWritesOneTextOfSeveralArticles() throws {
        try prepare(Self.lock + " A mayor of Ruritania bought 812 elephants. Nobody was hurt.")
        #expect(try sandbox.run("today", "--model", "none", "--hours", "400").status == 0)
        let stories = try ["1", "2", "3"].map { try sandbox.run("share", $0).output.prefix(6) }
        let lock = try #require(stories.firstIndex(of: "Calder")) + 1
        let leek = try #require(stories.firstIndex(of: "Meteor")) + 1
        try sandbox.run(
            "summarize", "\(leek)", "\(lock)", "--model", sandbox.model, "--max-tokens", "400"
        )
        .ends(nil, beginning: "“\(Self.lock)” [\(lock)] “Nobody was hurt.” [\(leek)]\n", without: "elephants")
        // The digest's numbers stay what they were.
        #expect(try sandbox.run("share", "\(leek)").output.hasPrefix("Meteor"))
        let prompt = try several("--model", sandbox.model, "--dry-run")
        #expect(prompt.output.contains("Sum up the articles in one text") && prompt.output.contains("740 grams"))
    }

    // MARK: - Elsewhere

    private func titles(_ arguments: String...) throws -> [String] {
        let list = try sandbox.run(arguments + ["--format", "json"]).succeeded().object()
        return try #require(list["articles"] as? [[String: Any]]).map { article in
            "\(article["title"] as? String ?? "")\(article["nearness"] == nil ? "" : " ~")"
        }
    }

    /// Until something is made ready to be asked about, and where quotation marks say so, words are words.
    @Test func theHistoryIsSearchedByMeaning() throws {
        try record(Self.articles)
        let words = "something from outer space hit a gardener's building"
        #expect(try titles("history", "search", words).isEmpty)
        #expect(try ask("meteorite").status == 0)
        #expect(try titles("history", "search", words) == ["Meteorite falls through greenhouse ~"])
        #expect(try titles("history", "search", "lock repairs cost elephants") == ["Calder lock reopens ~"])
        #expect(try titles("history", "search", "harbour") == ["Calder lock reopens", "Lost radio plays found"])
        #expect(try titles("history", "search", "\"\(words)\"").isEmpty)
        #expect(try titles("history", "search", "\"740 grams\"") == ["Meteorite falls through greenhouse"])
        #expect(try titles("history", "search", "\"grams 740\"").isEmpty)
        try sandbox.run(["history", "search", words]).ends(nil, "These come nearest")
    }

    @Test func whatIsNearIsRelated() throws {
        let rock = [
            "id": "rock00001", "title": "Meteor crashes into glasshouse", "source": "Weekly", "read_at": "-P8D",
            "content": "A meteor crashed into the glasshouses of a nursery, without injuries. "
                + "Scientists want to buy the stone.",
        ]
        try record(Self.articles + [rock])
        #expect(try ask("meteorite").status == 0)
        #expect(try titles("related", "leek0") == ["Meteor crashes into glasshouse ~"])
    }

    /// From the first question on, an import makes what is new ready, too.
    @Test func whatIsImportedLaterIsFoundByItsMeaning() throws {
        try record(Array(Self.articles.prefix(1)))
        #expect(try ask("lock").status == 0)
        try record(Array(Self.articles.dropFirst()))
        let words = "something from outer space hit a gardener's building"
        #expect(try titles("history", "search", words) == ["Meteorite falls through greenhouse ~"])
    }
}
