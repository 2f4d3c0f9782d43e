import Foundation
import PulseTestSupport
import Testing

/// A model of the catalogue that is an adapter of another, which has to be fetched.
@Suite(.timeLimit(.minutes(20))) struct AdapterTests {
    private let sandbox: Sandbox
    private let program: String
    private let base: Data
    private static let adapter = "share/pulse-digest/models/writer.gguf"

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        var (model, adapter) = (FixtureModel(), FixtureAdapter())
        model.script = "The harbour office of Calder reopened the northern lock after nine weeks of repairs."
        model.width = 256
        base = model.bytes
        adapter.model = model
        try sandbox.folder.write(adapter.data(), to: Self.adapter)
        try sandbox.folder.write(base, to: "base.gguf")
        let hash = try sandbox.sha256(of: sandbox.folder.file(Self.adapter))
        program = try sandbox.install(
            models: [
                sandbox.entry("nano", layers: 1, writes: false),
                sandbox.entry("small", size: base.count, hash: sandbox.sha256(of: sandbox.folder.file("base.gguf")))
                    .replacing("600000000", with: "130000000"),
                sandbox.entry("writer", size: adapter.data().count, hash: hash)
                    .replacing("600000000", with: "130000000")
                    .replacing(#""url": "http://127.0.0.1:9/writer.gguf""#, with: #""base": "small""#),
            ], default: "nano")
        for name in ["pulse-check.gguf", "pulse-check.head"] { try sandbox.installModel(name) }
    }

    private func run(_ arguments: String...) throws -> Outcome {
        try sandbox.start(arguments, input: Data(), program: program).finish()
    }

    private func recordArticle() throws { try sandbox.read([Sandbox.lock()], program: program) }

    private func fetchModel() throws {
        try run("models", "pull", "writer", "--from", sandbox.folder.file("base.gguf")).ends(0, "--model writer")
    }

    @Test func itsModelIsNamedAndFetched() throws {
        try recordArticle()
        try run("today", "--model", "writer").ends(69, "models pull small")
        #expect(try run("models").output.contains(#/writer +[0-9.]+ kB .* needs small/#))
        try fetchModel()
        let verified = try run("models", "verify", "writer").ends(0)
        #expect((verified.output + verified.errors).contains(Self.adapter))
        #expect(try run("doctor", "--model", "writer").output.contains("writer.gguf"))
        let list = try run("models", "--model", "writer").output
        #expect(list.hasPrefix("writer writes your digests."), "\(list)")
        #expect(list.contains(#/writer +[0-9.]+ kB .* included/#), "\(list)")
    }

    /// With an adapter, too, a small model may only copy.
    @Test func itsOwnWordsAreNotShown() throws {
        try fetchModel()
        try recordArticle()
        for model in ["small", "writer"] {
            let digest = try run("today", "--model", model, "--max-tokens", "120").ends(0, printing: "forty")
            let said = digest.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(said.contains("No sentence in \(model)’s own words could be shown"), "\(said)")
        }
    }

    @Test func aDamagedOneIsRefused() throws {
        try recordArticle()
        try fetchModel()
        let path = URL(fileURLWithPath: sandbox.folder.file(Self.adapter))
        let sound = try Data(contentsOf: path)
        var other = sound
        other[other.count / 2] ^= 0x55
        for bytes in [sound.dropLast(100), other] {
            try bytes.write(to: path)
            try run("today", "--model", "writer").ends(69, "writer.gguf", "install pulse-digest again")
        }
    }
}
