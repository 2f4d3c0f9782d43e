import Foundation
import Testing

@testable import PulseCommands

/// What the README shows is what the program takes.
@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
    private static let readme: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return ((try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)) ?? "")
            + ((try? String(contentsOf: root.appendingPathComponent("docs/guide.md"), encoding: .utf8)) ?? "")
    }()

    private static let commands: [String] = readme.split(separator: "\n").filter { $0.hasPrefix("    ") }
        .compactMap { line in
            guard let start = line.firstRange(of: "pulse-digest ")?.upperBound else { return nil }
            return String(line[start...].prefix { $0 != "#" && $0 != ">" })
        }
        .filter { !$0.hasPrefix("make") }

    @Test func thereAreCommands() { #expect(Self.commands.count > 15) }

    @Test(arguments: commands)
    func everyCommandIsOne(line: String) throws {
        let invocation = try Parser(commands: Program.commands).parse(line.split(separator: " ").map(String.init))
        #expect(invocation.command != nil)
    }

    @Test func everyOptionExists() {
        let known = Set(
            (Option.everywhere + Program.commands.flatMap { $0.options + $0.subcommands.flatMap(\.options) }).map(
                \.name)
                + ["help", "version"])
        for match in Self.readme.matches(of: /--([a-z][a-z-]+)/) {
            #expect(known.contains(String(match.output.1)), "\(match.output.0)")
        }
    }

    @Test func everyMakeTargetExists() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let makefile = try String(contentsOf: root.appendingPathComponent("Makefile"), encoding: .utf8)
        for match in Self.readme.matches(of: /(?m)^    (?:sudo )?make ([a-z-]+)/) {
            #expect(makefile.contains("\n\(match.output.1):"), "\(match.output.0)")
        }
    }
}
