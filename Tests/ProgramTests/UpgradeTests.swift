import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// What earlier releases left with their users, opened by this one: history, settings, state of the mail.
@Suite(.timeLimit(.minutes(20))) struct UpgradeTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["F"] = sandbox.folder.path
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
    }

    private static let releases: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Sandbox.fixtures + "/upgrades")) ?? []
        return names.filter { $0.hasPrefix("schema-") }.sorted()
    }()

    /// Copies what a release left into the sandbox.
    private func take(_ release: String) throws {
        try sandbox.shell(
            "cp -r '\(Sandbox.fixtures)/upgrades/\(release)/.' \"$F\" && chmod 600 '\(sandbox.store)' && "
                + "grep -rl FOLDER \"$F/state\" | xargs sed -i \"s|FOLDER|$F|g\""
        ).succeeded()
        sandbox.environment["XDG_CONFIG_HOME"] = sandbox.folder.file("config")
        sandbox.environment["XDG_STATE_HOME"] = sandbox.folder.file("state")
    }

    private func output(_ line: String) throws -> String {
        try sandbox.run(line.split(separator: " ").map(String.init)).succeeded().output
    }

    private func schema(_ path: String) throws -> Int64? {
        try Connection(path: path, access: .readOnly).integer("PRAGMA user_version")
    }

    /// The message that waited goes out as it was made, once, and whoever had theirs gets no other.
    @Test(arguments: releases) func everythingIsStillThere(since release: String) throws {
        try take(release)
        #expect(try output("history list").split(separator: "\n").count == 11)
        #expect(try output("history search ferry").contains("Calder Strait"))
        #expect(try output("bookmarks").contains("Kestria and Vellmark"))
        #expect(try output("config get maxStories") == "7\n")
        #expect(try output("feeds list").contains("The Harnby Herald & Post"))
        #expect(try !output("feeds waiting").isEmpty)
        #expect(try output("today --date 2026-11-21").contains("Kestria"))
        #expect(try output("today --profile ben").contains("Your digest"))

        try sandbox.installSendmail("cat >> \"$F/mails\"")
        for line in ["today --send", "today --send --profile ben", "today --send"] { _ = try output(line) }
        let mails = try sandbox.folder.text("mails")
        let head = mails.split(separator: "\n").filter { $0.hasPrefix("To:") || $0.hasPrefix("Subject:") }
        #expect(head.count == 2 && head[0] == "To: ana@example.org", "\(head)")
    }

    /// Killed at any moment, the store is the old one or the new one, and the next run goes on.
    @Test func anUpgradeMayBeKilled() throws {
        try take("schema-8")
        let old = try schema(sandbox.store)
        // Some 30 MB, which take a while to copy.
        try Connection(path: sandbox.store, access: .readWrite).execute(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
            INSERT INTO articles (identifier, key, source, category, read_at, read_exact, read_origin, title, summary,
                content)
            SELECT 'n' || n, 'n' || n, 'N', 'world', n, 1, 'n', 'N', '', hex(randomblob(5000)) FROM number
            """)
        let whole = sandbox.folder.file("whole.sqlite")
        try FileManager.default.copyItem(atPath: sandbox.store, toPath: whole)
        let clock = ContinuousClock()
        var expected = ""
        let duration = try clock.measure { expected = try output("history list") }
        let new = try schema(sandbox.store)
        #expect(old != new)

        var seen: Set<Int64?> = []
        for kill in 0..<12 {
            try sandbox.shell("rm -f \"$F\"/history.sqlite* && cp '\(whole)' '\(sandbox.store)'").ends(0)
            let running = try sandbox.start(["history", "list"])
            usleep(UInt32(duration / .microseconds(1) * Double(kill) / 12))
            Foundation.kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
            let left = try schema(sandbox.store)
            #expect(left == old || left == new)
            seen.insert(left)
            // A copy that has its name is whole.
            let copy = sandbox.store + ".v\(old ?? 0).bak"
            if FileManager.default.fileExists(atPath: copy) {
                let check = try Connection(path: copy, access: .readOnly).text("PRAGMA quick_check")
                #expect(try schema(copy) == old && check == "ok")
            }
            #expect(try output("history list") == expected)
            #expect(try schema(sandbox.store) == new)
        }
        #expect(seen.contains(old))
    }

    /// Without room for the copy, nothing is touched, and what is missing is said.
    @Test(.enabled(if: TinyDisk.canBeMade, "only root can mount a small disk"))
    func anUpgradeNeedsRoom() throws {
        let disk = try TinyDisk(at: sandbox.folder.file("disk"), kilobytes: 512)
        let store = disk.path + "/history.sqlite"
        let fixture = Sandbox.fixtures + "/upgrades/schema-8/history.sqlite"
        try FileManager.default.copyItem(atPath: fixture, toPath: store)
        for words in [["history", "list"], ["import", "jsonl", Sandbox.sampleHistory]] {
            try sandbox.run(words + ["--store", store]).ends(73, "must be free on its disk")
        }
        #expect(FileManager.default.contentsEqual(atPath: fixture, andPath: store))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["history.sqlite"])
    }
}
