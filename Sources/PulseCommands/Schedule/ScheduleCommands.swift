import Foundation
import PulseCore
import PulseRendering
import PulseSchedule
import PulseText

/// What `schedule` does.
struct ScheduleCommands {
    let context: Context
    /// What is used where nobody asks for another.
    var usual = Scheduler.usual

    func install() async throws(Failure) {
        let settings = context.settings
        try context.requireMailFormat()
        guard !settings.to.isEmpty else {
            throw Failure(
                .usage, "schedule install needs to know whom to mail the digest to: --to you@example.org")
        }
        let chosen = settings.isSystemd ? Scheduler.systemd : usual
        guard let schedule = schedules.first(where: { $0.scheduler == chosen }) else {
            throw Failure(
                .usage, "\(chosen.rawValue) is not of this system; \(usual.rawValue) is: leave --systemd out.")
        }
        let command = try ScheduledCommand(
            for: context, by: chosen, in: FileManager.default.currentDirectoryPath,
            invokedAs: context.programName)
        if settings.isDryRun {
            try context.console.write(
                try await asking { () throws(ScheduleError) in
                    try await schedule.preview(command, at: settings.timeOfDay)
                })
            return
        }
        warn(of: command)
        let notes = try await asking { () throws(ScheduleError) in
            try await schedule.install(command, at: settings.timeOfDay)
        }
        // One at a time: two would each make the digest, and one of them find it sent.
        for other in schedules where other.scheduler != chosen {
            do throws(Failure) {
                if try await installed(by: other) != nil { try await remove(other) }
            } catch {
                if error.code == .interrupted { throw error }
                // Such as cron's, where the user may have no crontab: no matter of the one that was installed.
                context.note(
                    "Whether \(other.scheduler.rawValue) has a schedule, too, cannot be told. \(error.message)")
            }
        }
        let names = settings.to.map(\.address).joined(separator: ", ")
        context.note("Every day at \(settings.timeOfDay.text), \(names) will be mailed what was read.")
        for note in notes { context.note(note) }
        context.note("To see the mail first: pulse-digest today --send --dry-run. Later: pulse-digest schedule show")
    }

    func remove() async throws(Failure) {
        var isEmpty = true
        var faults: [Failure] = []
        for schedule in schedules {
            do throws(Failure) {
                guard let installed = try await installed(by: schedule) else { continue }
                isEmpty = false
                if context.settings.isDryRun {
                    try context.console.write("\(installed.scheduler.rawValue): \(PlainText.line(installed.entry))\n")
                } else {
                    try await remove(schedule)
                }
            } catch {
                faults.append(error)
            }
        }
        // The first is told as the command's own end.
        for fault in faults.dropFirst() { context.note(fault.message) }
        if let fault = faults.first { throw fault }
        if isEmpty { context.note("Nothing was scheduled.") }
    }

    func show() async throws(Failure) {
        var rows: [ScheduleRow] = []
        var faults: [Failure] = []
        for schedule in schedules {
            do throws(Failure) {
                guard let installed = try await installed(by: schedule) else { continue }
                rows.append(
                    ScheduleRow(
                        scheduler: installed.scheduler.rawValue, entry: installed.entry,
                        time: installed.time.map { "\($0.text) (\(installed.zone.identifier))" },
                        next: installed.next(after: context.now)))
            } catch {
                faults.append(error)
            }
        }
        // That nothing is scheduled is not known then.
        if rows.isEmpty, let fault = faults.first { throw fault }
        for fault in faults { context.note(fault.message) }
        let state = context.locations.state
        try context.console.write(
            ScheduleText.show(
                rows, last: try RunLog.entries(below: state).last.map(RunRow.init),
                kept: Outbox.count(below: state), style: context.style))
    }

    func log() throws(Failure) {
        let rows = try RunLog.entries(below: context.locations.state).suffix(context.settings.limit).map(RunRow.init)
        try context.console.write(
            context.settings.format == .json ? ScheduleText.json(rows) : ScheduleText.log(rows, style: context.style))
        if rows.isEmpty { context.noteOnTerminal("No digest was mailed from here yet.") }
    }

    // MARK: -

    private func asking<Answer>(_ body: () async throws(ScheduleError) -> Answer) async throws(Failure) -> Answer {
        do throws(ScheduleError) {
            return try await body()
        } catch {
            throw Failure(error)
        }
    }

    private func installed(by schedule: any DailySchedule) async throws(Failure) -> InstalledSchedule? {
        try await asking { () throws(ScheduleError) in try await schedule.installed() }
    }

    private func remove(_ schedule: any DailySchedule) async throws(Failure) {
        try await asking { () throws(ScheduleError) in try await schedule.remove() }
        context.note("The schedule of \(schedule.scheduler.rawValue) was taken away.")
    }

    private var schedules: [any DailySchedule] {
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

    private func warn(of command: ScheduledCommand) {
        if command.program.contains("/.build/") {
            context.note(
                "\(command.program) stands where it was built, and goes with the next make clean. Better: make install, "
                    + "and schedule that one.")
        }
        do throws(Failure) {
            _ = try Sendmail(at: context.settings.sendmail, environment: context.environment, timeout: .zero)
        } catch {
            context.note(error.message)
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
