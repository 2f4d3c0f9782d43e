import Foundation
import PulseTestSupport
import Testing

/// The script that finds libllama, up to the point where it would build.
@Suite(.timeLimit(.minutes(20))) struct SetupTests {
    private let sandbox: Sandbox
    private let script: String
    private let answer: String

    init() throws {
        sandbox = try Sandbox()
        script = Repository.root.appendingPathComponent("Sources/CLlama/setup.sh").path
        answer = sandbox.folder.file("build/llama.env")
        sandbox.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        sandbox.environment["PULSE_DIGEST_CACHE"] = sandbox.folder.file("cache")
    }

    private func setup() throws -> Outcome { try sandbox.shell("sh '\(script)' '\(answer)'") }

    /// A folder that looks like an installed llama.cpp.
    private func prefix() throws -> String {
        try sandbox.folder.makeFolder("prefix/lib/pkgconfig")
        for file in ["include/llama.h", "lib/libllama.so"] { try sandbox.folder.write("", to: "prefix/" + file) }
        return sandbox.folder.file("prefix")
    }

    @Test func aPrefixIsTaken() throws {
        let prefix = try prefix()
        sandbox.environment["LLAMA_PREFIX"] = prefix
        try setup().ends(0)
        let written = try String(contentsOfFile: answer, encoding: .utf8)
        #expect(written.contains("LLAMA_LIB='\(prefix)/lib'") && written.contains("LLAMA_COPY='yes'"))
        let flags = try sandbox.shell(
            ". '\(answer)' && PKG_CONFIG_PATH=$LLAMA_PKGCONFIG pkg-config --cflags --libs llama")
        #expect(flags.output.contains("-I\(prefix)/include") && flags.output.contains("-lllama"))
    }

    @Test(arguments: [("include/llama.h", "no include/llama.h"), ("lib/libllama.so", "no lib/libllama.so")])
    func aPrefixThatIsNoneIsRefused(file: String, words: String) throws {
        let prefix = try prefix()
        sandbox.environment["LLAMA_PREFIX"] = prefix
        try FileManager.default.removeItem(atPath: prefix + "/" + file)
        try setup().ends(1, words)
        #expect(!FileManager.default.fileExists(atPath: answer))
    }

    @Test func pkgConfigIsAsked() throws {
        let prefix = try prefix()
        let file = "libdir=\(prefix)/lib\nName: llama\nDescription: x\nVersion: 9\nLibs: -L${libdir} -lllama\n"
        try Data(file.utf8).write(to: URL(fileURLWithPath: prefix + "/lib/pkgconfig/llama.pc"))
        sandbox.environment["PKG_CONFIG_PATH"] = prefix + "/lib/pkgconfig"
        try setup().ends(0, "from pkg-config")
        #expect(try String(contentsOfFile: answer, encoding: .utf8).contains("LLAMA_LIB='\(prefix)/lib'"))
    }

    /// A PATH with nothing on it but what the script itself is written with, and swift; apt-get and sudo only note what
    /// they were asked.
    private func bareMachine(user: Int) throws {
        let tools = sandbox.folder.file("tools")
        try sandbox.shell(
            """
            mkdir '\(tools)' && cd '\(tools)' && for tool in sh swift sed mkdir dirname uname cat head cksum tr; do
                path=$(command -v $tool) && ln -s "$path" $tool; done; true
            """
        ).ends(0)
        try sandbox.folder.writeProgram("#!/bin/sh\necho apt-get \"$@\" >> '\(calls)'\n", to: "tools/apt-get")
        try sandbox.folder.writeProgram("#!/bin/sh\necho sudo >> '\(calls)'\n\"$@\"\n", to: "tools/sudo")
        try sandbox.folder.writeProgram("#!/bin/sh\necho \(user)\n", to: "tools/id")
        sandbox.environment["PATH"] = tools
        sandbox.environment["PKG_CONFIG_PATH"] = nil
    }

    private var calls: String { sandbox.folder.file("calls") }

    /// What is missing is told all at once, with the command that brings it.
    @Test func whatIsMissingIsToldWithItsCommand() throws {
        try bareMachine(user: 1000)
        sandbox.environment["INSTALL"] = "no"
        let outcome = try sandbox.shell("/bin/sh '\(script)' '\(answer)'").ends(1, "these are missing")
        for word in ["pkg-config", "SQLite", "libxml2", "python3", "sudo apt-get install"] {
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: answer))
        #expect(!FileManager.default.fileExists(atPath: calls))
    }

    @Test(arguments: [(0, ""), (1000, "sudo\n")])
    func whatIsMissingIsInstalled(user: Int, sudo: String) throws {
        try bareMachine(user: user)
        let outcome = try sandbox.shell("/bin/sh '\(script)' '\(answer)' tests")
        let said = try String(contentsOfFile: calls, encoding: .utf8)
        #expect(
            said.hasPrefix("\(sudo)apt-get update -qq\n\(sudo)apt-get install -y -qq pkg-config libsqlite3-dev"),
            "\(said)")
        #expect(said.contains(" sqlite3") && !said.contains("msmtp"))
        // These only note what they were asked, so it is missing still, and nobody asks twice.
        #expect(outcome.status == 1 && outcome.errors.contains("after that, these are still missing"))
        #expect(!FileManager.default.fileExists(atPath: answer))
    }

    @Test func withoutSwiftNothingElseIsAsked() throws {
        sandbox.environment["PATH"] = "/nowhere"
        try sandbox.shell("/bin/sh '\(script)' '\(answer)'").ends(1, "swift.org/install")
    }
}
