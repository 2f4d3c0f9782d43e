import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct AccountsTests {
    private let home: TemporaryFolder
    private let server: LoopbackServer
    private let url: String

    /// A Miniflux that knows one user.
    init() throws {
        home = try TemporaryFolder()
        server = try LoopbackServer { request, _ in
            guard request.headers["x-auth-token"] == "k3y-of-ana" else { return LoopbackResponse(status: 401) }
            return LoopbackResponse(body: Array(#"{"id":1,"username":"ana"}"#.utf8))
        }
        url = server.url("reader/v1/")
    }

    private func context(
        input: Int32? = nil, error: Int32? = nil, _ change: (inout Settings) -> Void = { _ in }
    ) throws -> Context {
        var settings = Settings()
        settings.storePath = home.file("history.sqlite")
        settings.isQuiet = true
        change(&settings)
        let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        return Context(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
            console: Console(input: input ?? null, error: error ?? null, environment: [:]), environment: environment,
            now: Date(timeIntervalSince1970: 1_795_291_200), timeZone: .gmt)
    }

    private func keyFile(_ key: String = "k3y-of-ana") throws -> String {
        let path = try home.write(key + "\n", to: "key")
        chmod(path, 0o600)
        return path
    }

    private func failure(_ url: String?, _ kind: String = "miniflux", in context: Context) async -> PulseError? {
        do throws(PulseError) {
            _ = try await Accounts.setUp(kind: kind, url: url, in: context)
            return nil
        } catch {
            return error
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Every file that this program wrote.
    private func written() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: home.file(".config"))
        return names.map { home.file(".config/" + $0) }
            .filter { (try? mode($0)) != nil && !$0.hasSuffix("/pulse-digest") && !$0.hasSuffix("/keys") }
    }

    @Test func whatIsSetUpOnceNeedsNothingMore() async throws {
        let path = try keyFile()
        let account = try await Accounts.setUp(kind: "miniflux", url: url, in: context { $0.keyFile = path })
        #expect(account.user == "ana" && account.url == server.url("reader"))
        #expect(account.origin == "miniflux:ana@127.0.0.1:\(server.port)/reader")
        let plain = try context()
        #expect(try await Accounts.setUp(kind: "miniflux", url: nil, in: plain) == account)
        #expect(try await Accounts.setUp(kind: "miniflux", url: url, in: plain) == account)
        #expect(try Accounts(plain).all() == [account])
        #expect(try mode(Accounts(plain).path) == 0o600)
        for file in try written() { #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("k3y")) }
        _ = try account.source(in: plain)
        try Accounts.forget(kind: "miniflux", url: url, in: plain)
        #expect(try Accounts(plain).all().isEmpty)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    private func fault(forgetting url: String?, _ kind: String = "miniflux", in context: Context) -> PulseError? {
        do throws(PulseError) {
            try Accounts.forget(kind: kind, url: url, in: context)
            return nil
        } catch {
            return error
        }
    }

    @Test func aTrialForgetsNothing() async throws {
        let path = try keyFile()
        let account = try await Accounts.setUp(kind: "miniflux", url: url, in: context { $0.keyFile = path })
        #expect(try fault(forgetting: nil, in: context { $0.isDryRun = true }) == nil)
        #expect(try Accounts(context()).all() == [account])
        #expect(try fault(forgetting: nil, in: context()) == nil)
        #expect(try Accounts(context()).all().isEmpty)
    }

    @Test func whatCannotBeForgottenIsSaid() async throws {
        let none = try #require(try fault(forgetting: nil, in: context()))
        #expect(none.code == .noInput && none.hint == nil)
        let path = try keyFile()
        let account = try await Accounts.setUp(kind: "miniflux", url: url, in: context { $0.keyFile = path })
        for user in [nil, "rui"] {
            let error = try fault(
                forgetting: user == nil ? "https://rss.example" : url, in: context { $0.user = user })
            #expect(error?.code == .noInput && error?.hint?.description.contains(account.origin) == true)
        }
        #expect(try fault(forgetting: nil, "minitlux", in: context())?.code == .usage)
        let name = try fault(forgetting: "alice", "bluesky", in: context())
        #expect(name?.code == .usage && name?.description.contains("no name on Bluesky") == true)
        #expect(try Accounts(context()).all() == [account])
    }

    @Test func aCommandMayPrintTheKey() async throws {
        let context = try context { $0.keyCommand = "printf 'k3y-%s\\n' of-ana" }
        #expect(try await Accounts.setUp(kind: "miniflux", url: url, in: context).user == "ana")
    }

    @Test func aKeyThatIsTypedIsNotShownAndKeptApart() async throws {
        let terminal = try PseudoTerminal()
        let context = try context(input: terminal.terminal, error: terminal.terminal)
        async let account = Accounts.setUp(kind: "miniflux", url: url, in: context)
        // What is typed before the question is thrown away with it.
        try await terminal.wait(for: "(not shown): ")
        terminal.type("k3y-of-ana")
        let set = try await account
        try await terminal.wait(for: "\n")
        #expect(terminal.shown.hasPrefix("API key at 127.0.0.1") && !terminal.shown.contains("k3y"))
        var state = termios()
        tcgetattr(terminal.terminal, &state)
        #expect(state.c_lflag & tcflag_t(ECHO) != 0)
        let key = try #require(try written().first { $0.contains("/keys/") })
        #expect(try mode(key) == 0o600 && mode(home.file(".config/pulse-digest/keys")) == 0o700)
        #expect(try String(contentsOfFile: key, encoding: .utf8) == "k3y-of-ana\n")
        #expect(try !String(contentsOfFile: Accounts(context).path, encoding: .utf8).contains("k3y"))
        try Accounts(context).remove(set)
        #expect(!FileManager.default.fileExists(atPath: key))
    }

    @Test func aWrongKeyIsNotRemembered() async throws {
        let path = try keyFile("another")
        let context = try context { $0.keyFile = path }
        let error = try #require(await failure(url, in: context))
        #expect(error.code == .permission && error.description.contains("did not accept the key"))
        #expect(!error.description.contains("another"))
        #expect(try Accounts(context).all().isEmpty)
    }

    @Test func whatCannotBeAskedIsSaid() async throws {
        let context = try context()
        #expect(await failure(url, in: context)?.description.contains("Use --key-file PATH or --key-command") == true)
        #expect(await failure(nil, in: context)?.description.contains("No Miniflux is set up yet") == true)
        #expect(await failure("https://ana:secret@rss.example", in: context)?.description.contains("secret") == false)
        #expect(await failure("::", in: context)?.description.contains("no address of a server") == true)
        #expect(await failure("http://rss.example", in: context)?.description.contains("Use https") == true)
        #expect(await failure(nil, "feedbin", in: context)?.description.contains("Use --user NAME") == true)
    }

    @Test func aFileThatCannotBeUnderstoodIsNotOverwritten() async throws {
        let path = try keyFile()
        let context = try context { $0.keyFile = path }
        try FileManager.default.createDirectory(
            atPath: home.file(".config/pulse-digest"), withIntermediateDirectories: true)
        try home.write("{ nonsense", to: ".config/pulse-digest/accounts.json")
        #expect(await failure(url, in: context)?.code == .configuration)
        #expect(try String(contentsOfFile: Accounts(context).path, encoding: .utf8) == "{ nonsense")
    }

    /// What an import goes on from must not outlive what it brought.
    @Test func clearingTheHistoryForgetsHowFarImportsCame() async throws {
        let path = try keyFile()
        let context = try context {
            $0.keyFile = path
            $0.isConfirmed = true
        }
        let account = try await Accounts.setUp(kind: "miniflux", url: url, in: context)
        let memory = try ImportMemory(in: context)
        try memory.save(Data("1".utf8), for: account.origin)
        let store = try context.store(.readWrite)
        try store.noteImport(from: account.origin, at: context.now)
        #expect(Doctor(context: context).sources().text.contains("\(account.origin) (last import 2026-11-21)"))
        _ = consume store
        let clear = try #require(try Parser(commands: Program.commands).parse(["history", "clear"]).command)
        try await clear.run?(context)
        #expect(try memory.load(account.origin) == nil)
        #expect(try Accounts(context).all() == [account])
        #expect(Doctor(context: context).sources().text.contains("\(account.origin) (never imported)"))
    }

    @Test func eachAccountOfEachHistoryHasAMemory() throws {
        let memory = try ImportMemory(in: context())
        try memory.save(Data("1".utf8), for: "miniflux:ana@x")
        try memory.save(Data("2".utf8), for: "miniflux:rui@x")
        #expect(try memory.load("miniflux:ana@x") == Data("1".utf8))
        #expect(try memory.load("miniflux:eva@x") == nil)
        let other = try ImportMemory(in: context { $0.storePath = home.file("other.sqlite") })
        #expect(try other.load("miniflux:ana@x") == nil)
        let trial = try ImportMemory(in: context { $0.isDryRun = true })
        try trial.save(Data("3".utf8), for: "miniflux:ana@x")
        #expect(try trial.load("miniflux:ana@x") == Data("1".utf8))
    }
}
