import Foundation
import PulseTestSupport
import Testing

/// Articles in scripts that the program does not write: whole sentences with their own marks, and no model.
@Suite(.timeLimit(.minutes(20))) struct ScriptTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let imported = try sandbox.run("import", "jsonl", Sandbox.fixtures + "/scripts.jsonl", "--store", sandbox.store)
        guard imported.status == 0 else { throw Unexpected(outcome: imported) }
        // Whoever opens it fails.
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: sandbox.model))
    }

    @Test func everyStoryIsToldInItsOwnScript() throws {
        let told = try sandbox.run(["today"] + sandbox.plain)
        #expect(told.status == 0, "\(told.errors)")
        #expect(try told.output == Golden.text("scripts.txt", actual: told.output))
        let summaries = try ["zh", "ja", "ko", "ru", "ar", "ur", "he", "hi", "th", "am", "el"].map { id in
            try sandbox.run(["summarize", "script-\(id)"] + sandbox.plain).output
        }.joined(separator: "\n")
        #expect(try summaries == Golden.text("scripts.summaries.txt", actual: summaries))
    }

    @Test func noModelIsOpenedForThem() throws {
        let strict = try sandbox.run(["today"] + sandbox.plain)
        let checked = try sandbox.run(["today"] + sandbox.written)
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output == strict.output)
        let own = try sandbox.run(["summarize", "script-zh"] + sandbox.plain)
        let summary = try sandbox.run(["summarize", "script-zh"] + sandbox.written)
        #expect(summary.status == 0 && summary.output == own.output)
        // It is no model at all.
        #expect(
            try sandbox.run(
                ["summarize", "-"] + sandbox.written, input: Data("The council of Orlen voted on Tuesday.".utf8)
            ).errors.contains("quoted instead"))
    }
}
