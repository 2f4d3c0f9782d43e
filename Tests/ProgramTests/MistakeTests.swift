import Foundation
import PulseTestSupport
import Testing

/// What people type wrongly, what they are told, and what scripts see.
@Suite(.timeLimit(.minutes(20))) struct MistakeTests: StoreSuite {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        try sandbox.importSample()
        _ = try sandbox.run("today")
    }

    /// What the command line alone tells is checked with its parser; here is how it is told, and what the history tells.
    @Test func aMistakeIsToldWithWhatWasMeant() throws {
        for (words, status, says) in [
            (["search", "bank"], 64, "\nDid you mean history search?\n"), (["today", "-q", "-v"], 64, "contradict"),
            (["today", "--category", "Technologie"], 66, "Did you mean “technology”?"),
            (["today", "--source", "herald"], 66, "Did you mean “The Herald”?"),
            (["today", "--category", "zebra"], 66, "There are: world"),
            (["history", "show", "334"], 66, "stories 1 to"), (["history", "show", "a"], 66, "4 characters"),
            (["summarize", "/etc/passwd"], 66, "summarize - < /etc/passwd"),
            (["import", "feedly"], 66, "There is no source “feedly”"),
            (["import", "feedly"], 66, "feeds import-opml FILE"), (["models", "pull", "smol"], 69, "--model PATH"),
            (["schedule", "drop", "ana@b.example"], 66, "Nothing waits to be sent to ana@b.example."),
            (["import", "firefox", "--host", "a.example"], 66, "No Firefox profile was found"),
        ] as [([String], Int32, String)] {
            try sandbox.run(words).ends(status, says, output: "")
        }
    }

    /// The digest is told all the same, because it has more than what was mistyped.
    @Test func aMistypedPublicationIsToldBesideTheDigest() throws {
        for words in [["--mute-source", "herald"], ["--source", "herald", "--source", "Circuit Weekly"]] {
            let outcome = try sandbox.run(["today"] + words + ["--model", "none"]).ends(0, printing: "Circuit Weekly")
            #expect(
                outcome.errors.replacing("\n", with: " ")
                    == "Nothing in the history is from “herald”. Did you mean “The Herald”? ")
        }
        try sandbox.run("today", "--category", "science", "--category", "zebra")
            .ends(0, "in the category “zebra”", printing: "Field & Lab")
        sandbox.environment["PULSE_DIGEST_MUTE_SOURCE"] = "herald"
        #expect(try sandbox.run("today", "--model", "none").errors == "")
    }

    @Test func aSearchSaysThatThereIsMore() throws {
        let found = try sandbox.run("history", "search", "the", "--limit", "3")
        #expect(found.output.split(separator: "\n").count == 3)
        let all = try #require(
            found.errors.wholeMatch(of: /3 of (\d+) articles\. To list all: --limit (\d+)\n/)?.output)
        #expect(all.1 == all.2)
        let whole = try sandbox.run("history", "search", "the", "--limit", String(all.2))
        #expect(whole.errors == "" && whole.output.split(separator: "\n").count == Int(all.1))
    }

    @Test func whatPeopleWriteIsUnderstood() throws {
        for words in [["-V"], ["version"], ["help", "history", "list"], ["-qh"], ["today", "-vh"]] {
            #expect(try sandbox.run(words).status == 0, "\(words)")
        }
        let hours = try sandbox.run("today", "--hours", "24").output
        #expect(try !hours.isEmpty && sandbox.run("today", "--hours", "24h").output == hours)
        let week = try sandbox.run("today", "--since", "7d").output
        #expect(try sandbox.run("today", "--since", "last week").output == week)
        let day = try sandbox.run("today", "--date", "today").output
        #expect(try sandbox.run("today", "--date", "12h").output == day)
        // The clock of the tests stands on a Saturday.
        #expect(try sandbox.run("today", "--date", "last saturday").errors.contains("2026-11-14"))
        #expect(try sandbox.run("history", "show", "[1]").output == sandbox.run("history", "show", "1").output)
        #expect(
            try sandbox.run("history", "search", "xyzzy").errors
                == "No article contains all of: xyzzy\nTo search by meaning, too: pulse-digest prepare\n")
        // In any order, each word may be a beginning.
        let both = try ["calder fer", "fer calder"].map { words in
            try sandbox.run(["history", "search"] + words.split(separator: " ").map(String.init)).output
        }
        #expect(both[0] == both[1] && both[0].contains("Kestria and Vellmark"), "\(both)")
        try sandbox.run("history", "search", "").ends(64, "history search ferry strike")
    }

    /// It wrote nothing, so nothing is said of what it wrote.
    @Test func aFileThatIsNoModelIsToldOf() throws {
        try sandbox.folder.write("a,b\n1,2\n", to: "table.csv")
        for words in [["today"], ["summarize", "1"], ["summarize", "1", "3"], ["ask", "Is the Tamsin dam open?"]] {
            try sandbox.run(words + ["--model", sandbox.folder.file("table.csv")]).ends(
                0, "table.csv is not a model in GGUF format.",
                printing: "\ntable.csv could not be used, so every sentence is quoted from")
        }
    }

    /// `today | head` shows numbers, so they stand for something.
    @Test func aDigestThatIsNotReadToItsEndIsKept() throws {
        try FileManager.default.removeItem(atPath: sandbox.store)
        try sandbox.importSample()
        // Nobody reads: the end of the pipe is closed before the program starts.
        #expect(try sandbox.shell("cd; mkfifo f; : < f & exec 3> f; wait; $P today >&3; test $? = 0").status == 0)
        #expect(try sandbox.run("history", "show", "1").status == 0)
    }

    @Test func theManualPageIsOne() throws {
        let page = try sandbox.run("man").output
        for heading in ["NAME", "SYNOPSIS", "COMMANDS", "SETTINGS", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"] {
            #expect(page.contains("\n.SH \(heading)\n"))
        }
        #expect(
            page.contains("\\fB\\-\\-max\\-stories\\fR \\fIN\\fR") && !page.contains("\\(") && !page.contains("\u{1b}"))
        for line in page.split(separator: "\n") {
            #expect(!line.hasPrefix("'") && !line.hasSuffix(" "), "\(line)")
            // groff(7): what begins with a dot is a request, and these are those of man(7) that are used.
            if line.hasPrefix(".") {
                let request = line.dropFirst().prefix { $0 != " " }
                let known = ["\\\"", "TH", "SH", "SS", "P", "B", "I", "RI", "BR", "TP", "IP", "RS", "RE", "EX", "EE"]
                #expect(known.contains(String(request)), "\(line)")
            }
        }
        let path = sandbox.folder.file("pulse-digest.1")
        try Data(page.utf8).write(to: URL(fileURLWithPath: path))
        try sandbox.shell("command -v mandoc >/dev/null || exit 0; mandoc -Tlint -Wwarning '\(path)'").ends(0)
    }
}
