import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct AccountsTests {
    private let home: TemporaryFolder
    private let server: LoopbackServer
    private let url: String

    /// A Miniflux that knows one user.
    init() throws {
        home = try TemporaryFolder()
        server = try .minifluxOfAna()
        url = server.url("reader/v1/")
    }

    private var app: AppEnvironment { AppEnvironment(home: home) }
    private var accounts: Accounts { Accounts(in: app) }

    private func setup(_ change: (inout AccountSettings) -> Void = { _ in }) -> AccountSetup {
        var settings = AccountSettings()
        change(&settings)
        return AccountSetup(in: app, settings: settings, questioner: nil, reporter: .silent)
    }

    private func failure(_ url: String?, _ kind: String = "miniflux", of setup: AccountSetup) async -> PulseError? {
        await PulseTestSupport.failure { try await setup.setUp(kind: kind, url: url) }
    }

    @Test func whatIsSetUpOnceNeedsNothingMore() async throws {
        let path = try home.keyFile()
        let account = try await setup { $0.keyFile = path }.setUp(kind: "miniflux", url: url)
        #expect(account.user == "ana" && account.url == server.url("reader"))
        #expect(account.origin == "miniflux:ana@127.0.0.1:\(server.port)/reader")
        let plain = setup()
        #expect(try await plain.setUp(kind: "miniflux", url: nil) == account)
        #expect(try await plain.setUp(kind: "miniflux", url: url) == account)
        #expect(try accounts.all() == [account])
        #expect(try home.mode(of: accounts.path) == 0o600)
        for file in try home.settingsFiles() {
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("k3y"))
        }
        _ = try account.source(in: app)
        try plain.forget(kind: "miniflux", url: url, isDryRun: false)
        #expect(try accounts.all().isEmpty)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    private func fault(
        forgetting url: String?, _ kind: String = "miniflux", isDryRun: Bool = false, by user: String? = nil
    ) -> PulseError? {
        PulseTestSupport.failure { try setup { $0.user = user }.forget(kind: kind, url: url, isDryRun: isDryRun) }
    }

    @Test func aTrialForgetsNothing() async throws {
        let path = try home.keyFile()
        let account = try await setup { $0.keyFile = path }.setUp(kind: "miniflux", url: url)
        #expect(fault(forgetting: nil, isDryRun: true) == nil)
        #expect(try accounts.all() == [account])
        #expect(fault(forgetting: nil) == nil)
        #expect(try accounts.all().isEmpty)
    }

    @Test func whatCannotBeForgottenIsSaid() async throws {
        let none = try #require(fault(forgetting: nil))
        #expect(none.code == .noInput && none.hint == nil)
        let path = try home.keyFile()
        let account = try await setup { $0.keyFile = path }.setUp(kind: "miniflux", url: url)
        for user in [nil, "rui"] {
            let error = fault(forgetting: user == nil ? "https://rss.example" : url, by: user)
            #expect(error?.code == .noInput && error?.hint?.description.contains(account.origin) == true)
        }
        #expect(fault(forgetting: nil, "minitlux")?.code == .usage)
        #expect(fault(forgetting: "alice", "bluesky").says(.usage, "not a name on Bluesky"))
        #expect(try accounts.all() == [account])
    }

    @Test func aCommandMayPrintTheKey() async throws {
        let setup = setup { $0.keyCommand = "printf 'k3y-%s\\n' of-ana" }
        #expect(try await setup.setUp(kind: "miniflux", url: url).user == "ana")
    }

    @Test func aWrongKeyIsNotRemembered() async throws {
        let path = try home.keyFile("another")
        let setup = setup { $0.keyFile = path }
        let error = try #require(await failure(url, of: setup))
        #expect(error.code == .permission && error.description.contains("did not accept the key"))
        #expect(!error.description.contains("another"))
        #expect(try accounts.all().isEmpty)
    }

    @Test func whatCannotBeAskedIsSaid() async throws {
        let setup = setup()
        #expect(await failure(url, of: setup)?.description.contains("Use --key-file PATH or --key-command") == true)
        #expect(await failure(nil, of: setup)?.description.contains("No Miniflux account is set up yet") == true)
        #expect(await failure("https://ana:secret@rss.example", of: setup)?.description.contains("secret") == false)
        #expect(await failure("::", of: setup)?.description.contains("not the address of a server") == true)
        #expect(await failure("http://rss.example", of: setup)?.description.contains("Use https") == true)
        #expect(await failure(nil, "feedbin", of: setup)?.description.contains("Use --user NAME") == true)
    }

    @Test func aFileThatCannotBeUnderstoodIsNotOverwritten() async throws {
        let path = try home.keyFile()
        let setup = setup { $0.keyFile = path }
        try home.write("{ nonsense", to: ".config/pulse-digest/accounts.json")
        #expect(await failure(url, of: setup)?.code == .configuration)
        #expect(try String(contentsOfFile: accounts.path, encoding: .utf8) == "{ nonsense")
    }

    @Test func eachAccountOfEachHistoryHasAMemory() throws {
        let memory = try SyncCursorFiles(in: app)
        try memory.save(Data("1".utf8), for: "miniflux:ana@x")
        try memory.save(Data("2".utf8), for: "miniflux:rui@x")
        #expect(try memory.load("miniflux:ana@x") == Data("1".utf8))
        #expect(try memory.load("miniflux:eva@x") == nil)
        let other = try SyncCursorFiles(in: AppEnvironment(home: home, history: home.file("other.sqlite")))
        #expect(try other.load("miniflux:ana@x") == nil)
        let trial = try SyncCursorFiles(in: app, isForgetful: true)
        try trial.save(Data("3".utf8), for: "miniflux:ana@x")
        #expect(try trial.load("miniflux:ana@x") == Data("1".utf8))
    }
}
