import Foundation
import PulseCore
import PulseInference
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct SettingsReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(
        _ line: String = "today", file: String? = nil, environment: [String: String] = [:]
    ) throws -> Settings {
        let path = folder.file("config.json")
        if let file { try Data(file.utf8).write(to: URL(fileURLWithPath: path)) }
        let invocation = try Parser(commands: Program.commands).parse(line.split(separator: " ").map(String.init))
        return try SettingsReader(commands: Program.commands, environment: environment, configurationFile: path)
            .settings(flags: invocation.flags)
    }

    @Test func defaults() throws {
        let settings = try settings()
        #expect(settings.window == nil && settings.maximumStories == 25 && settings.sampling.temperature == 0)
        #expect(settings.model == nil && settings.grounded == .strict && settings.timeout == nil)
    }

    @Test func flagsBeatTheEnvironmentBeatsTheFile() throws {
        let file = "{ maxStories: 5, hours: 10, \"model\": \"x\", /* a note */ }"
        let environment = ["PULSE_DIGEST_MAX_STORIES": "6", "PULSE_DIGEST_HOURS": "11"]
        let settings = try settings("today --hours 12", file: file, environment: environment)
        #expect(settings.window == .hours(12))
        #expect(settings.maximumStories == 6)
        #expect(settings.model == "x")
    }

    @Test func listsAndTruthsInTheFile() throws {
        let all = try settings(file: "{ category: ['Art', 'zoo'], quiet: true, temperature: 0.5, verbose: 'no' }")
        #expect(all.categories == [Category("art"), Category("zoo")])
        #expect(all.isQuiet && !all.isVerbose && all.sampling.temperature == 0.5)
        #expect(try settings("today --category x", file: "{ category: ['a'] }").categories == [Category("x")])
    }

    @Test(arguments: [
        ("{ hours: 'x' }", "“hours” in"), ("{ hour: 1 }", "Did you mean “hours”?"),
        ("{ dryRun: true }", "not a setting"),
        ("{ yes: true }", "not a setting"), ("[1]", "line 1, column 1: a “{” is missing"),
        ("{\n  hours: 3\n  mute: [] }", "line 2, column 11: a “,” or “}” is missing"),
        ("{ hours: ", "a value is missing"),
        ("{ hours: { a: 1 } }", "“hours” is not text"), ("", "empty"), ("# a note\n{}", "“//”"),
        ("{ language: pt }", "quotation marks"), ("{ model: 'x }", "does not end"), ("{ hours: -1 }", "above 0"),
        ("{ language: 'xx' }", "one of: en, pt, pt-PT, es"), ("{ maxArticles: 5 }", "not a setting"),
        ("{ whole: true }", "not a setting"), ("{ source: 'x' }", "not a setting"),
    ])
    func aBrokenFileIsAConfigurationError(file: String, words: String) {
        #expect { try settings(file: file) } throws: { error in
            guard let failure = error as? PulseError else { return false }
            return failure.code == .configuration && failure.description.contains(words)
        }
    }

    @Test func aBrokenVariableNamesItself() {
        #expect { try settings(environment: ["PULSE_DIGEST_SEED": "-1"]) } throws: { error in
            guard let failure = error as? PulseError else { return false }
            return failure.code == .configuration && failure.description.hasPrefix("PULSE_DIGEST_SEED takes")
        }
    }

    @Test func aMistypedVariableIsTold() throws {
        #expect { try settings(environment: ["PULSE_DIGEST_HUORS": "24"]) } throws: { error in
            guard let failure = error as? PulseError else { return false }
            return failure.code == .configuration && failure.description.contains("Did you mean PULSE_DIGEST_HOURS?")
        }
        #expect(
            try settings(environment: ["PULSE_DIGEST_CATEGORY": "a, b"]).categories == [Category("a"), Category("b")])
    }

    @Test(arguments: [
        "today --hours 0", "today --hours nan", "today --hours inf", "today --max-stories 1.5", "today --max-stories 0",
        "today --format pdf",
        "today --top-p 0", "today --seed 4294967296", "today --timeout -1", "today --grounded loosely", "history -n 0",
        "today --quiet=maybe", "today --store=", "today --threads 0", "today --context 10",
    ])
    func aBadFlagIsAUsageErrorThatNamesIt(line: String) {
        #expect { try settings(line) } throws: { error in
            guard let failure = error as? PulseError else { return false }
            return failure.code == .usage && failure.description.hasPrefix("--")
        }
    }

    /// As a flag it is one of the command's own; as a setting any, and text where the command does not have it.
    @Test(arguments: [
        ("today", "text markdown html json email speech atom"), ("summarize x", "text markdown json speech"),
        ("doctor", "text json"), ("bench", "text json"), ("schedule log", "text json"),
    ])
    func formatsAreTheCommands(line: String, formats: String) throws {
        for format in OutputFormat.allCases {
            let isOne = formats.split(separator: " ").contains(Substring(format.rawValue))
            #expect((try? settings("\(line) --format \(format.rawValue)").format) == (isOne ? format : nil))
            var set = try settings(line, environment: ["PULSE_DIGEST_FORMAT": format.rawValue])
            let invocation = try Parser(commands: Program.commands).parse(line.split(separator: " ").map(String.init))
            set.fit(try #require(invocation.command))
            #expect(set.format == (isOne ? format : .text))
        }
    }

    @Test func zeroSecondsMeanNoLimit() throws {
        #expect(try settings("today --timeout 0 --stall-timeout 0").stallTimeout == nil)
        #expect(try settings("today --timeout 1.5").timeout == .seconds(1.5))
    }

    @Test func anEmptyVariableIsNone() throws {
        #expect(try settings(environment: ["PULSE_DIGEST_MODEL": ""]).model == nil)
    }
}
