import Foundation
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConfigTests {
    private let sandbox: Sandbox
    private let path: String

    init() throws {
        sandbox = try Sandbox()
        path = sandbox.configuration
        try sandbox.folder.makeFolder("home/.config/pulse-digest")
    }

    private func run(_ line: String) throws -> Outcome {
        try sandbox.run(["config"] + line.split(separator: " ").map(String.init))
    }

    private func write(_ text: String) throws { try sandbox.configure(text) }

    private var file: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    @Test func everySettingIsListedWithItsSource() throws {
        try write("{ hours: 24 }")
        let lines = try run("list --verbose").output.split(separator: "\n").map { $0.split(separator: " ") }
        func row(_ name: String) -> [Substring] { lines.first { $0[0] == name } ?? [] }
        #expect(row("hours")[1...2] == ["24", "file"] && row("threads")[1...2] == ["1", "environment"])
        #expect(row("verbose")[1...2] == ["true", "flag"] && row("maxStories")[1...] == ["25", "default", "25"])
        let object = try run("list --format json").object() as? [String: [[String: String]]]
        #expect(object?["settings"]?.first { $0["name"] == "hours" }?["from"] == "file")
        #expect(try run("path").output == path + "\n")
    }

    /// Settings that are there and cannot be read are not taken for none, nor replaced.
    @Test func whatCannotBeReadIsNotTakenForNothing() throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: path, withDestinationPath: sandbox.folder.file("gone/config.json"))
        for words in ["get hours", "set hours 3", "list"] {
            #expect(try run(words).status != 0, "\(words)")
        }
        #expect(try sandbox.run("history", "list").status == 78)
        #expect(try files.destinationOfSymbolicLink(atPath: path).hasSuffix("gone/config.json"))
        try files.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let pipe = try run("set hours 3")
        #expect(
            pipe.status == 78 && pipe.errors.contains("is not a regular file.\nCheck what is there"), "\(pipe.errors)")
        #expect(try sandbox.run("today").errors == pipe.errors)
        try files.removeItem(atPath: path)
        try write("{ hours: 24, hours: 12 }")
        try run("get hours").ends(78, "line 1, column 14: “hours” appears here a second time")
    }

    @Test func aSettingIsChangedAndTheRestStays() async throws {
        try write("// mine\n{\n  hours: 24, // a day\n}\n")
        #expect(try run("set maxStories 30").status == 0)
        #expect(try run("set follow cycling orchestra").status == 0)
        #expect(try run("set --quiet=true").status == 64)
        #expect(
            file == "// mine\n{\n  hours: 24, // a day\n  maxStories: 30,\n  follow: [\"cycling\", \"orchestra\"],\n}\n"
        )
        #expect(try run("get follow").output == "cycling\norchestra\n")
        #expect(try run("get max-stories").output == "30\n")
        #expect(try run("unset maxStories").status == 0)
        // Who sits at the terminal is told.
        let said = try await sandbox.talk([], with: ["config", "unset", "follow"])
        #expect(said.hasPrefix("follow is no longer set in"), "\(said)")
        #expect(file == "// mine\n{\n  hours: 24, // a day\n}\n")
    }

    @Test func whatCannotBeUsedIsSetAndToldOf() throws {
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        try sandbox.importSample()
        for line in ["guardianKeyFile /nowhere", "pulseKeyFile /nowhere", "muteSource Nobody", "section Nobody"] {
            try run("set " + line).ends(0, "It is set, but cannot be used now.")
        }
        for line in ["muteSource Marquee", "section Marquee", "section sports", "section Esportes"] {
            try run("set " + line).ends(0, errors: "")
        }
    }

    @Test func aProfileInUseStays() throws {
        try write("{ profile: 'ana', profiles: { ana: { hours: 5 } } }")
        try run("unset profiles.ana").ends(64, "First: pulse-digest config unset profile")
        try write("{ profile: 'ana' }")
        try run("get hours").ends(78, "config set profiles.ana.KEY VALUE", "config unset profile")
        try run("set profiles.ana.hours 5").ends(0)
        #expect(try run("get hours").output == "5\n")
    }

    @Test func aBrokenFileIsToldByItsLineAndLeftAlone() throws {
        let broken = "{\n  hours: 24\n  maxStories: 30\n}\n"
        try write(broken)
        for line in ["list", "set hours 1"] {
            try run(line).ends(78, "line 2, column 12")
        }
        #expect(file == broken)
        // An unknown setting is in the way of everything but can be removed.
        try write("{ hour: 24 }")
        #expect(try run("unset hour").status == 0)
        #expect(file == "{ }")
        // Of an address, only that it is somebody else's.
        try write("{ hour: 24, profiles: { ana: { to: 'ana@b.c' } } }")
        #expect(try run("set to ana@b.c").status == 78)
        #expect(try run("set to me@b.c").status == 0)
        #expect(file == "{ hour: 24, profiles: { ana: { to: 'ana@b.c' } }, to: \"me@b.c\" }")
    }

    /// The file is made for its owner alone, and what an editor makes of it is checked.
    @Test func theEditorsWorkIsChecked() throws {
        #expect(try run("set to ana@example.org").status == 0)
        #expect(file == "{\n  \"to\": \"ana@example.org\"\n}\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        sandbox.environment["EDITOR"] = "printf '{ hours: 0 }' >"
        #expect(try run("edit").status == 78)
        sandbox.environment["VISUAL"] = "printf '{ hours: 5 }' >"
        #expect(try run("edit").status == 0)
        #expect(file == "{ hours: 5 }")
        sandbox.environment["VISUAL"] = "false"
        #expect(try run("edit").status == 69)
    }
}
