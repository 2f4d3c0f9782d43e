import Foundation
import PulseTestSupport
import Testing

/// The history on its way out and in again.
@Suite(.timeLimit(.minutes(20))) struct ExportTests {
    private let sandbox: Sandbox
    private let copy: String

    init() throws {
        sandbox = try Sandbox()
        copy = sandbox.folder.file("copy.sqlite")
        try sandbox.importSample()
    }

    private func run(_ line: String, input: Data? = nil, store: String? = nil) throws -> Outcome {
        try sandbox.run(
            line.split(separator: " ").map(String.init) + ["--store", store ?? sandbox.store], input: input)
    }

    /// Texts that look like HTML once they are plain, times that a source made up, and other programs' origins.
    private static let odd = """
        {"id":"odd/1","url":"https://x.example/a?b=1&c=2","title":"How &lt;b&gt; works &amp;amp; why",\
        "content":"<p>Use &lt;p&gt; for a paragraph &amp;amp; more.</p><p>Second.</p>",\
        "description":"See &lt;a href=x&gt;",\
        "author":"A &lt;B&gt; C","source":"R&amp;amp;D &lt;x&gt;","category":"q&a","language":"pt_BR",\
        "published_at":"2026-11-19T10:00:00.123Z"}
        {"id":"odd/2","title":"Read now","content":"plain","read_at":"2026-11-20T10:00:00.289Z",\
        "published_at":"0001-01-01"}

        """

    @Test func whatIsExportedComesBackAsItWas() throws {
        #expect(try run("import jsonl", input: Data(Self.odd.utf8)).status == 0)
        #expect(try run("import newsboat \(Sandbox.fixtures)/newsboat-2.21.db").status == 0)
        let first = try run("history export").ends(0, errors: "")
        #expect(try run("import jsonl", input: Data(first.output.utf8), store: copy).status == 0)
        #expect(try run("history export", store: copy).output == first.output)
        for command in ["history stats", "history list -n 99 --format json", "history show odd/1 --format json"] {
            #expect(try run(command, store: copy).output == run(command).output)
        }
        #expect(first.output.contains(#""title":"How <b> works &amp; why""#))
        #expect(first.output.contains(#""published_at":"0001-01-01T00:00:00.000Z""#))
        #expect(first.output.contains(#""origin":"newsboat""#) && first.output.contains(#""read_at_exact":false"#))
        // What is there already stays as it is.
        let again = try run("import jsonl", input: Data(first.output.utf8))
        #expect(again.output == "46 articles: 0 new, 0 updated, 46 known\n")
    }

    @Test func aPartIsExportedToAFile() throws {
        let file = sandbox.folder.file("part.jsonl")
        let outcome = try run("history export --category technology --since 2026-11-20 --output \(file)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(outcome.output == "" && outcome.errors == "\(lines.count) articles exported.\n")
        #expect(lines.count > 3 && lines.allSatisfy { $0.contains(#""category":"technology""#) })
        // As private as the store.
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try run("history export --output \(sandbox.folder.file("no/such/file"))").ends(73, "there is no folder")
    }

    @Test func aBackupIsNotReplacedByNothing() throws {
        let file = sandbox.folder.file("backup.jsonl")
        _ = try run("history export --output \(file)")
        let backup = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try run("history export --source nobody --output \(file)").status == 66)
        try sandbox.run(
            "history", "export", "--category", "science", "--source", "Circuit Weekly", "--output", file, "--store",
            sandbox.store
        ).ends(66, errors: "No article in the history matches.\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == backup)
    }

    @Test func aPublicationThatIsNotThereIsTold() throws {
        try sandbox.run("history", "export", "--source", "the herld", "--store", sandbox.store)
            .ends(66, "Did you mean “The Herald”?", output: "")
        try run("history export --source week").ends(66, "“Circuit Weekly”")
        // As a Portuguese or French page calls it.
        for (heading, name) in [("Ciência", "science"), ("tecnologia", "technology"), ("Technologie", "technology")] {
            try run("history export --category \(heading)").ends(66, "Did you mean “\(name)”?")
        }
    }
}
