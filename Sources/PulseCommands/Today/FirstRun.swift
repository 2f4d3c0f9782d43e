import Foundation
import PulseApp
import PulseCore
import PulseModels
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore
import PulseText

extension Command {
    /// The command that runs if none is given; it cannot be typed.
    static let start = Command(
        // Not resolved, because it runs several commands.
        "today", summary: "the first time, get started; later, today", resolving: \.arguments
    ) { context in
        guard context.console.isInputTerminal, context.console.width != nil else {
            try await Command.today.run?(context)
            return
        }
        try await context.isNew ? context.runFirst() : context.runAgain()
    }
}

extension RawContext {
    /// A run without a command at a terminal, with a history: repeats the earlier imports, and prints a digest, of the
    /// unread entries of feeds if there is nothing else.
    fileprivate func runAgain() async throws {
        for fault in try await ImportSources(importer).importKnown(withAccounts: false) { console.say("\(fault)") }
        try tellOfAccounts()
        let context = try ofFeeds() ?? self
        let isTold = try await context.printDigest() != nil
        let offer = NightOffer(context: context)
        // Users who began with `import` or feeds were never asked; others are asked until they answer.
        if offer.state == .open || isTold && offer.state == nil { try await offer.make() }
    }

    /// Servers may be slow, so they are not asked here.
    private func tellOfAccounts() throws {
        guard try !Accounts(in: app).all().isEmpty, let last = try history.open().lastImport(),
            now.timeIntervalSince(last) > 3600
        else { return }
        noteOnTerminal("Last import: \(DateText.compact(last, in: timeZone)). To import again: pulse-digest import")
    }

    /// The first run at a terminal: imports what the user has read, shows a digest of it, and offers one each night.
    fileprivate func runFirst() async throws {
        console.say("Welcome to pulse-digest. First it needs to know what you have read.")
        do {
            try await importing.importEverything()
        } catch {
            // Goes on only if nothing was found. What failed was reported already.
            guard error.asPulseError.code == .noInput, try isNew else { throw error }
            guard try await importBrowser() else { return tellWays() }
        }
        guard history.exists else {
            console.say("There is nothing to sum up yet.")
            return tellWays()
        }
        guard let days = try app.daysWithReading() else { return console.say(try app.explainNothingNew()) }
        if days != AppEnvironment.stretches[0] {
            console.say("Nothing was read in the last two days, so this is of the last \(days):")
        }
        let offer = NightOffer(context: self)
        try offer.note(.open)
        try console.write("\n")
        let digest = try await looking(back: days).printDigest()
        // If there are only titles, a model has nothing to read.
        if digest?.sentences.isEmpty == false { try await offerTheModel() }
        try await offer.make()
    }

    /// The digest's last line said which model suits this machine.
    private func offerTheModel() async throws {
        let catalog = try ModelCatalog(in: app)
        guard settings.model.name == nil, try catalog.writer(named: nil) == nil else { return }
        if let found = catalog.offered(on: .current) {
            guard try await console.agrees(to: "You have \(found.reference). Use it from now on?") else { return }
            return try ConfigCommands(context: self).set("model", to: [found.reference])
        }
        guard let entry = catalog.recommended(on: .current),
            try await console.agrees(to: "Download \(entry.name) now?")
        else { return }
        do {
            try await with(arguments: model(settings)).pull(entry.name, from: nil)
        } catch let error as PulseError where error.code != .interrupted {
            console.say("\(error)")
        }
    }

    /// A browser's history holds all pages, so the user says which sites are news.
    ///
    /// - Returns: whether anything was imported.
    private func importBrowser() async throws -> Bool {
        guard let found = ImportSources(importer).browsers.first else { return false }
        console.say(
            "No feed reader was found on this machine, only the browsing history of \(found.kind.name) "
                + "(\(found.path)).")
        do {
            _ = try found.kind.source(at: found.path, in: importer.environment)
        } catch {
            // Without sites, the error names the most visited.
            console.say(error.asPulseError.message)
        }
        while let answer = try await console.ask(
            "On which sites do you read articles? For example: theguardian.com, or several (Enter: none) ")
        {
            guard !answer.isEmpty else { break }
            var settings = settings
            do throws(InvalidValue) {
                settings.importing.hosts = try Value.hosts(
                    answer.split { $0.isWhitespace || ",;".contains($0) }.map(String.init))
            } catch {
                console.say("Type each site as its address has it, such as theguardian.com.")
                continue
            }
            let importing = with(settings).importing
            try await importing.importArticles(
                of: importing.arguments.importer.source(found.kind, at: found.path), found.kind)
            if try !isNew { return true }
        }
        return false
    }

    /// Printed unwrapped, because it is a table.
    private func tellWays() {
        console.draw(
            style.text(
                """
                Bring your reading in with one of these, then call pulse-digest again:
                  pulse-digest import PATH            a file or a folder of your reader, an export
                  pulse-digest import miniflux URL    a server; also greader, ttrss, feedbin …
                  pulse-digest import --help          everything that it reads
                Or follow feeds, and have what is new summed up:
                  pulse-digest feeds add URL          a feed, or a page that names one
                  pulse-digest today --basis unread   a digest of their unread entries

                """))
    }
}

/// The offer of a digest every night, repeated until it is answered.
private struct NightOffer {
    let context: RawContext

    enum State: String, Codable {
        /// Not made yet, or not answered.
        case open
        case answered
    }

    private static let name = "offer.json"

    /// Nil: no first run has come this far.
    var state: State? { StateFile<State>.value(of: Self.name, below: context.locations.state) }

    func note(_ state: State) throws {
        try StateFile<State>(folder: context.app.state(), name: Self.name).write(state)
    }

    func make() async throws {
        // A run in the log, or a schedule, shows that mail is set up.
        if try RunLog.entries(below: context.locations.state).isEmpty,
            await context.schedule().installed().schedules.isEmpty
        {
            try await offer()
        }
        try note(.answered)
    }

    private func offer() async throws {
        do {
            _ = try context.settings.mail.program(in: context.app)
        } catch {
            return context.console.say(
                "To have a digest emailed every night, this machine needs a program that sends email, such as msmtp. "
                    + "Then: pulse-digest schedule install --to ADDRESS")
        }
        var settings = context.settings
        do {
            settings.isSystemd = try await context.schedule().working() == .systemd
        } catch let error as PulseError where error.code != .interrupted {
            return context.console.say(
                "For a digest by email every night, a scheduler is needed. \(error) Then: "
                    + "pulse-digest schedule install --to ADDRESS")
        }
        while let answer = try await context.console.ask(
            "\nTo get a digest of what is new by email every night, type your address (Enter: no): ")
        {
            // People may answer “no” or “yes” instead of an address.
            guard !answer.isEmpty, !["n", "no", "non", "não"].contains(answer.lowercased()) else { break }
            if !answer.contains("@"), context.console.isYes(answer) {
                context.console.say("Type the address, such as ana@example.org.")
                continue
            }
            do {
                settings.output.to = try MailAddress.list(answer)
            } catch {
                context.console.say("An address looks like ana@example.org: \(error.asPulseError.message)")
                continue
            }
            guard let time = try await time(instead: settings.timeOfDay) else { break }
            settings.timeOfDay = time
            var context = context.with(settings)
            // A schedule passes on flags, so this is added as if it had been typed.
            context.arguments.flags.append((.to, settings.to.map(\.address)))
            do {
                return try await Command.install(context.with(arguments: ScheduleInstallation(context)))
            } catch let error as PulseError where error.code != .interrupted {
                let words = settings.to.map { "--to " + ShellWord.quoted($0.address) } + ["--at", time.text]
                return context.console.say(
                    "\(error)\nTo try again: pulse-digest schedule install \(words.joined(separator: " "))")
            }
        }
        context.console.say("To have it later: pulse-digest schedule install --to ADDRESS")
    }

    private func time(instead usual: TimeOfDay) async throws -> TimeOfDay? {
        while let answer = try await context.console.ask("At what time? [\(usual.text)] ") {
            if answer.isEmpty { return usual }
            if let time = TimeOfDay(answer) { return time }
            context.console.say("A time looks like 22:00.")
        }
        return nil
    }
}

extension RawContext {
    /// Whether nothing was imported yet, and no feed or account is set up.
    fileprivate var isNew: Bool {
        get throws {
            guard history.exists else { return true }
            let store = try history.open()
            return try store.statistics().articles == 0 && store.feeds().isEmpty && Accounts(in: app).all().isEmpty
        }
    }

    /// The context with --basis unread, or read,unread if articles were opened here; nil if articles were imported as
    /// read, an account is set up, or there are no feeds.
    func ofFeeds() throws -> RawContext? {
        guard !isGiven(.basis), readerSettings.allSatisfy({ $0.digest.basis == .read }), history.exists,
            try Accounts(in: app).all().isEmpty
        else { return nil }
        let store = try history.open()
        guard try !store.hasImportedReads(), try !store.feeds().isEmpty else { return nil }
        var settings = settings
        let basis: DigestBasis = try store.statistics().articles > 0 ? .readAndUnread : .unread
        settings.digest.basis = basis
        var context = with(settings)
        // A schedule passes on flags, so this is added as if it had been typed.
        context.arguments.flags.append((.basis, [basis.rawValue]))
        return context
    }

    @discardableResult fileprivate func printDigest() async throws -> Digest? {
        try await with(arguments: PrintedDigest(self)).print()
    }

    fileprivate func looking(back days: Int) -> RawContext {
        var settings = settings
        settings.window = .hours(Double(24 * days))
        return with(settings)
    }
}
