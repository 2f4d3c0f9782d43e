import Foundation
import PulseTestSupport
import Testing

/// `doctor` as a user runs it: when things are right, and when they are not.
@Suite(.timeLimit(.minutes(20))) struct DoctorProgramTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func allIsWell() throws {
        try sandbox.importSample()
        let outcome = try sandbox.run("doctor", "--store", sandbox.store, "--model", sandbox.model).ends(0, errors: "")
        // A finding's second word is what it is about.
        let subjects = outcome.output.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first }
        for subject in ["program", "libllama", "model", "memory", "plan", "threads", "history", "prompts", "email"] {
            #expect(subjects.contains(Substring(subject)), "\(outcome.output)")
        }
        outcome.ends(0, printing: "figures from libllama", "digest.en, summary.en, several.en, ask.en, ")
        // A link is as large as the model behind it.
        let link = try sandbox.folder.link("link.gguf", to: sandbox.model)
        let linked = try sandbox.run("doctor", "--store", sandbox.store, "--model", link)
        func size(_ text: String) -> Substring? { text.firstMatch(of: /\.gguf, ([^,]+),/)?.output.1 }
        #expect(size(linked.output) != nil && size(linked.output) == size(outcome.output), "\(linked.output)")
    }

    @Test func brokenSettingsAreFoundNotSuffered() throws {
        try sandbox.configure("{ \"maxStoris\": 3 }")
        try sandbox.run("doctor", "--store", sandbox.store, "--model", sandbox.model)
            .ends(78, printing: "Did you mean “maxStories”?", " plan ")
        // Every other command still refuses, and a faulty flag is still the flag's.
        #expect(try run("history").status == 78)
        #expect(try sandbox.run("doctor", "--context", "x").status == 64)
    }

    /// It looks, and leaves no file behind, not even one that would save time.
    @Test func nothingIsLeftBehind() throws {
        let shipped = try sandbox.run("models", "path").output.trimmingCharacters(in: .newlines)
        let folder = sandbox.folder.file("home/.local/share/pulse-digest/models")
        let files = FileManager.default
        try sandbox.folder.copy(shipped, to: "home/.local/share/pulse-digest/models/pulse-nano.gguf")
        try sandbox.run("doctor").ends(0, printing: "not verified yet: pulse-digest models verify pulse-nano")
        #expect(try files.contentsOfDirectory(atPath: folder) == ["pulse-nano.gguf"])
        #expect(try sandbox.run("models", "verify", "pulse-nano").status == 0)
        try sandbox.run("doctor")
            .ends(nil, printing: ", verified. It writes no digests, so the publications are quoted")
        #expect(try sandbox.run("doctor", "--model", "none").output.contains(", verified\n"))
        // A link is as large as what it leads to.
        let model = sandbox.folder.file("nano.gguf")
        try files.moveItem(atPath: folder + "/pulse-nano.gguf", toPath: model)
        try files.createSymbolicLink(atPath: folder + "/pulse-nano.gguf", withDestinationPath: model)
        #expect(try sandbox.run("doctor").output.contains("\(folder): 6.4 MB"))
    }

    @Test func theFirstProblemIsTheExitCode() throws {
        let newsboat = Sandbox.fixtures + "/newsboat-2.21.db"
        #expect(try sandbox.run("doctor", "--model", "nonesuch", "--store", newsboat).status == 69)
        let outcome = try sandbox.run("doctor", "--model", sandbox.model, "--store", newsboat, "--format", "json")
        #expect(try !outcome.ends(65).object().isEmpty)
    }
}
