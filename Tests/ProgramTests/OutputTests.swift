import Foundation
import PulseTestSupport
import Testing

/// Digests in files: a document, a feed that grows, a folder of pages.
@Suite(.timeLimit(.minutes(20))) struct OutputTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private func today(_ options: String..., at day: String = "2026-11-21") throws -> Outcome {
        sandbox.environment["PULSE_DIGEST_NOW"] = day + "T20:00:00Z"
        return try run("today", options)
    }

    private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func aFileHoldsWhatIsPrinted() throws {
        let file = try sandbox.folder.write("", to: "digest")
        chmod(file, 0o600)
        for format in ["text", "markdown", "html", "json", "speech", "text"] {
            // Yesterday's is replaced.
            try today("--format", format, "--output", file).ends(0, output: "", errors: "")
            #expect(try read(file) == today("--format", format).output)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func whatSomebodyElseWroteStays() throws {
        let notes = try sandbox.folder.write("{\"title\":\"Mine\"}\n", to: "notes.jsonl")
        for command in ["today", "today --week", "history export"] {
            try run(command, "--output", notes).ends(73, "was not written by pulse-digest", "delete that file first")
        }
        #expect(try read(notes) == "{\"title\":\"Mine\"}\n")
        for _ in 1...2 {
            try run("history export", "--output", sandbox.folder.file("own.jsonl")).ends(0)
            try today("--week", "--format", "speech", "--output", sandbox.folder.file("week.txt")).ends(0)
        }
    }

    @Test func whoWatchesIsToldWhereItWent() async throws {
        let (file, terminal) = (sandbox.folder.file("digest"), try PseudoTerminal(columns: 300))
        let process = try sandbox.start(["today", "--hours", "9999", "--output", file] + sandbox.plain, at: terminal)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(shown.contains("Written to \(file)."), "\(shown)")
    }

    @Test func aFeedGrowsByADay() throws {
        let file = sandbox.folder.file("digests.xml")
        for day in ["2026-11-20", "2026-11-21"] {
            #expect(try today("--format", "atom", "--output", file, at: day).status == 0)
        }
        let whole = try read(file)
        #expect(whole.ranges(of: "<entry ").count == 2 && whole.contains("21 November 2026"))
        #expect(whole.contains("\n<updated>2026-11-21T20:00:00Z</updated>\n<entry "))
        // The same again, from the archive: nothing is new. An empty day leaves it as it is.
        #expect(try today("--date", "2026-11-20", "--format", "atom", "--output", file).status == 0)
        #expect(try today("--hours", "0.01", "--format", "atom", "--output", file, at: "2027-02-01").status == 0)
        #expect(try read(file) == whole)
    }

    @Test func aFolderHasPagesThatLinkToOneAnother() throws {
        let folder = sandbox.folder.file("pages")
        for day in ["2026-11-20", "2026-11-21"] {
            #expect(try today("--format", "html", "--output", folder + "/", at: day).status == 0)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["2026-11-20.html", "2026-11-21.html", "index.html"])
        func links(_ name: String) throws -> [String] {
            try read(folder + "/" + name).matches(of: /<a href="([a-z0-9-]*\.html)"/).map { String($0.output.1) }
        }
        #expect(try links("2026-11-20.html") == ["index.html", "2026-11-21.html"])
        #expect(try links("2026-11-21.html") == ["index.html", "2026-11-20.html"])
        #expect(try links("index.html") == ["2026-11-21.html", "2026-11-20.html"])
        #expect(try today("--week", "--format", "html", "--output", folder).status == 0)
        #expect(try links("week-2026-11-21.html") == ["index.html", "2026-11-20.html", "2026-11-21.html"])
        #expect(try links("2026-11-20.html") == ["index.html", "week-2026-11-21.html", "2026-11-21.html"])
        #expect(try links("index.html") == ["week-2026-11-21.html", "2026-11-21.html", "2026-11-20.html"])
        let index = try read(folder + "/index.html")
        // A page that somebody else has put there stays.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/2026-11-21.html"))
        try today("--format", "html", "--output", folder).ends(73, "2026-11-21.html was not written by pulse-digest")
        #expect(try read(folder + "/2026-11-21.html") == "mine" && read(folder + "/index.html") == index)
        #expect(try today("--output", folder).status == 64)
        let file = sandbox.folder.file("week.html")
        #expect(try today("--week", "--format", "html", "--output", file).status == 0)
        #expect(try read(file).contains("Your week"))
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
        #expect(try today("--output", "/dev/null").status == 73)
        try today("--output", sandbox.folder.file("no/such/folder/x")).ends(73, "there is no folder")
        let file = try sandbox.folder.write("old", to: "file")
        try today("--format", "html", "--output", file + "/").ends(73, "is not a folder")
        #expect(try read(file) == "old")
    }

    /// Nothing is written over what it is made from.
    @Test func theHistoryIsNotOverwritten() throws {
        let before = try run("history stats").succeeded().output
        let link = try sandbox.folder.link("link", to: sandbox.store)
        for output in [sandbox.store, sandbox.store + "-wal", link] {
            try run("history export --output", output).ends(64, "would overwrite the history")
        }
        #expect(try run("history stats").output == before)
    }

    /// A link goes on naming the file.
    @Test func aLinkStaysOne() throws {
        let file = try sandbox.folder.write("", to: "file")
        let link = try sandbox.folder.link("link", to: file)
        #expect(try today("--output", link).status == 0)
        #expect(try read(file).hasPrefix("Your digest, "))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    }
}
