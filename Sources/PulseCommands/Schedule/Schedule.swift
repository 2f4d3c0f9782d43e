import Foundation
import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let schedule = Command(
        "schedule", summary: "email the digest every day: install, show, remove, log", implied: "show",
        subcommands: [
            Command(
                "install", summary: "email the digest every day",
                details: """
                    Adds an entry to your crontab, or a systemd timer (on macOS, a launchd agent), that runs today \
                    --send. The options of today that you give here are used each time, and so are your present \
                    language and the variables XDG_*, PULSE_DIGEST_* and TZ if they are set. Installing again replaces \
                    the first schedule. With --prepare, a model writes ahead what the digest will need, in the two \
                    hours before it.
                    """,
                options: [Option.at, .systemd, .prepare, .plan].headed("Schedule")
                    + Command.today.options.filter { !isForToday($0) }
            ) { context throws(PulseError) in
                try await ScheduleCommands(context: context).install()
            },
            Command("show", summary: "show the schedule, its next run and how the last one ended") {
                context throws(PulseError) in
                try await ScheduleCommands(context: context).show()
            },
            Command("remove", summary: "remove the schedule", options: [.plan]) { context throws(PulseError) in
                try await ScheduleCommands(context: context).remove()
            },
            Command("log", summary: "list past runs and how they ended", options: [.limit, .format([.text, .json])]) {
                context throws(PulseError) in
                try await ScheduleCommands(context: context).log()
            },
        ])

    /// What `schedule install` takes for itself and does not hand on.
    static let scheduleOnly: [Option] = [.at, .systemd, .prepare, .plan, .quiet, .verbose, .color]

    /// What a schedule gives by itself, what is about one run, and what puts a digest elsewhere than into a mail.
    private static func isForToday(_ option: Option) -> Bool {
        [Option.send, .scheduled, .again, .dryRun, .date, .week, .output, .speak].map(\.name).contains(option.name)
    }
}

/// What `schedule` does.
struct ScheduleCommands {
    let context: Context
    /// What is used where nobody asks for another.
    var usual = ScheduleKind.usual

    func install() async throws(PulseError) {
        if let ofFeeds = try context.ofFeeds() {
            context.note(
                "Nothing was read yet, so the digest will be of what waits in your feeds, as with --basis unread.")
            return try await ScheduleCommands(context: ofFeeds, usual: usual).install()
        }
        let settings = context.settings
        try context.requireMailFormat()
        try context.requireOneWindow()
        for reader in context.readerSettings { _ = try Reader.recipients(of: reader.to) }
        try requireMovingWindow()
        if settings.isPrepared, try !Preparation.hasWriter(for: context.mailReaders(), in: context.app) {
            throw PulseError(
                .usage, "--prepare is for a model that writes, and there is none.",
                hint: "To see which there are: pulse-digest models. Or leave out --prepare.")
        }
        let chosen = settings.isSystemd ? ScheduleKind.systemd : usual
        guard let schedule = schedules.first(where: { $0.kind == chosen }) else {
            throw PulseError(
                .usage, "This system has no \(chosen.rawValue), but \(usual.rawValue).", hint: "Leave out --systemd.")
        }
        let command = try ScheduledCommand(
            for: context, by: chosen, in: FileManager.default.currentDirectoryPath,
            invokedAs: context.programName)
        if settings.isDryRun {
            try context.console.write(try await schedule.preview(command, at: settings.timeOfDay))
            return
        }
        await warn(of: command)
        let notes = try await schedule.install(command, at: settings.timeOfDay)
        // One at a time: two would each make the digest, and one of them find it sent.
        for other in schedules where other.kind != chosen {
            do throws(PulseError) {
                if try await other.installed() != nil { try await remove(other) }
            } catch {
                if error.code == .interrupted { throw error }
                // Such as cron's, where the user may have no crontab: no matter of the one that was installed.
                context.note(
                    "It is not known whether \(other.kind.rawValue) has a schedule, too. \(error)")
            }
        }
        let names = context.readerSettings.map(Context.name).joined(separator: ", ")
        context.note("A digest will be emailed to \(names) every day at \(settings.timeOfDay.text).")
        if context.isGiven(.to), let leftOut { context.note(leftOut) }
        if settings.isPrepared {
            context.note("In the two hours before, what a model has to write is written ahead, at the lowest priority.")
        }
        for note in notes { context.note(note) }
        if settings.from == nil {
            let sender = Sender.address(environment: context.environment).address
            context.note(
                "It will be from \(sender). Most mail providers want your own address: pulse-digest schedule "
                    + "install with the same options and --from you@example.org")
        }
        if let preview = try preview(of: command) {
            context.note("To see the email first: \(preview)")
        } else if settings.digest.basis != .bookmarks, try Accounts(in: context.app).all().isEmpty {
            context.note(
                "So far there is nothing to send. To bring your reading in: pulse-digest import. To follow a feed: "
                    + "pulse-digest feeds add URL")
        }
        context.note("To see the schedule: pulse-digest schedule show")
    }

    /// The command that prints what will be mailed, or something like it where there is nothing new; nil where there is
    /// nothing at all.
    private func preview(of command: ScheduledCommand) throws(PulseError) -> String? {
        guard context.history.exists, let reader = try context.mailReaders().first,
            let recipient = try reader.recipients().first
        else { return nil }
        let window = DigestWindow(of: reader.request, for: recipient, in: context.app)
        let hasNews = try context.reading { store throws(PulseError) in try !window.readings(in: store).1.isEmpty }
        // Behind `today --send --scheduled KIND`.
        let options = command.arguments.dropFirst(4).map(ShellWord.quoted)
        if hasNews { return (["pulse-digest today --send --dry-run"] + options).joined(separator: " ") }
        guard let days = try RecentReading(in: context.app).days() else { return nil }
        return "pulse-digest today --format email --since \(days)d --to \(ShellWord.quoted(recipient.address))"
    }

    /// A digest since one fixed day would be longer every night.
    private func requireMovingWindow() throws(PulseError) {
        guard case .since(let text) = context.settings.window else { return }
        let starts = try [0, 8].map { (days: Double) throws(PulseError) in
            let night = context.now.addingTimeInterval(days * 86_400)
            return try DateWords(now: night, calendar: context.calendar).moment(text, for: "--since")
        }
        guard starts[0] == starts[1] else { return }
        throw PulseError(
            .usage, "--since \(text) means the same day every night, so the digest would grow.",
            hint: "Leave it out: each email then has what no earlier one had.")
    }

    func remove() async throws(PulseError) {
        var isEmpty = true
        var faults: [PulseError] = []
        for schedule in schedules {
            do throws(PulseError) {
                guard let installed = try await schedule.installed() else { continue }
                isEmpty = false
                if context.settings.isDryRun {
                    try context.console.write("\(installed.kind.rawValue): \(PlainText.line(installed.entry))\n")
                } else {
                    try await remove(schedule)
                }
            } catch {
                faults.append(error)
            }
        }
        // The first is told as the command's own end.
        for fault in faults.dropFirst() { context.note("\(fault)") }
        if let fault = faults.first { throw fault }
        if isEmpty { context.note("Nothing was scheduled.") }
    }

    func show() async throws(PulseError) {
        var rows: [ScheduleRow] = []
        var commands: [String] = []
        var faults: [PulseError] = []
        for schedule in schedules {
            do throws(PulseError) {
                guard let installed = try await schedule.installed() else { continue }
                commands.append(installed.command)
                rows.append(
                    ScheduleRow(
                        scheduler: installed.kind.rawValue, entry: installed.entry,
                        time: installed.time.map { "\($0.text) (\(installed.zone.identifier))" },
                        next: installed.next(after: context.now), preparation: installed.preparation,
                        idle: installed.idle))
            } catch {
                faults.append(error)
            }
        }
        // That nothing is scheduled is not known then.
        if rows.isEmpty, let fault = faults.first { throw fault }
        for fault in faults { context.note("\(fault)") }
        let state = context.locations.state
        try context.console.write(
            ScheduleText.show(
                rows, last: try RunLog.entries(below: state).last.map(RunRow.init), imported: lastImport(),
                kept: Outbox.count(below: state), amiss: rows.isEmpty ? [] : await amiss(commands),
                style: context.style))
    }

    /// Whom the next digest is for, where there are several, and what would keep it from coming, or from being whole.
    private func amiss(_ commands: [String]) async -> [(Message, Message)] {
        var amiss: [(Message, Message)] = []
        if let names = context.readerNames { amiss.append(("readers", names)) }
        do throws(PulseError) {
            try await sendmail().requireAccount()
        } catch {
            amiss.append(("mail", "\(error)"))
        }
        amiss += commands.compactMap(leftOut).map { ("no mail", $0) }
        if let silent = try? SilentSource.all(in: context.app), !silent.isEmpty {
            amiss.append(("nothing new", silent.map(\.text).joined(separator: ", ")))
        }
        return amiss
    }

    /// The profiles that a schedule leaves out, because it names its recipient, though they have an address; nil: none.
    private var leftOut: Message? {
        let names = context.profiles.filter { !$0.to.isEmpty }.map(\.profile).joined(separator: ", ")
        guard !names.isEmpty else { return nil }
        return "The schedule names its recipient with --to, so it leaves out the profiles \(names). "
            + "To mail them too: pulse-digest schedule install without --to"
    }

    /// Nil also where a schedule's command names no recipient.
    func leftOut(by command: String) -> Message? { command.contains(/(^|[\s"'>])--to[\s"'=<]/) ? leftOut : nil }

    private func sendmail() throws(PulseError) -> Sendmail {
        try context.settings.mail.program(in: context.app)
    }

    func log() async throws(PulseError) {
        let rows = try RunLog.entries(below: context.locations.state).suffix(context.settings.limit).map(RunRow.init)
        try await context.page(
            context.settings.format == .json ? ScheduleText.json(rows) : ScheduleText.log(rows, style: context.style))
        if rows.isEmpty { context.noteOnTerminal("No digest has been emailed yet.") }
    }

    /// Nil also where there is no history that can be read: `show` is about the schedule.
    private func lastImport() -> Date? {
        try? context.reading { store throws(PulseError) in try store.lastImport() }
    }

    private func remove(_ schedule: any DailySchedule) async throws(PulseError) {
        try await schedule.remove()
        context.note("The \(schedule.kind.rawValue) schedule was removed.")
    }

    var schedules: [any DailySchedule] {
        let cron = CronSchedule(environment: context.environment, timeZone: context.timeZone, now: context.now)
        let units = (context.locations.configuration as NSString).deletingLastPathComponent + "/systemd/user"
        let systemd = SystemdSchedule(folder: units, environment: context.environment, timeZone: context.timeZone)
        guard usual == .launchd else { return [cron, systemd] }
        return [
            LaunchdSchedule(
                home: context.locations.home, environment: context.environment, timeZone: context.timeZone,
                now: context.now), cron,
        ]
    }

    private func warn(of command: ScheduledCommand) async {
        if command.program.contains("/.build/") {
            context.note(
                "\(command.program) is in a build folder, which make clean deletes. Better: make install, and schedule "
                    + "the installed program.")
        }
        do throws(PulseError) {
            try await sendmail().requireAccount()
        } catch {
            context.note("\(error)")
        }
    }
}

extension RunRow {
    fileprivate init(_ entry: RunLog.Entry) {
        self.init(
            time: entry.time, outcome: entry.outcome.rawValue, exit: Int(entry.exit), articles: entry.articles,
            messages: entry.messages, seconds: entry.seconds, message: entry.message)
    }
}
