import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands
@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct ScheduledCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func command(
        _ line: String, environment: [String: String] = [:], executable: String = "/usr/local/bin/pulse-digest",
        invokedAs name: String = "pulse-digest"
    ) throws -> ScheduledCommand {
        let environment = environment.merging(["PATH": folder.path]) { first, _ in first }
        let invocation = try Parser(commands: Program.commands).parse(
            ["schedule", "install"] + line.split(separator: " ").map(String.init))
        let locations = Locations(environment: environment, executable: executable)
        let settings = try SettingsReader(
            environment: environment, configurationFile: "/nowhere"
        ).settings(flags: invocation.flags)
        let context = RawContext(
            settings: settings, operands: [], locations: locations, console: Console(environment: [:]),
            environment: environment, now: .now, timeZone: .gmt, programName: name, flags: invocation.flags)
        return try ScheduledCommand(for: context, by: .cron, in: folder.path)
    }

    private let fixed = ["today", "--send", "--scheduled", "cron"]

    @Test func optionsOfTodayAreHandedOn() throws {
        let arguments = try command(
            "--at 7:00 --to a@b.c --hours 24 --category x --category -y --quiet --systemd=no --language pt --dry-run"
        ).arguments
        #expect(
            arguments == fixed + [
                "--hours", "24", "--category", "x", "--category=-y", "--language", "pt", "--to", "a@b.c",
            ])
    }

    /// The language that is written in here, whatever it comes from; none of the variables it may come from.
    @Test(arguments: [
        (["LC_ALL": "C", "LANG": "pt_BR.UTF-8"], "", "en"), (["LANG": "pt_BR.UTF-8"], "", "pt"),
        (["LANG": "pt_BR.UTF-8"], "--language es", "es"), (["PULSE_DIGEST_LANGUAGE": "es"], "", "es"),
    ])
    func theLanguageIsHandedOn(environment: [String: String], options: String, language: String) throws {
        let command = try command("--to a@b.c " + options, environment: environment)
        #expect(command.arguments.contains(["--language", language]) == !options.isEmpty)
        guard options.isEmpty else { return #expect(command.environment["LC_MESSAGES"] == nil) }
        // As a locale, so that a setting counts before it.
        let isAsked = environment["PULSE_DIGEST_LANGUAGE"] != nil
        #expect(command.environment["LC_MESSAGES"]?.prefix(2) == (isAsked ? nil : language.prefix(2)))
        #expect(command.environment["PULSE_DIGEST_LANGUAGE"] == (isAsked ? language : nil))
        #expect(command.environment["LANG"] == nil && command.environment["LC_ALL"] == nil)
    }

    @Test func pathsAreMadeAbsolute() throws {
        let arguments = try command("--to a@b.c --store h.sqlite --model models/x.gguf --sendmail ../msmtp").arguments
        let parent = (folder.path as NSString).deletingLastPathComponent
        #expect(arguments.contains(folder.path + "/h.sqlite"))
        #expect(arguments.contains(folder.path + "/models/x.gguf"))
        #expect(arguments.contains(parent + "/msmtp"))
        // What the environment says is the same as what an option does.
        let variables = try command(
            "--to a@b.c",
            environment: [
                "PULSE_DIGEST_STORE": "h.sqlite", "PULSE_DIGEST_MODEL": "x.gguf", "PULSE_DIGEST_SENDMAIL": "~/msmtp",
            ]
        ).environment
        #expect(
            variables == [
                "LC_MESSAGES": "en_GB", "PULSE_DIGEST_MODEL": "\(folder.path)/x.gguf",
                "PULSE_DIGEST_SENDMAIL": "~/msmtp",
                "PULSE_DIGEST_STORE": "\(folder.path)/h.sqlite",
            ])
        // A name of the catalogue, also where there is a file of that name, a path of the home folder, and an absolute
        // one stay.
        try folder.write("", to: "pulse-nano")
        let names = try command("--to a@b.c --store ~/h.sqlite --model pulse-nano --sendmail /usr/bin/msmtp").arguments
        #expect(names.contains("~/h.sqlite") && names.contains("pulse-nano") && names.contains("/usr/bin/msmtp"))
    }

    @Test func theEnvironmentItNeedsIsWrittenDown() throws {
        let environment = try command(
            "--to a@b.c",
            environment: [
                "XDG_DATA_HOME": "/data", "PULSE_DIGEST_MODEL": "m", "TZ": "Europe/Paris", "LANG": "pt_BR.UTF-8",
                "LC_ALL": "C", "SECRET": "s", "XDG_RUNTIME_DIR": "/run", "PULSE_DIGEST_HOURS": "",
                "HOME": "/somewhere/else",
            ]
        ).environment
        #expect(
            environment == [
                "HOME": "/somewhere/else", "LC_MESSAGES": "en_GB", "PULSE_DIGEST_MODEL": "m",
                "TZ": "Europe/Paris", "XDG_DATA_HOME": "/data",
            ])
        #expect(throws: PulseError.self) { try command("--to a@b.c", environment: ["TZ": "a\nb"]) }
    }

    /// A link that an update moves on is better than the file of today; a name that leads elsewhere is not.
    @Test func theProgramIsNamedAsItWasCalled() throws {
        let real = folder.file("pulse-digest-1.0")
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: real))
        chmod(real, 0o755)
        try folder.link("pulse-digest", to: real)
        #expect(try command("--to a@b.c", executable: real).program == folder.file("pulse-digest"))
        #expect(
            try command("--to a@b.c", executable: real, invokedAs: "./pulse-digest").program
                == folder.file("pulse-digest"))
        #expect(try command("--to a@b.c", executable: real, invokedAs: "other").program == real)
        #expect(try command("--to a@b.c", executable: "/else/pulse-digest").program == "/else/pulse-digest")
    }

    @Test func aSendmailOfThisShellsPathIsNamed() throws {
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder.file("sendmail")))
        chmod(folder.file("sendmail"), 0o755)
        let arguments = try command("--to a@b.c").arguments
        let hasSystems = Sendmail.places.contains(where: ProgramSearch.isProgram)
        #expect(arguments.contains(folder.file("sendmail")) == !hasSystems)
    }
}
