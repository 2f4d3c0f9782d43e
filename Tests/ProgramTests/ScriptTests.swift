import Foundation
import PulseTestSupport
import Testing

/// Articles in scripts that the program does not write: whole sentences with their own marks, and no model.
@Suite(.timeLimit(.minutes(20))) struct ScriptTests: StoreSuite {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try run("import jsonl", Sandbox.fixtures + "/scripts.jsonl").succeeded()
        // Whoever opens it fails.
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: sandbox.model))
    }

    @Test func everyStoryIsToldInItsOwnScript() throws {
        let told = try run("today").ends(0)
        #expect(try told.output == Golden.text("scripts.txt", actual: told.output))
        let summaries = try ["zh", "ja", "ko", "ru", "ar", "ur", "he", "hi", "th", "am", "el"].map { id in
            try run("summarize", "script-\(id)").output
        }.joined(separator: "\n")
        #expect(try summaries == Golden.text("scripts.summaries.txt", actual: summaries))
    }

    @Test func noModelIsOpenedForThem() throws {
        for words in [["today"], ["summarize", "script-zh"]] {
            try sandbox.run(words + sandbox.written).ends(0, output: sandbox.run(words + sandbox.plain).output)
        }
        // It is no model at all.
        #expect(
            try sandbox.run(
                ["summarize", "-"] + sandbox.written, input: Data("The council of Orlen voted on Tuesday.".utf8)
            ).errors.contains("quoted instead"))
    }
}
