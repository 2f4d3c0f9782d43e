import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands

/// Accounts as somebody at a terminal sets them up, and what other commands do with them.
@Suite(.timeLimit(.minutes(20))) struct AccountCommandsTests {
    private let home: TemporaryFolder
    private let server: LoopbackServer
    private let url: String

    /// A Miniflux that knows one user.
    init() throws {
        home = try TemporaryFolder()
        server = try .minifluxOfAna()
        url = server.url("reader/v1/")
    }

    private func context(
        input: Int32? = nil, error: Int32? = nil, _ change: (inout Settings) -> Void = { _ in }
    ) throws -> RawContext {
        var settings = Settings()
        settings.storePath = home.file("history.sqlite")
        settings.isQuiet = true
        change(&settings)
        let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        return RawContext(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
            console: Console(input: input ?? null, error: error ?? null, environment: [:]), environment: environment,
            now: Date(timeIntervalSince1970: 1_795_291_200), timeZone: .gmt)
    }

    @Test func aKeyThatIsTypedIsNotShownAndKeptApart() async throws {
        let terminal = try PseudoTerminal()
        let context = try context(input: terminal.terminal, error: terminal.terminal)
        async let account = context.accountSetup.setUp(kind: "miniflux", url: url)
        // What is typed before the question is thrown away with it.
        try await terminal.wait(for: "(not shown): ")
        terminal.type("k3y-of-ana")
        let set = try await account
        try await terminal.wait(for: "\n")
        #expect(terminal.shown.hasPrefix("API key at 127.0.0.1") && !terminal.shown.contains("k3y"))
        var state = termios()
        tcgetattr(terminal.terminal, &state)
        #expect(state.c_lflag & tcflag_t(ECHO) != 0)
        let key = try #require(try home.settingsFiles().first { $0.contains("/keys/") })
        #expect(try home.mode(of: key) == 0o600 && home.mode(of: home.file(".config/pulse-digest/keys")) == 0o700)
        #expect(try String(contentsOfFile: key, encoding: .utf8) == "k3y-of-ana\n")
        #expect(try !String(contentsOfFile: Accounts(in: context.app).path, encoding: .utf8).contains("k3y"))
        try Accounts(in: context.app).remove(set)
        #expect(!FileManager.default.fileExists(atPath: key))
    }

    /// What an import goes on from must not outlive what it brought.
    @Test func clearingTheHistoryForgetsHowFarImportsCame() async throws {
        let path = try home.keyFile()
        let context = try context {
            $0.account.keyFile = path
            $0.isConfirmed = true
        }
        let account = try await context.accountSetup.setUp(kind: "miniflux", url: url)
        let memory = try SyncCursorFiles(in: context.app)
        try memory.save(Data("1".utf8), for: account.origin)
        let store = try context.history.open(.readWrite)
        try store.noteImport(from: account.origin, at: context.now)
        #expect(context.doctor().checkSources().text.contains("\(account.origin) (last import 2026-11-21)"))
        _ = consume store
        let clear = try #require(try Parser(commands: Program.commands).parse(["history", "clear"]).command)
        try await clear.run?(context)
        #expect(try memory.load(account.origin) == nil)
        #expect(try Accounts(in: context.app).all() == [account])
        #expect(context.doctor().checkSources().text.contains("\(account.origin) (never imported)"))
    }
}
