import Foundation
import PulseTestSupport
import Testing

/// `models pull` of an installed program, from a real server.
@Suite(.timeLimit(.minutes(20))) struct PullTests {
    private let sandbox: Sandbox
    private let bytes: [UInt8]

    init() throws {
        sandbox = try Sandbox()
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sandbox.model)))
        sandbox.environment["NO_PROXY"] = "127.0.0.1"
    }

    /// The program with a catalogue of one model, the fixture.
    private func install(_ server: LoopbackServer) throws -> String {
        let entry = try sandbox.entry(
            "tiny", size: bytes.count, hash: sandbox.sha256(of: sandbox.model), percent: 2.7)
        return try sandbox.install(
            models: [entry.replacing("http://127.0.0.1:9/tiny.gguf", with: server.url("tiny.gguf"))], default: "tiny")
    }

    private func run(_ program: String, _ arguments: String...) throws -> Outcome {
        try sandbox.start(arguments, program: program).finish()
    }

    @Test func aModelIsFetchedAndUsed() throws {
        let bytes = bytes
        let server = try LoopbackServer { request, _ in .file(bytes, for: request) }
        let program = try install(server)
        #expect(try run(program, "models").output.contains("not downloaded"))
        _ = try run(program, "import", "jsonl", Sandbox.sampleHistory)
        try run(program, "today", "--model", "tiny").ends(69, "models pull tiny")
        #expect(try run(program, "today", "--category", "gardening").output.contains("“"))

        try run(program, "models", "pull", "tiny").ends(0, "tiny is ready: ", output: "")
        #expect(try run(program, "models").output.hasPrefix("tiny writes your digests."))
        let path = try run(program, "models", "path").output
        #expect(path == sandbox.folder.file("home") + "/.local/share/pulse-digest/models/tiny.gguf\n")
        #expect(try run(program, "models", "verify").status == 0)
        #expect(try run(program, "today", "--category", "gardening").status == 0)
        // What is there is not fetched again.
        #expect(try run(program, "models", "pull", "tiny", "--quiet").errors == "")
        #expect(server.requests.count == 1)
    }

    @Test func anInterruptedPullGoesOnWhereItStopped() throws {
        let bytes = bytes
        let server = try LoopbackServer { request, number in
            .file(bytes, for: request).with { if number == 0 { $0.stallsAfter = 100_000 } }
        }
        let program = try install(server)
        let part = sandbox.folder.file("home") + "/.local/share/pulse-digest/models/tiny.gguf.part"
        let pull = try sandbox.start(["models", "pull", "tiny"], program: program)
        for _ in 0..<60_000 {
            if (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) ?? 0 > 0 { break }
            usleep(10_000)
        }
        kill(pull.process.processIdentifier, SIGINT)
        #expect(pull.finish().status == 130)
        #expect(try run(program, "models").output.contains(#/ of [0-9.]+ [kM]B downloaded/#))

        #expect(try run(program, "models", "pull", "tiny").status == 0)
        #expect((server.requests.last?.rangeStart ?? 0) > 0)
        #expect(try run(program, "models", "verify").status == 0)
    }
}
