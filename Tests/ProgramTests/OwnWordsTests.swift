import Foundation
import PulseTestSupport
import Testing

/// An installed program and a model that is known to err seldom: it is heard in its own words, where the check's files
/// are there and sound.
@Suite(.timeLimit(.minutes(20))) struct OwnWordsTests {
    private let sandbox: Sandbox

    private static let own = "The harbour office of Calder reopened the northern lock after nine weeks of repairs."
    private static let invented = "The harbour office of Calder sold the northern lock to elephants from Ruritania."

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
    }

    /// One story, and a model that answers everything with a script.
    private func prepare(_ script: String, without file: String? = nil) throws -> String {
        var model = FixtureModel()
        (model.width, model.script) = (256, script)
        let data = model.bytes
        let path = try sandbox.folder.write(data, to: "home/.local/share/pulse-digest/models/good-4b.gguf")
        let program = try sandbox.install(
            models: [
                sandbox.entry("nano", layers: 1, writes: false),
                sandbox.entry("good-4b", size: data.count, hash: sandbox.sha256(of: path), percent: 2.7),
            ], default: "nano")
        for name in ["pulse-check.gguf", "pulse-check.head"] where name != file { try sandbox.installModel(name) }
        try sandbox.read([Sandbox.lock()], program: program)
        return program
    }

    private func resource(_ name: String) -> String { sandbox.folder.file("share/pulse-digest/models/\(name)") }

    private func run(_ program: String, _ arguments: String...) throws -> Outcome {
        try sandbox.start(arguments + ["--model", "good-4b", "--max-tokens", "120"], program: program).finish()
    }

    @Test func ownWordsAreShown() throws {
        let program = try prepare(Self.own)
        for command in [["today"], ["summarize", "lock0"]] {
            let outcome = try sandbox.start(command + ["--model", "good-4b"], program: program).finish()
                .ends(0, printing: "The harbour office of Calder", errors: "")
            #expect(!outcome.output.contains("“The harbour office"), "\(outcome.output)")
            #expect(!outcome.output.contains("forty"))
        }
    }

    @Test(arguments: ["pulse-check.gguf", "pulse-check.head"])
    func withoutAFileOfTheCheckOnlyCopiesAreShown(file: String) throws {
        let program = try prepare(Self.own, without: file)
        try run(program, "today").ends(
            0, "\(file) is missing, so only sentences that the model copies from the articles are shown.",
            printing: "“The harbour office of Calder")
    }

    @Test(arguments: [("pulse-check.gguf", "cut"), ("pulse-check.head", "cut"), ("pulse-check.head", "foreign")])
    func aDamagedFileOfTheCheckIsRefused(file: String, damage: String) throws {
        let program = try prepare(Self.own, without: file)
        let sound = try Data(contentsOf: Repository.root.appendingPathComponent("models/\(file)"))
        let bytes = damage == "cut" ? sound.dropLast(100_000) : Data("neither of the two".utf8)
        try bytes.write(to: URL(fileURLWithPath: resource(file)))
        for command in [["today"], ["summarize", "lock0"]] {
            let outcome = try sandbox.start(command + ["--model", "good-4b"], program: program).finish()
                .ends(0, "quoted instead")
            #expect(["damaged", "incomplete", "GGUF"].contains { outcome.errors.contains($0) }, "\(outcome.errors)")
            #expect(outcome.output.contains("“The harbour office of Calder"), "\(outcome.output)")
        }
    }

    /// Only the words that the story does not support, and not the whole sentence.
    @Test func doubtfulWordsAreUnderlined() async throws {
        let program = try prepare(Self.invented)
        let arguments = ["today", "--check", "mark", "--model", "good-4b", "--max-tokens", "120"]
        let page = try sandbox.start(arguments + ["--format", "html"], program: program).finish().output
        let marked = page.matches(of: #/<u>([^<]*)</u>/#).map { String($0.output.1) }
        #expect(marked.contains { $0.contains("elephants") } && !marked.contains { $0.contains("harbour") }, "\(page)")
        sandbox.environment["TERM"] = "xterm"
        let terminal = try PseudoTerminal(columns: 80)
        let process = try sandbox.start(arguments, program: program, at: terminal)
        _ = try await terminal.rest { !process.isRunning }
        let shown = String(decoding: terminal.bytes, as: UTF8.self)
        let underlined = shown.matches(of: #/\u{1b}\[4m([^\u{1b}]*)/#).map { String($0.output.1) }
        #expect(underlined.contains { $0.contains("elephants") }, "\(shown)")
        #expect(!underlined.contains { $0.contains("harbour") }, "\(underlined)")
    }

    /// In a document nobody waits for: what is refused is written twice more, and then the publication is quoted.
    @Test func whatIsRefusedIsWrittenAgain() throws {
        let program = try prepare(Self.invented)
        func tokens(_ arguments: String...) throws -> Int {
            let outcome = try sandbox.start(
                arguments + ["--format", "json", "--model", "good-4b", "--fresh"], program: program
            ).finish().ends(0)
            let timing = try #require(outcome.object()["timing"] as? [String: Any], "\(outcome.errors)")
            return try #require(timing["output_tokens"] as? Int)
        }
        let once = try tokens("today", "--check", "mark")
        #expect(try tokens("today") == 3 * once)
        #expect(try run(program, "today").output.contains("“The harbour office of Calder reopened"))
    }
}
