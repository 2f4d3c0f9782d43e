import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// Each fault has its exit code and one sentence that says what to do, and nobody is shown a backtrace.
@Suite(.timeLimit(.minutes(20))) struct BadInputTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func expect(
        _ arguments: [String], status: Int32, says words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try sandbox.run(arguments).ends(status, output: "", at: sourceLocation)
        for word in words {
            #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: sourceLocation)
        }
        #expect(outcome.errors.hasPrefix("pulse-digest: "), sourceLocation: sourceLocation)
        // What happened, and what to do about it.
        #expect(outcome.errors.split(separator: "\n").count <= 2, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(!outcome.errors.contains(".swift"), sourceLocation: sourceLocation)
    }

    private func write(_ data: Data, _ name: String) throws -> String { try sandbox.folder.write(data, to: name) }

    @Test func models() throws {
        try sandbox.importSample()
        let today = ["today", "--category", "gardening", "--store", sandbox.store, "--model"]
        // Whoever names one that is not there hears so, and gets no digest that another wrote.
        for (name, words) in [
            ("/nowhere/model.gguf", "/nowhere/model.gguf"), ("smolm2-135m", "Did you mean smollm2-135m?"),
            ("gemma-3-1b", "models pull gemma-3-1b"),
        ] {
            try expect(today + [name], status: 69, says: words)
        }
        /// What is there and cannot be used is no reason for a night without a digest.
        func model(_ path: String, says words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            try sandbox.run(today + [path]).ends(0, words, "quoted instead", printing: "“", at: sourceLocation)
            let doctor = try sandbox.run(["doctor", "--store", sandbox.store, "--model", path])
            #expect(
                doctor.output.split(separator: "\n").contains { $0.hasPrefix("problem") && $0.contains(words) },
                "\(doctor.output)", sourceLocation: sourceLocation)
        }
        let whole = FixtureModel().bytes
        try model(write(Data("not a model at all, but text".utf8), "text.gguf"), says: "GGUF")
        try model(write(whole.prefix(whole.count / 2), "half.gguf"), says: "half.gguf")
        var bare = FixtureModel()
        bare.template = .none
        try model(write(bare.data(), "bare.gguf"), says: "chat template")
        // A number that libllama dies of.
        let deadly = FixtureModel().data { writer in
            for index in writer.metadata.indices where writer.metadata[index].key.hasSuffix("rms_epsilon") {
                writer.metadata[index].value = .float(.nan)
            }
        }
        try model(write(deadly, "deadly.gguf"), says: "is damaged")
    }

    @Test func stores() throws {
        try expect(["history", "--store", "/nowhere/at/all.sqlite"], status: 66, says: "no reading history")
        try expect(["history", "clear"], status: 66, says: "no reading history")
        let text = try write(
            Data("This is a letter to my aunt, and longer than a header of SQLite would be. ".utf8), "letter.sqlite")
        try expect(["import", "jsonl", Sandbox.sampleHistory, "--store", text], status: 65, says: "letter.sqlite")
        #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("This is a letter"))
        let newsboat = Sandbox.fixtures + "/newsboat-2.21.db"
        try expect(["history", "--store", newsboat], status: 65, says: "newsboat-2.21.db")
    }

    @Test func theStoreIsTheReadersAlone() throws {
        let path = sandbox.folder.file("home") + "/.local/share/pulse-digest/history.sqlite"
        try sandbox.shell("umask 0; $P import jsonl '\(Sandbox.sampleHistory)'").ends(0)
        func mode(_ path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
        }
        #expect(try mode(path) == 0o600)
        #expect(try mode((path as NSString).deletingLastPathComponent) == 0o700)
    }

    @Test func inputsThatCannotBeRead() throws {
        try expect(["import", "jsonl", "/nowhere.jsonl", "--store", sandbox.store], status: 66, says: "/nowhere.jsonl")
        try expect(
            ["import", "jsonl", sandbox.folder.path, "--store", sandbox.store], status: 65, says: sandbox.folder.path)
        try expect(["import", "newsboat", sandbox.model, "--store", sandbox.store], status: 65, says: "fixture.gguf")
    }

    /// What can only be read is read, and what makes room needs none.
    @Test(.enabled(if: TinyDisk.canBeMade, "only root can mount a small disk"))
    func aFullDiskIsReadAndCleared() throws {
        let disk = try TinyDisk(at: sandbox.folder.file("disk"), kilobytes: 4096)
        sandbox.environment["PULSE_DIGEST_STORE"] = disk.path + "/history.sqlite"
        try sandbox.importSample(to: disk.path + "/history.sqlite")
        try disk.fill()
        try sandbox.run("today").ends(0, printing: "Your digest")
        #expect(try sandbox.run("history", "list").status == 0)
        try sandbox.run("history", "clear", "--yes").ends(0, "Deleted: 40 articles.")
        try disk.clear()
        #expect(try sandbox.run("history", "list").output.isEmpty)
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: disk.path + "/history.sqlite"))
        #expect(bytes.prefix(15).elementsEqual("SQLite format 3".utf8))
    }

    /// A store of another version is left as it is, and what is said of it is right.
    @Test func aStoreOfAnotherVersionIsToldOf() throws {
        try sandbox.importSample()
        for (version, says, hint) in [
            ("1", "an older version", "history export"), ("99", "a newer version", "Update this program"),
        ] {
            try mark(version)
            let before = try Data(contentsOf: URL(fileURLWithPath: sandbox.store))
            for words in ["today", "history export", "import jsonl " + Sandbox.sampleHistory] {
                try run(words).ends(65, says, hint, "left as it is")
            }
            try run("doctor --model", sandbox.model).ends(65, printing: says)
            #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.store)) == before)
        }
    }

    /// In a call of its own, which closes the file.
    private func mark(_ version: String) throws {
        let connection = try Connection(path: sandbox.store, access: .readWrite)
        try connection.execute("PRAGMA user_version = \(version)")
    }
}
