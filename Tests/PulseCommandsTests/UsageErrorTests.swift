import Foundation
import PulseCore
import PulseStore
import PulseTestSupport
import Testing

/// What a command refuses before it does anything: options that contradict each other, and values that are none.
@Suite(.timeLimit(.minutes(20))) struct UsageErrorTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        let article = Article(id: "leaf-mould", title: "Leaf mould", content: "Leaf mould takes a year.")
        _ = try Store(at: run.store, access: .readWrite).record([
            Reading(article: article, readAt: run.now.addingTimeInterval(-3600), origin: "test")
        ])
    }

    private func refused(_ words: [String], _ says: String) async throws {
        let error = try await fails(.usage, says) { try await run(words) }
        #expect(error.description.split(separator: "\n").count <= 2 && !error.description.contains("secret"))
        #expect(try run.home.text("out") == "")
    }

    @Test(arguments: [
        ("--to a@b.example", "--to"), ("--from a@b.example --format json", "--from"), ("--again", "--again"),
        ("--sendmail /bin/sh", "--sendmail"), ("--send-timeout 5", "--send-timeout"),
        ("--retry-time 5", "--retry-time"), ("--scheduled cron", "--scheduled"),
        ("--date 2026-11-18 --hours 5", "--hours"), ("--date 2026-11-18 --category x", "--category"),
        ("--date 2026-11-18 --seed 5", "--seed"), ("--date 2026-11-18 --fresh", "--fresh"),
        ("--date 2026-11-18 --dry-run", "--dry-run"),
        ("--date 2026-11-18 --send --to a@b.example", "--send"), ("--date 2024-02-30", "--date"),
        ("--date soon", "--date"), ("--date 2024-2-3", "--date"),
        ("--send --to a@b.example --format json", "--format json"), ("--hours 5 --since 2026-11-18", "--since"),
        ("--whole", "--whole"), ("--max-articles 3", "--max-articles"), ("--format email", "--to ana@example.org"),
        ("--format pdf", "email"), ("--explain --format html", "--explain"),
        ("--basis bookmarks --since-last", "--since-last"), ("--week --hours 3", "--hours"),
        ("--week --since-last", "--since-last"), ("--week --fresh", "--fresh"), ("--week --dry-run", "--week"),
        ("--week --date 2026-11-21", "--week"), ("--speak --format html", "does not apply"),
        ("--speak --output x", "does not apply"), ("--send --speak --to a@b.org", "does not apply"),
        ("--send --output x --to a@b.org", "does not apply"), ("--send", "There is no recipient"),
        ("--send --to a@b --send-timeout 0", "--send-timeout"), ("--send --to a@b --scheduled atd", "--scheduled"),
        ("--rpc [::1]:50052", "--rpc "), ("--rpc tower", "--rpc "), ("--rpc tower:0", "--rpc "),
        ("--rpc a:1,b:70000", "--rpc "), ("--since 18/11/2026", "Write 2026-11-18."),
        ("--follow=", "needs a value"), ("--date tomorrow", "--date tomorrow is in the future."),
    ])
    func whatTodayCannotDo(options: String, says: String) async throws {
        try await refused(["today"] + options.split(separator: " ").map(String.init), says)
    }

    @Test(arguments: [("--format html", "one of: text, markdown, json"), ("--speak --format json", "does not apply")])
    func whatSummarizeCannotDo(options: String, says: String) async throws {
        try await refused(["summarize", "leaf-mould"] + options.split(separator: " ").map(String.init), says)
    }

    @Test(arguments: [
        ("feeds add notaurl", "“notaurl” is not a web address"),
        ("feeds add file:///tmp/x", "pulse-digest import FILE"),
        ("feeds add ftp://a.example/feed", "begins with https:// or http://"),
        ("feeds refresh --pulse-url ana:secret@b", "holds a user name or a password"),
        ("import https://a.example/feed.xml", "To follow a feed: pulse-digest feeds add URL."),
        ("config set pulseUrl https://ana:secret@a.example", "holds a user name or a password"),
        ("config set pulseUrl foo", "takes an address such as https://"), ("config get since", "not a setting"),
        ("config set maxStories 0", "maxStories takes a whole number"), ("config set hours 1 2", "one value"),
        ("config set nope 1", "not a setting"), ("config get maxStory", "Did you mean maxStories"),
        ("config show", "config list"), ("config set profiles.ana.store x", "cannot be set in a profile"),
        ("config set profiles.ana.languge pt", "language"), ("config set profiles.ana x", "profiles.ana.language"),
        ("config set profiles.ana.language xx", "one of"),
    ])
    func whatOthersCannotDo(line: String, says: String) async throws {
        try await refused(line.split(separator: " ").map(String.init), says)
    }

    @Test func whatIsMeantIsNamed() async throws {
        try await refused(["today", "18 nov"], "--date 18 nov?")
        let sample = Repository.fixtures.appendingPathComponent("sample-history.jsonl").path
        try await refused(["import", sample, "--host", "a.example"], "--host is not an option of import jsonl.")
    }

    @Test(arguments: [
        ("ana", "--to takes an address"), ("x", "--to"), ("ana@example.org\r\nBcc: eve@example.org", "line break"),
        ("a@b\nBcc: c@d", "--to"), ("ana@example.org,", "empty"), ("josé@example.org", "ASCII"), ("a b@c", "--to"),
        ("", "--to"), ("a@b@c", "--to"), ("a@", "not a domain"),
    ])
    func whatIsNoAddress(address: String, says: String) async throws {
        try await refused(["today", "--to", address], says)
        let error = try await fails(.usage, says) { try await run(["today", "--send", "--to", address]) }
        #expect(!error.description.contains("\nBcc"))
        guard says == "not a domain" else { return }
        try await refused(["today", "--from", address], says)
    }
}
