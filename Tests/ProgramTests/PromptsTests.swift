import Foundation
import PulseTestSupport
import Testing

/// Prompts of one's own: begun, compared, refused where they cannot be used, and given up.
@Suite(.timeLimit(.minutes(1))) struct PromptsTests {
    var sandbox: Sandbox
    private let own: String

    init() throws {
        sandbox = try Sandbox()
        own = sandbox.folder.file("home/.config/pulse-digest/prompts/digest.en.md")
        sandbox.environment["EDITOR"] = "sed -i 's/^Say only .*/Write one short sentence./'"
    }

    private func run(_ words: String...) throws -> Outcome { try sandbox.run(["prompts"] + words) }

    @Test func aCopyIsBegunAndComparedAndPutAside() throws {
        let shipped = try run("show", "digest.en").output
        #expect(shipped.contains("# user"))
        #expect(try run("diff").output.isEmpty)
        try run("edit", "digest").ends(0)
        let text = try String(contentsOfFile: own, encoding: .utf8)
        #expect(text.contains("\nWrite one short sentence.\n"))
        #expect(try run("path", "digest.en").output == own + "\n")
        #expect(try run("list").output.contains("digest.en    a story of the digest (your own)"))
        let difference = try run("diff").output
        #expect(difference.contains("\n+Write one short sentence.") && difference.hasPrefix("--- /"))
        #expect(difference.split(separator: "\n").filter { $0.hasPrefix("-") && !$0.hasPrefix("---") }.count == 1)
        let reset = try run("reset", "digest.en")
        #expect(reset.errors.contains(own + ".old"))
        #expect(try String(contentsOfFile: own + ".old", encoding: .utf8) == text)
        #expect(try run("show", "digest.en").output == shipped)
        // What was kept once is kept when it happens again.
        _ = try run("edit", "digest.en")
        #expect(try run("reset", "digest.en").errors.contains(own + ".old2"))
        #expect(try run("reset", "digest.en").status == 0)
    }

    @Test func aCopyThatIsLeftAsItWasIsNone() throws {
        sandbox.environment["EDITOR"] = "true"
        #expect(try run("edit", "digest.en").status == 0)
        sandbox.environment["EDITOR"] = "false"
        #expect(try run("edit", "digest.en").status == 69)
        #expect(!FileManager.default.fileExists(atPath: own))
        sandbox.environment["EDITOR"] = nil
        try run("edit", "digest.en").ends(64, "To change a copy: cp ")
        #expect(!FileManager.default.fileExists(atPath: own))
    }

    @Test func whatCannotBeUsedIsSaidAndKept() throws {
        sandbox.environment["EDITOR"] = "printf 'Be brief.\\n' >"
        try run("edit", "digest.en").ends(78, "prompts edit digest.en")
        #expect(try String(contentsOfFile: own, encoding: .utf8) == "Be brief.\n")
        #expect(try run("reset", "digest.en").status == 0)
        #expect(try run("show", "digest.en").status == 0)
    }

    /// As with a package's configuration: what was changed is the reader's, and a newer one is said to be there.
    @Test func anotherThatCameSinceIsSaid() throws {
        _ = try run("edit", "digest.en")
        let seen = sandbox.folder.file("home") + "/.local/state/pulse-digest/prompts/digest.en.md"
        try Data("# system\nAn older one.\n".utf8).write(to: URL(fileURLWithPath: seen))
        #expect(try run("list").output.contains("(your own; a newer one came)"))
        #expect(try run("diff").errors.contains("Another digest.en has come"))
        sandbox.environment["EDITOR"] = "sed -i 's/^Write one .*/Write two short sentences./'"
        #expect(try run("edit", "digest.en").errors.contains("Another digest.en has come"))
        #expect(try run("list").output.contains("(your own)"))
    }

    @Test func noOtherNameIsOne() throws {
        for name in ["digets", "digest.de", "../digest.en", ""] { #expect(try run("show", name).status == 64) }
    }
}
