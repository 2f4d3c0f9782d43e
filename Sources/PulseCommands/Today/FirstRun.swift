import Foundation
import PulseCore
import PulseModels
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore

extension Command {
    /// What the bare name stands for; no word names it.
    static let start = Command("today", summary: "the first time, get started; later, today") {
        context throws(PulseError) in
        guard context.console.isInputTerminal, context.console.width != nil else {
            try await Command.today.run?(context)
            return
        }
        let isFirst = !FileManager.default.fileExists(atPath: context.storePath)
        try await isFirst ? FirstRun(context: context).run() : LaterRun(context: context).run()
    }
}

/// The bare name at a terminal, where there is a history: what was imported before is imported again, and the digest
/// is of what waits in feeds where nothing else can be told.
private struct LaterRun {
    let context: Context

    func run() async throws(PulseError) {
        var silent = context.settings
        silent.isQuiet = true
        for fault in try await ImportEverything(context: context.with(silent)).importKnown(withAccounts: false) {
            context.console.say("\(fault)")
        }
        try tellOfAccounts()
        let ofFeeds = try context.ofFeeds()
        let isTold = try await DigestPrinter(context: ofFeeds ?? context).run()
        let offer = NightOffer(context: ofFeeds ?? context)
        // Who came by feeds was never asked; others are asked again where they gave no answer.
        if offer.state == .open || ofFeeds != nil && isTold && offer.state == nil { try await offer.make() }
    }

    /// Servers may be slow, so they are not asked by the way.
    private func tellOfAccounts() throws(PulseError) {
        guard try !Accounts(context).all().isEmpty,
            let last = try context.reading({ store throws(PulseError) in try store.lastImport() }),
            context.now.timeIntervalSince(last) > 3600
        else { return }
        context.noteOnTerminal(
            "Imported last: \(DateText.compact(last, in: context.timeZone)). To ask your server: pulse-digest import")
    }
}

/// The first time somebody calls the program at a terminal: brings in what they have read, shows them a digest of it,
/// and offers one each night.
struct FirstRun {
    let context: Context

    func run() async throws(PulseError) {
        context.console.say("Welcome to pulse-digest. First it needs to know what you have read.")
        do throws(PulseError) {
            try await ImportEverything(context: context).run()
        } catch {
            // Where there is nothing to be found, what can be done is told in whole; what failed was told by itself.
            guard error.code == .noInput, !hasHistory else { throw error }
            guard try await importBrowser() else { return tellWays() }
        }
        guard hasHistory else {
            context.console.say("So far there is nothing to sum up.")
            return tellWays()
        }
        guard let days = try context.stretch() else { return context.console.say(try context.whatCameIn()) }
        if days != Context.stretches[0] {
            context.console.say("Nothing was read in the last two days, so this is of the last \(days):")
        }
        let offer = NightOffer(context: context)
        try offer.note(.open)
        try context.console.write("\n")
        try await DigestPrinter(context: context.looking(back: days)).run()
        try await offerTheModel()
        try await offer.make()
    }

    /// The digest's last line said which model suits this machine.
    private func offerTheModel() async throws(PulseError) {
        let files = try ModelFiles(context: context)
        guard context.settings.model == nil, try files.writer() == nil,
            let entry = files.catalog.recommended(on: ModelFiles.machine), files.catalog.elsewhere(entry).isEmpty,
            try await context.console.agrees(to: "Download \(entry.name) now?")
        else { return }
        do throws(PulseError) {
            try await ModelCommands(context: context).pull(entry.name)
        } catch {
            if error.code == .interrupted { throw error }
            context.console.say("\(error)")
        }
    }

    /// A browser's history is of everything that was seen, so its owner says which sites are news.
    ///
    /// - Returns: whether anything was imported.
    private func importBrowser() async throws(PulseError) -> Bool {
        guard let found = context.browsers.first else { return false }
        context.console.say(
            "There is no reader on this machine, but the history of \(found.kind.name) (\(found.path)).")
        do throws(PulseError) {
            _ = try found.kind.source(at: found.path, in: Importer(context: context).environment)
        } catch {
            // Without sites it only says which were visited most.
            context.console.say(error.message)
        }
        while let answer = try await context.console.ask(
            "On which sites do you read articles? Such as theguardian.com, or several (Enter: none) ")
        {
            guard !answer.isEmpty else { break }
            var settings = context.settings
            do throws(InvalidValue) {
                settings.hosts = try Value.hosts(
                    answer.split { $0.isWhitespace || ",;".contains($0) }.map(String.init))
            } catch {
                context.console.say("Type each site as its address has it, such as theguardian.com.")
                continue
            }
            try await Importer(context: context.with(settings)).run(found.kind, path: found.path)
            return true
        }
        return false
    }

    private var hasHistory: Bool { FileManager.default.fileExists(atPath: context.storePath) }

    /// As it stands here, and not wrapped, because it is a table.
    private func tellWays() {
        context.console.draw(
            context.style.text(
                """
                Bring your reading in with one of these, then call pulse-digest again:
                  pulse-digest import PATH            a file or a folder of your reader, an export
                  pulse-digest import miniflux URL    a server; also greader, ttrss, feedbin …
                  pulse-digest import --help          everything that it reads
                Or follow feeds, and have what is new summed up:
                  pulse-digest feeds add URL          a feed, or a page that names one
                  pulse-digest today --basis unread   a digest of what waits in them

                """))
    }
}

/// The offer of a digest every night. It is made until it was answered.
private struct NightOffer {
    let context: Context

    enum State: String, Codable {
        /// It is to be made, or was and nobody answered.
        case open
        case answered
    }

    private static let name = "offer.json"

    /// Nil: nobody came to it.
    var state: State? {
        (try? WholeFile.read(context.locations.state + "/" + Self.name)).flatMap {
            try? StateFile<State>.decoder.decode(State.self, from: $0)
        }
    }

    func note(_ state: State) throws(PulseError) {
        try StateFile<State>(folder: context.state(), name: Self.name).write(state)
    }

    func make() async throws(PulseError) {
        // Who has a schedule needs no other.
        if try RunLog.entries(below: context.locations.state).isEmpty { try await offer() }
        try note(.answered)
    }

    private func offer() async throws(PulseError) {
        let environment = context.environment
        do throws(PulseError) {
            _ = try Sendmail(
                at: context.settings.sendmail, environment: environment, timeout: context.settings.sendTimeout)
        } catch {
            return context.console.say(
                "To have a digest emailed every night, this machine needs a program that sends mail, such as msmtp. Then: "
                    + "pulse-digest schedule install --to ADDRESS")
        }
        var settings = context.settings
        while let answer = try await context.console.ask(
            "\nEmail you a digest of what is new every night? To which address? (Enter: no) ")
        {
            guard !answer.isEmpty else { break }
            do throws(PulseError) {
                settings.to = try MailAddress.list(answer)
            } catch {
                context.console.say("\(error)")
                continue
            }
            guard let time = try await time(instead: settings.timeOfDay) else { break }
            settings.timeOfDay = time
            var context = context.with(settings)
            // A schedule hands on what was given, as if it had been typed.
            context.flags.append((.to, settings.to.map(\.address)))
            return try await ScheduleCommands(context: context).install()
        }
        context.console.say("To have it later: pulse-digest schedule install --to ADDRESS")
    }

    private func time(instead usual: TimeOfDay) async throws(PulseError) -> TimeOfDay? {
        while let answer = try await context.console.ask("At what time? [\(usual.text)] ") {
            if answer.isEmpty { return usual }
            if let time = TimeOfDay(answer) { return time }
            context.console.say("A time is written as in 22:00.")
        }
        return nil
    }
}

extension Context {
    /// The histories of browsers on this machine.
    var browsers: [SourceFinder.Found] {
        SourceFinder.all(in: Importer(context: self).environment, withBrowsers: true).filter(\.kind.isBrowser)
    }

    /// Why there is no digest of what was read lately: what there is, of when, and the command that shows it.
    func whatCameIn() throws(PulseError) -> Message {
        let (statistics, waiting, hasFeeds, hasReaders) = try reading { store throws(PulseError) in
            (
                try store.statistics(), try store.unread().count, try !store.feeds().isEmpty,
                try !store.origins().isEmpty
            )
        }
        if let first = statistics.firstReadAt, let last = statistics.lastReadAt {
            let days = [first, last].map { Day($0, in: timeZone).text }
            let articles = Counted.text(statistics.articles, "article", "articles")
            let came: Message =
                days[0] == days[1]
                ? "Nothing was read lately: there are \(articles), read on \(days[1])."
                : "Nothing was read lately: there are \(articles), read between \(days[0]) and \(days[1])."
            let since = try stretch().map { "\($0)d" } ?? days[1]
            return [
                came,
                " To sum them up: pulse-digest today --since \(since). What you read from now on counts once it is "
                    + "imported.",
            ].joined()
        }
        if waiting > 0 {
            return "Nothing was read yet, but \(Counted.text(waiting, "entry waits", "entries wait")) in your feeds: "
                + "pulse-digest today --basis unread"
        }
        if hasFeeds {
            return "Nothing was read yet, and nothing has come into your feeds. To ask them: "
                + "pulse-digest feeds refresh"
        }
        return hasReaders
            ? "Nothing is marked as read there yet. To have what is new summed up, follow its feeds here: export them "
                + "from your reader as OPML (newsboat -e > feeds.opml), then call pulse-digest feeds import-opml "
                + "feeds.opml, and pulse-digest feeds refresh."
            : "Nothing was read yet. To bring your reading in: pulse-digest import. To follow a feed: "
                + "pulse-digest feeds add URL"
    }

    /// The same for what waits in feeds, where that is all that there can be; nil where it is not.
    func ofFeeds() throws(PulseError) -> Context? {
        guard !isGiven(.basis), readers.allSatisfy({ $0.settings.basis == .read }),
            FileManager.default.fileExists(atPath: storePath),
            try reading({ store throws(PulseError) in
                let isUnread = try store.statistics().articles == 0
                return try isUnread ? !store.feeds().isEmpty : false
            }),
            try Accounts(self).all().isEmpty
        else { return nil }
        var settings = settings
        settings.basis = .unread
        var context = with(settings)
        // A schedule hands on what was given, as if it had been typed.
        context.flags.append((.basis, [Basis.unread.rawValue]))
        return context
    }

    /// How many days back a first digest looks, until there is something.
    fileprivate static let stretches = [2, 7, 30, 365]

    /// Nil where there is nothing.
    func stretch() throws(PulseError) -> Int? {
        try reading { store throws(PulseError) in
            for days in Self.stretches {
                let period = Period(hours: Double(24 * days), endingAt: now)
                if try !store.readings(in: period).isEmpty { return days }
            }
            return nil
        }
    }

    fileprivate func looking(back days: Int) -> Context {
        var settings = settings
        settings.window = .hours(Double(24 * days))
        return with(settings)
    }
}
