import Foundation
import PulseCore
import PulsePlatform
package import PulseSources
import PulseText

package struct Account: Codable, Hashable, Sendable {
    /// The name of its `ServerKind`.
    let kind: String
    let url: String
    let user: String
    /// Nil: the data is public.
    let key: KeyPlace?
    /// Whether the user said that the key may be sent unencrypted; nil: no.
    var allowsPlainHTTP: Bool?

    /// Where its key or its password is. It is never kept among the accounts.
    enum KeyPlace: Codable, Hashable, Sendable {
        /// A file that this program wrote, in the folder of keys.
        case stored(name: String)
        case file(path: String)
        /// A command line that prints it.
        case command(String)
    }

    /// The name under which its articles are in the history.
    package var origin: String { serverKind?.origin(address: url, user: user) ?? "\(kind):\(user)@\(url)" }

    var serverKind: ServerKind? { ServerKind.all.first { $0.name == kind } }

    /// The articles that were read there. Neither the server nor the key is used before the first batch.
    ///
    /// - Parameter isForgetful: Whether the sync cursor is not saved, because nothing is stored.
    package func source(in app: AppEnvironment, isForgetful: Bool = false) throws -> any ArticleSource {
        guard let serverKind else {
            throw PulseError(
                .configuration, "\(Accounts(in: app).path) has an account of the kind “\(PlainText.line(kind))”.",
                hint: "This version of pulse-digest knows only \(ServerKind.all.map(\.name).joined(separator: ", ")). "
                    + "Update it, or remove that account from the file.")
        }
        return BatchingSource(
            serverKind.source(
                address: url, allowsPlainHTTP: allowsPlainHTTP ?? false, credentials: credentials(in: app),
                client: Accounts.client, memory: try SyncCursorFiles(in: app, isForgetful: isForgetful), now: app.now))
    }

    /// The error if its key is no longer accepted; nil if it is, or if its server does not say.
    func refusal(in app: AppEnvironment) async throws -> PulseError? {
        guard key != nil, let serverKind else { return nil }
        do {
            _ = try await serverKind.signIn(
                address: url, allowsPlainHTTP: allowsPlainHTTP ?? false, credentials: credentials(in: app),
                client: Accounts.client)
            return nil
        } catch let error as PulseError where error.code != .interrupted {
            return [.permission, .noInput, .cannotRead, .configuration].contains(error.code) ? error : nil
        }
    }

    func credentials(in app: AppEnvironment) -> Credentials {
        let keys = Accounts(in: app).keys
        return Credentials(user: user) { [key] in
            switch key {
            case .stored(let name): try Secret.fromFile(keys + "/" + name)
            case .file(let path): try Secret.fromFile(path)
            case .command(let command): try await Secret.fromCommand(command, environment: app.variables)
            case nil:
                throw PulseError(
                    .configuration, "The account has no key.",
                    hint: "Set it up again; pulse-digest import --help says how.")
            }
        }
    }
}

/// The servers that were set up: `accounts.json` beside the settings, of mode 0600, and a folder with the typed keys.
package struct Accounts: Sendable {
    private let app: AppEnvironment
    package let path: String
    let keys: String

    package init(in app: AppEnvironment) {
        self.app = app
        path = app.locations.configuration + "/accounts.json"
        keys = app.locations.configuration + "/keys"
    }

    /// Limits of one answer, which may hold whole books. `BatchingSource.Share` limits all answers of an import.
    static var client: CurlClient {
        var policy = CurlClient.Policy()
        policy.totalTimeout = .seconds(60)
        policy.sizeLimit = 64 << 20
        return CurlClient(policy)
    }

    private struct File: Codable {
        var accounts: [Account] = []
    }

    /// In the order in which they were set up.
    package func all() throws -> [Account] {
        guard let bytes = try AtomicFile.read(path) else { return [] }
        guard let file = try? JSONDecoder().decode(File.self, from: bytes) else {
            throw PulseError(
                .configuration, "\(path) cannot be understood.",
                hint: "Correct it; or delete it, and set up the accounts again.")
        }
        return file.accounts
    }

    /// The accounts of a kind; if an address is given, only those at that address.
    func find(kind: String, url: String? = nil) throws -> [Account] {
        try all().filter { $0.kind == kind && (url == nil || $0.url == url) }
    }

    /// Stores an account, in the place of one with the same origin, whose key is deleted if it is no longer used.
    func add(_ account: Account) throws {
        let before = try all().first { $0.origin == account.origin }?.key
        try change { accounts in
            if let known = accounts.firstIndex(where: { $0.origin == account.origin }) {
                accounts[known] = account
            } else {
                accounts.append(account)
            }
        }
        if case .stored(let name) = before, account.key != before { try AtomicFile.remove(keys + "/" + name) }
    }

    /// Deletes an account, its key and its sync cursor. What was imported stays.
    func remove(_ account: Account) throws {
        try change { $0.removeAll { $0.origin == account.origin } }
        if case .stored(let name) = account.key { try AtomicFile.remove(keys + "/" + name) }
        try SyncCursorFiles(in: app).forget(account.origin)
    }

    /// Deletes the sync cursors of all accounts for this history. Does nothing if the accounts cannot be read.
    func forgetImports() throws {
        guard let accounts = try? all(), !accounts.isEmpty else { return }
        let memory = try SyncCursorFiles(in: app)
        for account in accounts { try memory.forget(account.origin) }
    }

    private func change(_ change: (inout [Account]) -> Void) throws {
        try AtomicFile.makeFolder((path as NSString).deletingLastPathComponent)
        try FileLock(waitingFor: path + ".lock").hold {
            var file = File(accounts: try all())
            change(&file.accounts)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            guard let bytes = try? encoder.encode(file) else { preconditionFailure("accounts that cannot be encoded") }
            try AtomicFile.write(bytes + Data("\n".utf8), to: path, mode: 0o600)
        }
    }

    func store(_ key: Secret, for origin: String) throws -> Account.KeyPlace {
        try AtomicFile.makeFolder(keys)
        guard chmod(keys, 0o700) == 0 else {
            throw PulseError("Cannot make \(keys) unreadable for other users", errno: errno)
        }
        let name = ShortHash.of(origin)
        try AtomicFile.write(Data((key.revealed() + "\n").utf8), to: keys + "/" + name, mode: 0o600)
        return .stored(name: name)
    }
}

/// The sync cursors: a file for each account and history, in the state folder.
struct SyncCursorFiles: SyncCursorStore {
    private let folder: StateFolder
    private let history: String
    /// Whether cursors are not saved, because nothing is stored either.
    private let isForgetful: Bool

    init(in app: AppEnvironment, isForgetful: Bool = false) throws {
        folder = try app.state().folder("imports")
        history = app.history.identity
        self.isForgetful = isForgetful
    }

    func load(_ origin: String) throws -> Data? { try folder.read(name(origin)) }

    func save(_ data: Data, for origin: String) throws {
        if !isForgetful { try folder.write(data, to: name(origin)) }
    }

    func forget(_ origin: String) throws { try folder.remove(name(origin)) }

    /// A short hash, because users and addresses may have any characters.
    private func name(_ origin: String) -> String { ShortHash.of("\(origin)\n\(history)") + ".json" }
}
