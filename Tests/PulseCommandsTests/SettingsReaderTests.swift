import Foundation
import PulseApp
import PulseCore
import PulseInference
import PulseRendering
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
        return try SettingsReader(environment: environment, configurationFile: path)
            .settings(flags: invocation.flags)
    }

    @Test func defaults() throws {
        let settings = try settings()
        #expect(
            settings.window == nil && settings.digest.maximumStories == 25 && settings.model.sampling.temperature == 0)
        #expect(settings.model.name == nil && settings.model.check == .replace && settings.model.timeout == nil)
    }

    @Test func flagsBeatTheEnvironmentBeatsTheFile() throws {
        let file = "{ maxStories: 5, hours: 10, \"model\": \"x\", /* a note */ }"
        let environment = ["PULSE_DIGEST_MAX_STORIES": "6", "PULSE_DIGEST_HOURS": "11"]
        let settings = try settings("today --hours 12", file: file, environment: environment)
        #expect(settings.window == .hours(12))
        #expect(settings.digest.maximumStories == 6)
        #expect(settings.model.name == "x")
    }

    @Test func listsAndTruthsInTheFile() throws {
        let all = try settings(file: "{ category: ['Art', 'zoo'], quiet: true, temperature: 0.5, verbose: 'no' }")
        #expect(all.digest.categories == [Category("art"), Category("zoo")])
        #expect(all.isQuiet && !all.isVerbose && all.model.sampling.temperature == 0.5)
        #expect(try settings("today --category x", file: "{ category: ['a'] }").digest.categories == [Category("x")])
    }

    @Test(arguments: [
        ("{ hours: 'x' }", "“hours” in"), ("{ hour: 1 }", "Did you mean “hours”?"),
        ("{ dryRun: true }", "not a setting"),
        ("{ yes: true }", "not a setting"), ("[1]", "line 1, column 1: a “{” is missing"),
        ("{\n  hours: 3\n  mute: [] }", "line 2, column 11: a “,” or “}” is missing"),
        ("{ hours: ", "a value is missing"),
        ("{ hours: { a: 1 } }", "“hours” is not text"), ("", "empty"), ("# a note\n{}", "“//”"),
        ("{ language: pt }", "quotation marks"), ("{ model: 'x }", "is not closed"), ("{ hours: -1 }", "above 0"),
        ("{ language: 'xx' }", "one of: en, pt, pt-PT, es"), ("{ maxArticles: 5 }", "not a setting"),
        ("{ whole: true }", "not a setting"), ("{ profile: { ana: {} } }", "“profile” is not text"),
        ("{ profiles: 3 }", "“profiles” is not like"), ("{ profiles: { ana: 'x' } }", "“profiles.ana” is not like"),
        ("{ profiles: { ana: { follow: { a: 1 } } } }", "“profiles.ana.follow” is not text"),
        ("{ profiles: {\n  ana: {\n    languge: 'pt' } } }", "“languge” of the profile “ana” (/"),
        ("{ profiles: {\n  ana: {\n    languge: 'pt' } } }", "line 3) is not a setting. Did you mean “language”?"),
        ("{\n profiles: { ana: { store: 'x' } } }", "“store” of the profile “ana” (/"),
        ("{\n profiles: { ana: { store: 'x' } } }", "line 2) cannot be set in a profile"),
        ("{ profiles: { ana: { sendmail: 'x' } } }", "for all profiles"),
        ("{ profiles: { ana: { profile: 'x' } } }", "for all profiles"),
        ("{ profiles: { ana: {\nlanguage: 'xx' } } }", "line 2) is one of: en, pt"),
        ("{ profiles: { ana: { to: 'nobody' } } }", "“to” of the profile “ana”"),
        ("{ profiles: { 'ana lima': {} } }", "not a name for a profile"),
        ("{ profiles: { 'ana.lima': {} } }", "not a name for a profile"),
        ("{ to: 'Ana@b.c', profiles: { ana: { to: 'ana@b.c' } } }", "of “to” and of the profile “ana”"),
        (
            "{ profiles: { ana: { to: 'x@b.c' }, ben: { to: ['y@b.c', 'x@b.c'] } } }",
            "the profile “ana” and of the profile “ben”"
        ),
        ("{ profile: 'ana', profiles: { anna: {} } }", "no profile “ana”. Did you mean anna?"),
        ("{ store: 5 }", "“store” in"), ("{ store: 5 }", "takes a text in quotation marks, not 5."),
        ("{ model: true }", "“model” in"), ("{ model: true }", "takes a text in quotation marks, not true."),
        ("{ hours: [24, 48] }", "“hours” in"), ("{ hours: [24, 48] }", "takes one value."),
        ("{ profiles: { ana: { from: 5 } } }", "“from” of the profile “ana”"),
        ("{ profiles: { ana: { from: 5 } } }", "not 5."),
    ])
    func aBrokenFileIsAConfigurationError(file: String, words: String) throws {
        try fails(.configuration, words) { try settings(file: file) }
    }

    private static let readers = """
        { to: 'me@b.c', language: 'en', maxStories: 5, follow: ['a'], profiles: {
            ana: { to: 'ana@b.c', language: 'pt', follow: ['x', 'y'], source: 'The Herald', basis: 'unread' },
            ben: { maxStories: 7 } } }
        """

    /// A flag beats the profile beats the environment beats the top of the file; only an address is not inherited.
    @Test func aProfileLiesOverTheTopOfTheFile() throws {
        let environment = ["PULSE_DIGEST_MAX_STORIES": "6", "PULSE_DIGEST_LANGUAGE": "es"]
        let ana = try settings("today --profile ana --language fr", file: Self.readers, environment: environment)
        #expect(ana.profile == "ana" && ana.to.map(\.address) == ["ana@b.c"] && ana.language == .french)
        #expect(ana.digest.follow == ["x", "y"] && ana.digest.sources == ["The Herald"] && ana.digest.basis == .unread)
        #expect(ana.digest.maximumStories == 6)
        let ben = try settings(
            file: Self.readers, environment: environment.merging(["PULSE_DIGEST_PROFILE": "ben"]) { $1 })
        #expect(
            ben.digest.maximumStories == 7 && ben.language == .spanish && ben.digest.follow == ["a"] && ben.to.isEmpty)
        let me = try settings("today --profile=", file: Self.readers, environment: ["PULSE_DIGEST_PROFILE": "ben"])
        #expect(me.digest.maximumStories == 5 && me.to.map(\.address) == ["me@b.c"] && me.digest.sources.isEmpty)
        #expect(try settings("today --profile ana --to x@y.z", file: Self.readers).to.map(\.address) == ["x@y.z"])
    }

    /// What a command line says is for all of them, but not to whom.
    @Test func allProfilesAreRead() throws {
        let invocation = try Parser(commands: Program.commands).parse(["today", "--send", "--max-stories", "3"])
        let path = folder.file("config.json")
        try Data(Self.readers.utf8).write(to: URL(fileURLWithPath: path))
        let read = try SettingsReader(
            environment: ["LANG": "pt_PT.UTF-8"], configurationFile: path
        ).reading(flags: invocation.flags)
        #expect(read.fault == nil && read.profiles.map(\.profile) == ["ana", "ben"])
        #expect(read.profiles.map(\.digest.maximumStories) == [3, 3] && read.profiles.map(\.isSent) == [true, true])
        #expect(read.profiles.map(\.language) == [.europeanPortuguese, .english])
    }

    @Test func aProfileThatIsNotThereIsAMistakeOfTheCommandLine() throws {
        try fails(.usage, "Did you mean ana?") { try settings("today --profile anna", file: Self.readers) }
    }

    @Test func aBrokenVariableNamesItself() throws {
        let failure = try fails(.configuration) { try settings(environment: ["PULSE_DIGEST_SEED": "-1"]) }
        #expect(failure.description.hasPrefix("PULSE_DIGEST_SEED takes"))
    }

    @Test func aMistypedVariableIsTold() throws {
        try fails(.configuration, "Did you mean PULSE_DIGEST_HOURS?") {
            try settings(environment: ["PULSE_DIGEST_HUORS": "24"])
        }
        #expect(
            try settings(environment: ["PULSE_DIGEST_CATEGORY": "a, b"]).digest.categories == [
                Category("a"), Category("b"),
            ])
    }

    @Test(arguments: [
        "today --hours 0", "today --hours nan", "today --hours inf", "today --max-stories 1.5", "today --max-stories 0",
        "today --format pdf",
        "today --top-p 0", "today --seed 4294967296", "today --timeout -1", "today --check loosely", "history -n 0",
        "today --quiet=maybe", "today --store=", "today --threads 0", "today --context 10", "import x --map title",
        "import x --map headline=title", "import x --host nohost", "import x --host=", "import x --no-bulk=perhaps",
    ])
    func aBadFlagIsAUsageErrorThatNamesIt(line: String) throws {
        let failure = try fails(.usage) { try settings(line) }
        #expect(failure.description.hasPrefix("--"))
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
        #expect(try settings("today --timeout 0 --stall-timeout 0").model.stallTimeout == nil)
        #expect(try settings("today --timeout 1.5").model.timeout == .seconds(1.5))
    }

    @Test func anEmptyVariableIsNone() throws {
        #expect(try settings(environment: ["PULSE_DIGEST_MODEL": ""]).model.name == nil)
    }
}

extension SettingsReader {
    /// The settings, where nothing is wrong with them.
    func settings(flags: [(option: Option, values: [String])]) throws -> Settings {
        let read = try reading(flags: flags)
        if let fault = read.fault { throw fault }
        return read.settings
    }
}
