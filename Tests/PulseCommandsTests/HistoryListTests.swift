import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands

extension RealProcesses {
    /// What `history list` prints for what a reader, or a digest's own line, asks of it.
    @Suite(.timeLimit(.minutes(20))) struct HistoryListTests {
        private let run: CommandRun
        private var now: Date { run.now }

        init() throws {
            run = try CommandRun()
            // Of each, from an hour ago on, one every two hours.
            let all = [
                ("world", "The Herald", 30), ("technology", "The Herald", 3), ("technology", "O'Reilly & `Sons`", 2),
                ("general", "-v", 1),
            ]
            let store = try Store(at: run.store, access: .readWrite)
            for (category, source, count) in all {
                _ = try store.record(
                    (0..<count).map { number in
                        Reading(
                            article: Article(
                                id: "\(category)/\(source)/\(number)", title: "\(category) \(number) \(source)",
                                source: source, category: Category(category)),
                            readAt: now.addingTimeInterval(Double(-3600 - 7200 * number)), origin: "test")
                    })
            }
        }

        @Test func theLatestWhereNothingIsAsked() async throws {
            let (lines, said) = try await run("history list")
            #expect(lines.count == 20 && said.isEmpty)
            #expect(try await run("history list --limit 100").lines.count == 36)
            #expect(try await run("history").lines == lines)
        }

        @Test(arguments: [
            ("--category technology", 5), ("--category Technology", 5),
            ("--since 2026-11-21", 4), ("--since 2026-11-21T02:00", 0), ("--since -PT4H", 7),
            ("--since 2026-11-21 --category technology", 2), ("--category world --category technology", 5),
        ])
        func whatIsAskedFor(options: String, count: Int) async throws {
            let (lines, said) = try await run("history list " + options)
            #expect(lines.count == count)
            #expect(said == (count == 0 ? "No article in the history matches.\n" : ""))
            #expect(try await run("history " + options).lines == lines)
        }

        @Test func aCategoryThatIsNotThereIsAMistake() async throws {
            try await fails(.noInput, "Did you mean “technology”?") {
                try await run("history list --category technologie")
            }
        }

        @Test func aPublicationIsMeantLetterByLetter() async throws {
            for (source, count) in [("The Herald", 33), ("O'Reilly & `Sons`", 2), ("-v", 1)] {
                let (lines, _) = try await run(["history", "list", "--source", source, "--limit", "100"])
                #expect(lines.count == count && lines.allSatisfy { $0.hasSuffix(source) }, "\(source)")
                let (shouted, _) = try await run(["history", "list", "--source", source.uppercased(), "-n", "100"])
                #expect(shouted == lines)
            }
            for words in ["tHe HERALD", "the\u{a0}herald", "Thé Herald!"] {
                #expect(try await run(["history", "list", "--source", words, "-n", "100"]).lines.count == 33)
            }
            try await fails(.noInput, "Did you mean “The Herald”?") {
                try await run(["history", "list", "--source", "Herald"])
            }
        }

        /// On the error stream, so that the list stays one.
        @Test func whatTheLimitCutsOffIsSaid() async throws {
            var (lines, said) = try await run("history list --category world")
            #expect(lines.count == 20 && said == "20 of 30 articles. To list all: --limit 30\n")
            (lines, said) = try await run("history list --category world --limit 30")
            #expect(lines.count == 30 && said.isEmpty)
            (lines, said) = try await run("history list --category world --quiet")
            #expect(lines.count == 20 && said.isEmpty)
        }

        @Test(arguments: ["--since tomorrow-ish", "--since 2027-01-01", "--source=", "--category="])
        func whatCannotBeAskedIsAUsageError(options: String) async throws {
            try await fails(.usage) { try await run("history list " + options) }
        }

        /// What a digest is of, by a setting, is no reason to list nothing else.
        @Test func settingsOfADigestAreNotAList() async throws {
            let environment = ["PULSE_DIGEST_CATEGORY": "technology", "PULSE_DIGEST_HOURS": "1"]
            let (lines, said) = try await run(["history", "list", "-n", "100"], environment: environment)
            #expect(lines.count == 36 && said.isEmpty)
        }

        /// Each line of a digest that says what is left out is a command that lists it, as a shell takes it.
        @Test func theLineThatADigestPrintsIsACommand() async throws {
            let reading = Reading(article: Article(id: "a", title: "T"), readAt: now, origin: "test")
            let headings: [(Digest.Heading, Int)] = [
                (.category(Category("technology")), 5), (.category(Category("world")), 30), (.source("The Herald"), 33),
                (.source("O'Reilly & `Sons`"), 2), (.source("-v"), 1), (.more, 36),
            ]
            let digest = Digest(
                date: now, period: Period(hours: 72, endingAt: now), language: .english,
                sections: headings.map { heading, _ in
                    Digest.Section(
                        heading: heading, entries: [Digest.Entry(story: Story([reading]), sentences: [])], omitted: 12)
                })
            let printed = DigestText.render(digest, style: TextStyle(timeZone: .gmt))
            let commands = printed.matches(of: /12 more articles. To list all: pulse-digest (.*)/).map {
                String($0.output.1)
            }
            #expect(commands.count == headings.count)
            for (command, (_, count)) in zip(commands, headings) {
                let (lines, said) = try await run(words(of: command))
                #expect(lines.count == count, "\(command): \(lines)")
                #expect(said.isEmpty)
            }
        }

        /// The words that a shell makes of a line.
        private func words(of line: String) throws -> [String] {
            let shell = Process()
            let pipe = Pipe()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "printf '%s\\n' " + line]
            shell.standardOutput = pipe
            try shell.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            shell.waitUntilExit()
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
