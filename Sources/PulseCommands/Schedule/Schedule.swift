import Foundation
import PulseApp
import PulseCore
import PulseModels
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let schedule = Command(
        "schedule", summary: "email the digest every day: install, show, remove, log, retry, drop", implied: "show",
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
                options: [Option.at, .systemd, .prepare, .now, .plan].headed("Schedule")
                    + Command.today.options.filter { !isForToday($0) },
                resolving: { context in try ScheduleInstallation(context) }, run: install),
            Command(
                "show", summary: "show the schedule, its next run and how the last one ended",
                resolving: { ($0.schedule(), $0.readerNames) }, run: show),
            Command(
                "remove", summary: "remove the schedule", options: [.plan],
                resolving: { ($0.schedule(), isDryRun: $0.settings.isDryRun) }
            ) { context in
                let (schedule, isDryRun) = context.arguments
                guard isDryRun else { return try await schedule.remove() }
                let (installed, faults) = await schedule.installed()
                for timer in installed {
                    for entry in [timer.entry, timer.preparation].compactMap(\.self) {
                        try context.console.write("\(timer.kind.rawValue): \(PlainText.line(entry))\n")
                    }
                }
                try schedule.tellRemoval(ofNone: installed.isEmpty, faults)
            },
            Command(
                "log", summary: "list past runs and how they ended", options: [.limit, .format([.text, .json])],
                resolving: \.list
            ) { context in
                let (limit, isJSON) = (context.arguments.limit, context.arguments.isJSON)
                let rows = Array(try RunLog.entries(below: context.locations.state).suffix(limit))
                try await context.page(
                    isJSON: isJSON, ScheduleText.json(rows), ScheduleText.log(rows, style: context.style))
                if rows.isEmpty {
                    context.note(
                        "No digest has been emailed yet. To have one sent each night: "
                            + "pulse-digest schedule install --help")
                }
            },
            Command(
                "retry", operands: "[ADDRESS]", arity: 0...1, summary: "send now what waits or may not have arrived",
                details: """
                    If sendmail accepted a whole email and then hung or died, the email may or may not have gone out. \
                    A run on a later day sends it once more; after that, only this command does. All copies have the \
                    same Message-ID, by which most servers discard duplicates.
                    """, options: [.sendmail, .sendTimeout],
                resolving: { context in
                    DigestDelivery(to: [], by: context.settings.mail, in: context.app, reporter: context.reporter)
                }
            ) { context in
                let sent = try await context.arguments.retry(context.operands.first)
                context.note(
                    sent > 0
                        ? Counted.text(sent, "email handed to sendmail.", "emails handed to sendmail.")
                        : "Nothing waits to be sent.")
            },
            Command(
                "drop", operands: "ADDRESS", arity: 1...1, summary: "delete what waits to be sent to an address",
                details: """
                    An email that cannot be sent, such as one to a mistyped address, is tried again by each run for \
                    two weeks. The stories in it count as not yet sent to that address, unless the email may have gone \
                    out.
                    """
            ) { context in
                let dropped = try context.app.dropUnsent(to: context.operands[0])
                context.note(Counted.text(dropped, "unsent digest deleted.", "unsent digests deleted."))
            },
        ])

    /// Options that `schedule install` uses itself and does not pass on.
    static let scheduleOnly: [Option] = [.at, .systemd, .prepare, .now, .plan, .quiet, .verbose, .color]

    /// What `schedule install` does not take: what a schedule sets itself, what is for a single run, other outputs.
    private static func isForToday(_ option: Option) -> Bool {
        [Option.send, .scheduled, .again, .dryRun, .date, .week, .output, .speak, .explain].map(\.name).contains(
            option.name)
    }
}

extension Option {
    static let at = Option("at", value: "HH:MM", isSetting: false, defaultValue: "22:00", help: "time of day") {
        settings, values throws(InvalidValue) in
        let text = try Value.text(values)
        guard let time = TimeOfDay(text) else { throw InvalidValue("takes a time such as 22:00, not “\(text)”.") }
        settings.timeOfDay = time
    }
    static let plan = toggle("dry-run", \.isDryRun, help: "print what would be changed, and change nothing")
    static let systemd = toggle(
        "systemd", \.isSystemd, help: "use a systemd timer, which catches up after the machine was asleep")
    static let now = toggle("now", \.isSentNow, help: "send a first email at once, by the same command")
    static let prepare = toggle(
        "prepare", \.isPrepared, help: "prepare the digest in the two hours before, at the lowest priority")
}

extension Command {
    static func install(_ context: CommandContext<ScheduleInstallation>) async throws {
        let arguments = context.arguments
        let (schedule, command, kind) = (arguments.schedule, arguments.command, arguments.kind)
        if let basis = arguments.basisOfFeeds {
            context.note(
                "No read articles have been imported yet, so the digest will cover your feeds, as with --basis "
                    + "\(basis).")
        }
        if arguments.isDryRun {
            return try context.console.write(
                try await schedule.preview(command, by: kind, at: arguments.time, for: arguments.readers))
        }
        try await schedule.install(
            command, by: kind, at: arguments.time, for: arguments.readers, isSentNow: arguments.isSentNow)
        guard arguments.isSentNow else { return }
        let status = try await TerminalProgram.run(
            ShellWord.quoted(command.program), command.spoken,
            environment: context.environment.merging(command.environment) { $1 })
        guard status == 0 else {
            throw PulseError(
                PulseError.Code(rawValue: status) ?? .unavailable, "The first email did not go out.",
                hint: "The schedule is installed. To change its options, install it again.")
        }
    }

    private static func show(_ context: CommandContext<(DigestSchedule, Message?)>) async throws {
        let (schedule, readers) = context.arguments
        let (installed, faults) = await schedule.installed()
        // A timer that cannot be read may still be installed.
        if installed.isEmpty, let fault = faults.first { throw fault }
        for fault in faults { context.note("\(fault)") }
        let state = context.locations.state
        // The schedule is shown even if the history cannot be read.
        let imported = try? context.history.open().lastImport()
        let obstacles = installed.isEmpty ? [] : await schedule.obstacles(to: installed)
        try context.console.write(
            ScheduleText.show(
                installed, now: context.now, last: try RunLog.entries(below: state).last, imported: imported ?? nil,
                kept: Outbox.count(below: state), to: Outbox.recipients(below: state),
                unanswered: Outbox.unanswered(below: state),
                amiss: installed.isEmpty ? [] : [readers.map { ("readers", $0) }].compactMap(\.self) + obstacles,
                style: context.style))
    }
}

enum ScheduleText {
    /// - Parameters:
    ///   - now: the time after which the next run is looked for.
    ///   - imported: the time of the last import; nil: never.
    ///   - kept: the number of messages that wait to be sent, and to whom.
    ///   - unanswered: the recipients of messages that may have gone out.
    ///   - amiss: known problems, each with its subject.
    static func show(
        _ timers: [InstalledTimer], now: Date, last: RunLog.Entry?, imported: Date?, kept: Int,
        to recipients: [String] = [], unanswered: [String] = [], amiss: [(Message, Message)] = [],
        style: TextStyle
    ) -> String {
        var facts: [(Message, Message)] = []
        for timer in timers {
            let time = timer.time.map { "\($0.text) (\(timer.zone.identifier))" }
            facts.append(
                ("\(timer.kind.rawValue)", time.map { "every day at \($0)" } ?? "changed by hand; see the entry"))
            facts.append(("entry", "\(PlainText.line(timer.entry))"))
            if let preparation = timer.preparation { facts.append(("prepare", "\(PlainText.line(preparation))")) }
            if let idle = timer.idle { facts.append(("warning", idle)) }
            if let next = timer.next(after: now) {
                facts.append(("next run", "\(DateText.compact(next, in: style.timeZone))"))
            }
        }
        if timers.isEmpty {
            facts.append(("nothing is scheduled", ""))
            facts.append(
                ("to install", Message(verbatim: "pulse-digest schedule install --at 22:00 --to you@example.org")))
        }
        if let last { facts.append(("last run", "\(line(last, style: style))")) }
        if let imported { facts.append(("last import", "\(DateText.compact(imported, in: style.timeZone))")) }
        if kept > 0 {
            let waiting = Counted.text(kept, "message waits", "messages wait")
            let whom: Message = recipients.isEmpty ? "" : ": \(recipients.joined(separator: ", "))"
            facts.append(
                (
                    "not sent",
                    "\(waiting)\(whom). To send what waits now: pulse-digest schedule retry. To delete what waits for "
                        + "an address: pulse-digest schedule drop ADDRESS"
                ))
        }
        if let text = Outbox.text(ofUnanswered: unanswered) { facts.append(("may have gone out", text)) }
        return style.facts(facts + amiss)
    }

    /// One line for each run, the newest last.
    static func log(_ rows: [RunLog.Entry], style: TextStyle) -> String {
        rows.map { line($0, style: style) + "\n" }.joined()
    }

    static func json(_ rows: [RunLog.Entry]) -> String { JSONText.render(rows) }

    private static func line(_ row: RunLog.Entry, style: TextStyle) -> String {
        let seconds: Message = row.seconds < 10 ? .decimal(row.seconds) : "\(Int(row.seconds.rounded()))"
        let outcome = outcome(row.outcome)
        var facts: [Message] = [row.exit == 0 ? outcome : "\(outcome) (\(row.exit))"]
        if row.articles > 0 { facts.append(Counted.text(row.articles, "article", "articles")) }
        if row.messages > 0 { facts.append(Counted.text(row.messages, "email", "emails")) }
        facts.append("\(seconds) s")
        let message = row.message.isEmpty ? "" : ": " + PlainText.line(row.message)
        return DateText.compact(row.time, in: style.timeZone) + "  " + style.text(facts.joined(separator: ", "))
            + message
    }

    private static func outcome(_ word: String) -> Message {
        switch word {
        case "repeated": "skipped: already sent today"
        case "sent": "handed to sendmail"
        case "empty": "empty"
        case "failed": "failed"
        case "interrupted": "interrupted"
        default: Message(verbatim: word)
        }
    }
}

extension RawContext {
    /// - Parameter usual: The default timer.
    func schedule(usual: TimerKind = .usual) -> DigestSchedule {
        DigestSchedule(
            by: settings.mail, profiles: profiles.filter { !$0.to.isEmpty }.map(\.profile), usual: usual, in: app,
            reporter: reporter)
    }
}

struct ScheduleInstallation: Sendable {
    let schedule: DigestSchedule
    let command: ScheduledCommand
    let kind: TimerKind
    let time: TimeOfDay
    let readers: [DigestReader]
    let isDryRun: Bool
    let isSentNow: Bool
    /// The digest's basis, if it covers feeds because there is nothing else.
    let basisOfFeeds: String?

    init(_ given: RawContext, usual: TimerKind = .usual) throws {
        let ofFeeds = try given.ofFeeds()
        let context = ofFeeds ?? given
        let settings = context.settings
        try context.requireMailFormat()
        try context.requireOneWindow()
        for reader in context.readerSettings { _ = try reader.to.recipients() }
        try context.requireMovingWindow()
        kind = settings.isSystemd ? TimerKind.systemd : usual
        schedule = context.schedule(usual: usual)
        command = try ScheduledCommand(for: context, by: kind, in: FileManager.default.currentDirectoryPath)
        time = settings.timeOfDay
        readers = try context.mailReaders()
        isDryRun = settings.isDryRun
        isSentNow = settings.isSentNow
        basisOfFeeds = ofFeeds?.settings.digest.basis.rawValue
    }
}

extension RawContext {
    /// A digest since one fixed day would be longer every night.
    fileprivate func requireMovingWindow() throws {
        guard case .since(let text) = settings.window else { return }
        let starts = try [0, 8].map { (days: Double) in
            let night = now.addingTimeInterval(days * 86_400)
            return try DateWords(now: night, calendar: calendar).moment(text, for: "--since")
        }
        guard starts[0] == starts[1] else { return }
        throw PulseError(
            .usage, "--since \(text) means the same day every night, so the digest would grow.",
            hint: "Leave it out: each email then has what no earlier one had.")
    }
}

extension ScheduledCommand {
    /// - Parameter folder: The base of relative paths.
    init(for context: RawContext, by scheduler: TimerKind, in folder: String) throws {
        let program = Self.program(context, in: folder)
        let scheduled = ["--scheduled", scheduler.rawValue]
        let arguments = ["today", "--send"] + scheduled + Self.options(context, of: .today, in: folder)
        let preparation =
            context.settings.isPrepared
            ? ["prepare"] + scheduled + Self.options(context, of: .prepare, in: folder) : nil
        let environment = Self.environment(context, in: folder)
        for text in [program] + arguments + (preparation ?? []) + environment.flatMap({ [$0.key, $0.value] })
        where text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
            throw PulseError(.usage, "A schedule cannot hold a line break or another control character.")
        }
        self.init(program: program, arguments: arguments, preparation: preparation, environment: environment)
    }

    /// The path it was called by, if that is the same file: a link survives an update, unlike the file of this version.
    private static func program(_ context: RawContext, in folder: String) -> String {
        let (name, file) = (context.arguments.programName, context.locations.executable)
        let called =
            name.contains("/") ? absolute(name, in: folder) : ProgramSearch(environment: context.environment).find(name)
        guard let called, resolved(called) == resolved(file) else { return file }
        return called
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// `arguments` without `--scheduled`, so that a user who watches sees the notes.
    var spoken: [String] { Array(arguments.prefix(2) + arguments.dropFirst(4)) }

    // MARK: - Options

    /// The options of `schedule install` that belong to the scheduled command.
    private static func options(_ context: RawContext, of command: Command, in folder: String) -> [String] {
        let known = Set(command.allOptions.map(\.name)).subtracting(Command.scheduleOnly.map(\.name))
        var words: [String] = []
        for (option, values) in context.flags where known.contains(option.name) {
            for value in values {
                guard option.value != nil else {
                    words.append(value == "true" ? "--\(option.name)" : "--\(option.name)=\(value)")
                    continue
                }
                let value = portable(value, of: option, in: folder)
                words += value.hasPrefix("-") ? ["--\(option.name)=\(value)"] : ["--\(option.name)", value]
            }
        }
        // A sendmail that is found only in this shell's PATH.
        if known.contains(Option.sendmail.name), !context.isGiven(.sendmail), context.settings.mail.sendmail == nil,
            let found = ProgramSearch(environment: context.environment).find("sendmail", first: Sendmail.places),
            !Sendmail.places.contains(found)
        {
            words += ["--sendmail", found]
        }
        return words
    }

    /// An option's value; a path is made absolute.
    private static func portable(_ value: String, of option: Option, in folder: String) -> String {
        let isPath =
            switch option.kind {
            case .plain: false
            case .path: true
            case .nameOrPath: ModelCatalog.isPath(value)
            }
        return isPath && !value.hasPrefix("~") ? absolute(value, in: folder) : value
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : URL(fileURLWithPath: folder + "/" + path).standardizedFileURL.path
    }

    // MARK: - Environment

    private static let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TZ"]

    private static func environment(_ context: RawContext, in folder: String) -> [String: String] {
        let all = context.environment
        var kept = all.filter { (names.contains($0.key) || $0.key.hasPrefix("PULSE_DIGEST_")) && !$0.value.isEmpty }
        // An empty TZ is UTC (tzset(3)).
        kept["TZ"] = all["TZ"]
        // With a fixed clock, a schedule would send one digest and no other.
        kept[Program.clockVariable] = nil
        for option in Command.today.allOptions {
            kept[option.environmentName] = kept[option.environmentName].map { portable($0, of: option, in: folder) }
        }
        // Only the shell's language, not its whole locale. A language that is set later takes precedence.
        if !context.isGiven(.language), kept[Option.language.environmentName] == nil {
            kept["LC_MESSAGES"] = context.settings.language.locale
        }
        // Schedulers take HOME from the user database.
        if let home = all["HOME"], !home.isEmpty, home != homeOfUser() { kept["HOME"] = home }
        return kept
    }

    private static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}
