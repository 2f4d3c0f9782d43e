import Foundation
import Testing

/// `--whole`: long articles are read to their end before the digest is written.
@Suite struct WholeTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    /// In the source's words, so that a model that knows nothing has something to say.
    private var writing: [String] {
        ["--store", sandbox.store, "--model", sandbox.model, "--grounded", "strict", "--max-tokens", "400"]
    }

    /// The sections of the digest of two categories.
    private func sections(_ options: String...) throws -> [[String: Any]] {
        let outcome = try sandbox.run(
            ["today", "--category", "health", "--category", "technology", "--format", "json"] + options
                + writing)
        let digest = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        guard outcome.status == 0, let sections = digest?["sections"] as? [[String: Any]] else {
            throw Unexpected(outcome: outcome)
        }
        return sections
    }

    private func shortened(_ sections: [[String: Any]]) -> Int {
        sections.reduce(0) { $0 + ($1["shortened"] as? Int ?? 0) }
    }

    @Test func nothingIsReadByItsBeginning() throws {
        let short = try sections()
        #expect(shortened(short) > 5)
        let whole = try sections("--whole")
        #expect(whole.count == short.count)
        #expect(shortened(whole) == 0)
    }

    @Test func theSummariesAreKept() throws {
        _ = try sections("--whole")
        let outcome = try sandbox.run(["summarize", "circuit-feature-0091", "--verbose"] + writing)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("summary: one that was kept"), "\(outcome.errors)")
        // And the other way round: what is there need not be made again.
        let again = try sandbox.run(
            ["today", "--whole", "--category", "technology", "--verbose"] + writing)
        #expect(again.errors.contains("summary: one that was kept"), "\(again.errors)")
    }

    /// Of what nothing could be said, the beginning is read, and that is told.
    @Test func whereNothingIsSaidTheBeginningIsRead() throws {
        let outcome = try sandbox.run(
            ["today", "--whole", "--category", "health", "--format", "json", "--store", sandbox.store]
                + ["--model", sandbox.model, "--max-tokens", "1"])
        let digest = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let sections = try #require(digest?["sections"] as? [[String: Any]])
        #expect(shortened(sections) > 0)
    }

    /// A digest of leads is none of whole articles.
    @Test func itIsAnotherDigest() throws {
        let digest = ["today", "--category", "health", "--verbose"] + sandbox.quick
        _ = try sandbox.run(digest)
        #expect(try sandbox.run(digest).errors.contains("digest: the one made at"))
        #expect(try !sandbox.run(digest + ["--whole"]).errors.contains("digest: the one made at"))
        #expect(try sandbox.run(digest + ["--whole"]).errors.contains("digest: the one made at"))
    }

    @Test func theDryRunListsWhatIsReadBefore() throws {
        let options = ["today", "--category", "technology", "--dry-run", "--whole", "--context", "2048"]
        let outcome = try sandbox.run(options + sandbox.quick)
        #expect(outcome.status == 0)
        // From its first sentence to its last.
        #expect(outcome.output.contains("At ten past two in the morning"))
        #expect(outcome.output.contains("they were putting on their lights."))
        #expect(outcome.output.contains("The night shift at the bottom of the sea, part 2 of "))
        #expect(outcome.output.contains("by their summary"))
    }

    /// The embedded model tells leads. Asked for outright that is said; a setting is for all models.
    @Test func aModelThatChoosesIsNotAsked() throws {
        let digest = ["today", "--category", "health", "--store", sandbox.store]
        let outcome = try sandbox.run(digest + ["--whole"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--whole is for models that write"), "\(outcome.errors)")
        sandbox.environment["PULSE_DIGEST_WHOLE"] = "1"
        let set = try sandbox.run(digest)
        #expect(set.status == 0 && set.output.contains("pulse-nano"), "\(set.errors)")
    }
}
