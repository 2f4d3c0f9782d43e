import Foundation
import PulseCore
import PulsePlatform
import PulseSources
import PulseText

/// An account's user, and the place of its key, as the options give them.
package struct AccountSettings: Sendable {
    package var user: String?
    package var keyFile: String?
    package var keyCommand: String?
    /// Whether the key may be sent unencrypted without a question.
    package var isConfirmed = false

    package init() {}
}

package struct AccountSetup: Sendable {
    private let app: AppEnvironment
    private let accounts: Accounts
    private var settings: AccountSettings
    /// Nil: there is nobody to ask.
    private let questioner: (any Questioner)?
    private let reporter: Reporter

    package init(in app: AppEnvironment, settings: AccountSettings, questioner: (any Questioner)?, reporter: Reporter) {
        self.app = app
        accounts = Accounts(in: app)
        self.settings = settings
        self.questioner = questioner
        self.reporter = reporter
    }

    /// The stored account; or a new one, whose key the server has accepted, if there is none, if the stored key is
    /// refused, or if --key-file or --key-command is given.
    /// - Parameter url: As it was typed; nil: the only account of the kind, or the kind's one address. For a public
    ///   kind, the user's name.
    package func setUp(kind name: String, url: String?) async throws -> Account {
        let (kind, setup, address) = try meant(kind: name, url: url)
        let isToldAnew = settings.keyFile != nil || settings.keyCommand != nil
        if !isToldAnew, let account = try setup.known(kind, at: address) {
            // A user who gave its address and can be asked may have another key.
            guard url != nil, questioner != nil, let refusal = try await account.refusal(in: app) else {
                return account
            }
            reporter.problem(refusal.message)
        }
        guard let address else {
            throw PulseError(
                .usage, "No \(kind.program) account is set up yet.",
                hint: "Name its address: pulse-digest import \(name) \(kind.example)")
        }
        return try await setup.new(kind, at: address)
    }

    /// Forgets an account, named as for `setUp`.
    ///
    /// - Parameter isDryRun: Whether the account is only named, and stays.
    package func forget(kind name: String, url: String?, isDryRun: Bool) throws {
        let (kind, setup, address) = try meant(kind: name, url: url)
        guard let account = try setup.known(kind, at: address) else {
            let others = try accounts.find(kind: kind.name).map(\.origin).joined(separator: ", ")
            throw PulseError(
                .noInput, "There is no such account of \(kind.program).",
                hint: others.isEmpty ? nil : "Those that are set up: \(others).")
        }
        guard !isDryRun else {
            reporter.note("The account \(account.origin) would be forgotten.")
            return
        }
        try accounts.remove(account)
        reporter.note("The account \(account.origin) is forgotten. What was imported from it stays.")
    }

    /// Resolves the operands: the kind, this setup with the user in the address, and the account's address.
    private func meant(
        kind name: String, url: String?
    ) throws -> (kind: ServerKind, setup: AccountSetup, address: String?) {
        guard let kind = ServerKind.all.first(where: { $0.name == name }) else {
            throw PulseError(.usage, "There is no kind of account called “\(PlainText.line(name))”.")
        }
        guard kind.isPublic, let url, !url.contains("://") || kind.userName(url) != nil else {
            return (kind, self, try self.address(url, of: kind))
        }
        guard let user = kind.userName(url) else {
            throw PulseError(
                .usage, "“\(PlainText.line(url, limit: 200))” is not a name on \(kind.program).",
                hint: "A handle looks like the name of a host, such as alice.bsky.social.")
        }
        var setup = self
        setup.settings.user = user
        return (kind, setup, try setup.address(nil, of: kind))
    }

    /// The only account of a kind, at the address if one is given; nil: there is none.
    private func known(_ kind: ServerKind, at address: String?) throws -> Account? {
        let user = settings.user
        let known = try accounts.find(kind: kind.name, url: address).filter { user == nil || $0.user == user }
        guard known.count < 2 else {
            throw PulseError(
                .usage, "There are several accounts: \(known.map(\.origin).joined(separator: ", ")).",
                hint: "Name one by its URL and with --user.")
        }
        return known.first
    }

    /// The server's address. Nil if none was typed, unless the kind has one address only and no account is stored.
    private func address(_ url: String?, of kind: ServerKind) throws -> String? {
        guard let url else {
            let user = settings.user
            let isKnown = try accounts.find(kind: kind.name).contains { user == nil || $0.user == user }
            return !isKnown && kind.hasOneAddress ? kind.example : nil
        }
        guard let address = kind.address(url) else {
            throw PulseError(
                .usage, "“\(PlainText.line(WebURL.withoutUser(url), limit: 200))” is not the address of a server.",
                hint: "It should look like \(kind.example)")
        }
        guard URLComponents(string: url)?.password == nil else {
            throw PulseError(
                .usage, "A password in an address can be seen by other users of this machine.",
                hint: "Leave it out; you will be asked for it. For scripts there are --key-file and --key-command.")
        }
        // For FreshRSS, the stored address has the path of its API, which people do not type.
        return try accounts.find(kind: kind.name).map(\.url).first { $0 == address + "/api/greader.php" } ?? address
    }

    private func new(_ kind: ServerKind, at address: String) async throws -> Account {
        let isPlain = try await isPlainHTTPAllowed(address)
        let host = URLComponents(string: address)?.host ?? address
        var user = settings.user ?? ""
        if kind.asksUser, user.isEmpty {
            user = try await answer(
                "User name at \(host): ", option: kind.isPublic ? "--user NAME" : "--user NAME and --key-file PATH")
        }
        let told =
            settings.keyFile.map { Account.KeyPlace.file(path: URL(fileURLWithPath: $0).standardizedFileURL.path) }
            ?? settings.keyCommand.map { Account.KeyPlace.command($0) }
        let typed =
            told == nil && !kind.isPublic
            ? try Secret(
                try await answer(
                    "\(kind.keyName) at \(host) (not shown): ", isSecret: true,
                    option: "--key-file PATH or --key-command CMD"),
                origin: "The \(kind.keyName)") : nil
        let draft = Account(kind: kind.name, url: address, user: user, key: told)
        let credentials =
            typed.map { typed in Credentials(user: user) { typed } }
            ?? draft.credentials(in: app)
        let found = try await kind.signIn(
            address: address, allowsPlainHTTP: isPlain, credentials: credentials, client: Accounts.client)
        let origin = kind.origin(address: found.address, user: found.user)
        let key = try typed.map { typed in try accounts.store(typed, for: origin) } ?? draft.key
        let account = Account(
            kind: kind.name, url: found.address, user: found.user, key: key, allowsPlainHTTP: isPlain ? true : nil)
        try accounts.add(account)
        reporter.note("The account \(account.origin) is set up. From now on: pulse-digest import")
        return account
    }

    /// Whether the key may be sent unencrypted. Asks the user, unless the server is this machine.
    private func isPlainHTTPAllowed(_ address: String) async throws -> Bool {
        guard let server = WebAddress(address), !server.isEncrypted, !server.isLoopback else { return false }
        let host = server.host
        if settings.isConfirmed { return true }
        let refusal = PulseError(
            .usage, "Without encryption, anyone between this machine and \(host) could read your key.",
            hint: "Use https. If you are sure, such as in your own network: --yes")
        guard let questioner else { throw refusal }
        guard
            try await questioner.agrees(
                to: "Anyone on the way to \(host) could read your key, since the address is not https. Go on?")
        else { throw refusal }
        return true
    }

    /// What the person at the terminal answers.
    /// - Parameter option: the option to use if there is nobody to ask.
    private func answer(_ question: Message, isSecret: Bool = false, option: Message) async throws -> String {
        guard let questioner else {
            throw PulseError(.usage, "This question needs a terminal.", hint: "Use \(option).")
        }
        guard let answer = try await questioner.ask(question, isSecret: isSecret), !answer.isEmpty else {
            throw PulseError(.usage, "Nothing was set up.")
        }
        return answer
    }
}
