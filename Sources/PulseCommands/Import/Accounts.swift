import Foundation
import PulseCore
import PulsePlatform
import PulseSources
import PulseText

/// A server that somebody reads on, as it is remembered.
struct Account: Codable, Hashable, Sendable {
    /// The name of its `ServerKind`.
    let kind: String
    let url: String
    let user: String
    /// Nil: what is asked for is public.
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
    var origin: String { serverKind?.origin(address: url, user: user) ?? "\(kind):\(user)@\(url)" }

    var serverKind: ServerKind? { ServerKind.all.first { $0.name == kind } }

    /// What was read there. Nothing is asked of the server, and no key is looked for, before the first batch.
    func source(in context: Context) throws(PulseError) -> any ArticleSource {
        guard let serverKind else {
            throw PulseError(
                .configuration, "\(Accounts(context).path) has an account of the kind “\(PlainText.line(kind))”.",
                hint: "This version knows \(ServerKind.all.map(\.name).joined(separator: ", ")).")
        }
        return GatheredSource(
            serverKind.source(
                address: url, allowsPlainHTTP: allowsPlainHTTP ?? false, credentials: credentials(in: context),
                client: Accounts.client, memory: try ImportMemory(in: context), now: context.now))
    }

    /// Whether somebody at a terminal has named the address of an account whose key does not serve any more.
    fileprivate func mustBeToldAnew(_ url: String?, in context: Context) async throws(PulseError) -> Bool {
        guard url != nil, key != nil, context.console.isInputTerminal, let serverKind else { return false }
        do throws(PulseError) {
            _ = try await serverKind.signIn(
                address: self.url, allowsPlainHTTP: allowsPlainHTTP ?? false, credentials: credentials(in: context),
                client: Accounts.client)
            return false
        } catch {
            if error.code == .interrupted { throw error }
            guard [.permission, .noInput, .cannotRead, .configuration].contains(error.code) else { return false }
            context.console.say(error.message)
            return true
        }
    }

    fileprivate func credentials(in context: Context) -> Credentials {
        let keys = Accounts(context).keys
        return Credentials(user: user) { [key] () async throws(PulseError) in
            switch key {
            case .stored(let name): try Secret.fromFile(keys + "/" + name)
            case .file(let path): try Secret.fromFile(path)
            case .command(let command): try await Secret.fromCommand(command, environment: context.environment)
            case nil: throw PulseError(.configuration, "The account has no key.", hint: "Set it up again.")
            }
        }
    }
}

/// The servers that were set up: `accounts.json` in the folder of the settings, of mode 0600, and beside it a folder
/// with a file for each key that was typed in.
struct Accounts {
    private let context: Context
    let path: String
    fileprivate let keys: String

    init(_ context: Context) {
        self.context = context
        path = context.locations.configuration + "/accounts.json"
        keys = context.locations.configuration + "/keys"
    }

    /// How long and how large an answer may be: a page of entries may hold whole books. What all of them may be in an
    /// import is `GatheredSource.Share`.
    fileprivate static var client: CurlClient {
        var policy = CurlClient.Policy()
        policy.totalTimeout = .seconds(60)
        policy.sizeLimit = 64 << 20
        return CurlClient(policy)
    }

    /// As commands below `import`.
    static let kinds: [(name: String, operands: String, summary: Message, details: Message)] = ServerKind.all.map {
        let asked: Message = $0.asksUser ? "your name and the \($0.keyName)" : "the \($0.keyName)"
        let remembered: Message =
            $0.isPublic
            ? "The first time it needs your name, and remembers it."
            : "The first time it asks for \(asked), and remembers them in a file that only you can read. After that, "
                + "no URL is needed."
        return (
            name: $0.name, operands: $0.isPublic ? "[NAME]" : "[URL]", summary: $0.summary,
            details: "\($0.details)\n\n\(remembered)"
        )
    }

    private struct File: Codable {
        var accounts: [Account] = []
    }

    /// In the order in which they were set up.
    func all() throws(PulseError) -> [Account] {
        guard let bytes = try WholeFile.read(path) else { return [] }
        guard let file = try? JSONDecoder().decode(File.self, from: bytes) else {
            throw PulseError(
                .configuration, "\(path) cannot be understood.",
                hint: "Correct it; or delete it, and set up the accounts again.")
        }
        return file.accounts
    }

    /// The accounts of a kind; only those at an address where one is given.
    func find(kind: String, url: String? = nil) throws(PulseError) -> [Account] {
        try all().filter { $0.kind == kind && (url == nil || $0.url == url) }
    }

    /// Remembers an account, in the place of one with the same origin, whose key is forgotten if it is kept elsewhere
    /// now.
    func add(_ account: Account) throws(PulseError) {
        let before = try all().first { $0.origin == account.origin }?.key
        try change { accounts in
            if let known = accounts.firstIndex(where: { $0.origin == account.origin }) {
                accounts[known] = account
            } else {
                accounts.append(account)
            }
        }
        if case .stored(let name) = before, account.key != before { try WholeFile.remove(keys + "/" + name) }
    }

    /// Forgets an account, its key and how far its imports came. What was imported stays.
    func remove(_ account: Account) throws(PulseError) {
        try change { $0.removeAll { $0.origin == account.origin } }
        if case .stored(let name) = account.key { try WholeFile.remove(keys + "/" + name) }
        try ImportMemory(in: context).forget(account.origin)
    }

    /// Forgets how far the imports of every account came in this history. Accounts that cannot be read have none.
    func forgetImports() throws(PulseError) {
        guard let accounts = try? all(), !accounts.isEmpty else { return }
        let memory = try ImportMemory(in: context)
        for account in accounts { try memory.forget(account.origin) }
    }

    private func change(_ change: (inout [Account]) -> Void) throws(PulseError) {
        try WholeFile.makeFolder((path as NSString).deletingLastPathComponent)
        let lock = try FileLock(waitingFor: path + ".lock")
        try lock.hold { () throws(PulseError) in
            var file = File(accounts: try all())
            change(&file.accounts)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            guard let bytes = try? encoder.encode(file) else { preconditionFailure("accounts that cannot be encoded") }
            try WholeFile.write(bytes + Data("\n".utf8), to: path, mode: 0o600)
        }
    }

    fileprivate func store(_ key: Secret, for origin: String) throws(PulseError) -> Account.KeyPlace {
        try WholeFile.makeFolder(keys)
        guard chmod(keys, 0o700) == 0 else { throw PulseError("Closing \(keys) to other users", errno: errno) }
        let name = ShortHash.of(origin)
        try WholeFile.write(Data((key.revealed() + "\n").utf8), to: keys + "/" + name, mode: 0o600)
        return .stored(name: name)
    }
}

// MARK: Setting up

extension Accounts {
    /// The account at an address, as it is remembered or, if there is none or its key is told anew, as the user sets it
    /// up now. The server has accepted the key of a new one.
    /// - Parameter url: as it was typed; nil: the only account of the kind, or the kind's one address. Of a public
    ///   kind, the user's name.
    static func setUp(kind name: String, url: String?, in context: Context) async throws(PulseError) -> Account {
        let (kind, accounts, address) = try meant(kind: name, url: url, in: context)
        let settings = context.settings
        let isToldAnew = settings.keyFile != nil || settings.keyCommand != nil
        if !isToldAnew, let account = try accounts.known(kind, at: address) {
            guard try await account.mustBeToldAnew(url, in: context) else { return account }
        }
        guard let address else {
            throw PulseError(
                .usage, "No \(kind.program) is set up yet.",
                hint: "Name its address: pulse-digest import \(name) \(kind.example)")
        }
        return try await accounts.new(kind, at: address)
    }

    /// Forgets an account, named as for `setUp`.
    static func forget(kind name: String, url: String?, in context: Context) throws(PulseError) {
        let (kind, accounts, address) = try meant(kind: name, url: url, in: context)
        guard let account = try accounts.known(kind, at: address) else {
            let others = try accounts.find(kind: kind.name).map(\.origin).joined(separator: ", ")
            throw PulseError(
                .noInput, "There is no such account of \(kind.program).",
                hint: others.isEmpty ? nil : "Those that are set up: \(others).")
        }
        guard !context.settings.isDryRun else {
            context.note("The account \(account.origin) would be forgotten.")
            return
        }
        try accounts.remove(account)
        context.note("The account \(account.origin) is forgotten. What was imported from it stays.")
    }

    /// What somebody has named: the kind, the accounts as its user sees them, and the address that is needed to find
    /// one there or to set it up.
    private static func meant(
        kind name: String, url: String?, in context: Context
    ) throws(PulseError) -> (kind: ServerKind, accounts: Accounts, address: String?) {
        guard let kind = ServerKind.all.first(where: { $0.name == name }) else {
            throw PulseError(.usage, "There is no kind of account called “\(PlainText.line(name))”.")
        }
        guard kind.isPublic, let url, !url.contains("://") || kind.userName(url) != nil else {
            let accounts = Accounts(context)
            return (kind, accounts, try accounts.address(url, of: kind))
        }
        guard let user = kind.userName(url) else {
            throw PulseError(
                .usage, "“\(PlainText.line(url, limit: 200))” is no name on \(kind.program).",
                hint: "A handle looks like the name of a host, such as alice.bsky.social.")
        }
        var settings = context.settings
        settings.user = user
        let accounts = Accounts(context.with(settings))
        return (kind, accounts, try accounts.address(nil, of: kind))
    }

    /// The one account of a kind that is meant, at an address where one is given; nil: there is none.
    private func known(_ kind: ServerKind, at address: String?) throws(PulseError) -> Account? {
        let user = context.settings.user
        let known = try find(kind: kind.name, url: address).filter { user == nil || $0.user == user }
        guard known.count < 2 else {
            throw PulseError(
                .usage, "There are several accounts: \(known.map(\.origin).joined(separator: ", ")).",
                hint: "Name one by its URL and with --user.")
        }
        return known.first
    }

    /// Nil where none is needed, since it is known or not told.
    private func address(_ url: String?, of kind: ServerKind) throws(PulseError) -> String? {
        guard let url else {
            let user = context.settings.user
            let isKnown = try find(kind: kind.name).contains { user == nil || $0.user == user }
            return !isKnown && kind.hasOneAddress ? kind.example : nil
        }
        guard let address = kind.address(url) else {
            throw PulseError(
                .usage, "“\(PlainText.line(url, limit: 200))” is no address of a server.",
                hint: "It should look like \(kind.example)")
        }
        guard URLComponents(string: url)?.password == nil else {
            throw PulseError(
                .usage, "A password in an address can be seen by other users of this machine.",
                hint: "Leave it out; you will be asked for it. For scripts there are --key-file and --key-command.")
        }
        // FreshRSS answers a little further on than where people read, and that is what is remembered.
        return try find(kind: kind.name).map(\.url).first { $0 == address + "/api/greader.php" } ?? address
    }

    private func new(_ kind: ServerKind, at address: String) async throws(PulseError) -> Account {
        let isPlain = try await isPlainHTTPAllowed(address)
        let host = URLComponents(string: address)?.host ?? address
        var user = context.settings.user ?? ""
        if kind.asksUser, user.isEmpty {
            user = try await answer(
                "User name at \(host): ", option: kind.isPublic ? "--user NAME" : "--user NAME and --key-file PATH")
        }
        let told: Account.KeyPlace?
        if let path = context.settings.keyFile {
            told = .file(path: URL(fileURLWithPath: path).standardizedFileURL.path)
        } else {
            told = context.settings.keyCommand.map { .command($0) }
        }
        let typed =
            told == nil && !kind.isPublic
            ? try Secret(
                try await answer(
                    question(for: kind, at: host),
                    isSecret: true, option: "--key-file PATH or --key-command CMD"),
                origin: "The \(kind.keyName)") : nil
        let draft = Account(kind: kind.name, url: address, user: user, key: told)
        let credentials =
            typed.map { typed in Credentials(user: user) { () async throws(PulseError) in typed } }
            ?? draft.credentials(in: context)
        let found = try await kind.signIn(
            address: address, allowsPlainHTTP: isPlain, credentials: credentials, client: Self.client)
        let origin = kind.origin(address: found.address, user: found.user)
        let key = try typed.map { typed throws(PulseError) in try store(typed, for: origin) } ?? draft.key
        let account = Account(
            kind: kind.name, url: found.address, user: found.user, key: key, allowsPlainHTTP: isPlain ? true : nil)
        try add(account)
        context.note("The account \(account.origin) is set up. From now on: pulse-digest import")
        return account
    }

    /// Begins with a word that is a noun elsewhere.
    private func question(for kind: ServerKind, at host: String) -> Message {
        let question: Message = "\(kind.keyName) at \(host) (not shown): "
        let text = question.text(in: context.console.catalogue)
        return Message(verbatim: text.prefix(1).uppercased() + text.dropFirst())
    }

    /// Whether the key may be sent for anyone on the way to read, which is asked.
    private func isPlainHTTPAllowed(_ address: String) async throws(PulseError) -> Bool {
        guard let server = WebAddress(address), !server.isEncrypted, !server.isLoopback else { return false }
        let host = server.host
        if context.settings.isConfirmed { return true }
        let refusal = PulseError(
            .usage, "Without encryption, anyone on the way to \(host) could read your key.",
            hint: "Use https. If you are sure, such as in your own network: --yes")
        guard context.console.isInputTerminal else { throw refusal }
        guard
            try await context.console.agrees(
                to: "Anyone on the way to \(host) could read your key, since the address is not https. Go on?")
        else { throw refusal }
        return true
    }

    /// What the person at the terminal answers.
    /// - Parameter option: how to tell it where there is nobody to ask.
    private func answer(_ question: Message, isSecret: Bool = false, option: Message) async throws(PulseError) -> String
    {
        guard context.console.isInputTerminal else {
            throw PulseError(.usage, "There is no terminal to ask at.", hint: "Use \(option).")
        }
        guard let answer = try await context.console.ask(question, isSecret: isSecret), !answer.isEmpty else {
            throw PulseError(.usage, "Nothing was set up.")
        }
        return answer
    }
}
