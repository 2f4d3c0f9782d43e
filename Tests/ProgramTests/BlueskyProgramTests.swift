import Foundation
import PulseTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct BlueskyProgramTests: StoreSuite {
    let sandbox: Sandbox
    private let bluesky: LoopbackBluesky

    init() throws {
        sandbox = try Sandbox()
        var records = LoopbackBluesky.Records()
        records.likes = Array(0..<10)
        records.posts = [12]
        bluesky = try LoopbackBluesky(records, isWeb: true)
    }

    /// The commands of the page about Bluesky, which say where the AppView is in the second of them.
    private func commands() throws -> [[String]] {
        let page = try String(contentsOfFile: Sandbox.fixtures + "/../../docs/sources.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## Bluesky\n").last)
        let code = try #require(section.components(separatedBy: "```\n").dropFirst().first)
        return code.split(separator: "\n").map { line in
            line.prefix { $0 != "#" }.split(separator: " ").dropFirst().map {
                $0 == "https://appview.example" ? bluesky.address : String($0)
            }
        }
    }

    @Test func thePageIsFollowedToTheLetter() throws {
        let commands = try commands()
        #expect(commands.count == 3)
        try sandbox.run(commands[1] + ["--store", sandbox.store]).ends(
            0, "bluesky:alice.example@localhost:\(bluesky.server.port) is set up", "1 item shown only to people",
            output: "8 articles: 8 new, 0 updated, 0 known\n")
        bluesky.records.withLock { $0.likes.append(20) }
        // From now on the name is enough, and then nothing.
        try sandbox.run(commands[0] + sandbox.plain).ends(0, output: "1 article: 1 new, 0 updated, 0 known\n")
        bluesky.records.withLock { $0.likes.append(22) }
        try sandbox.run(commands[2] + sandbox.plain).ends(0, printing: "1 article: 1 new, 0 updated, 0 known\n")
        try run("history list -n 99 --format json").ends(nil, printing: "\"2026-11-20T20:00:00Z\"", "Story 22")
    }

    @Test func whatIsNoNameIsRefused() throws {
        try run("import bluesky alice").ends(64, "not a name on Bluesky")
        try run("import bluesky", bluesky.address, "--user", "bob.example").ends(66, output: "")
        #expect(try sandbox.run("import", "bluesky", "--help").output.contains("[NAME]"))
    }
}
