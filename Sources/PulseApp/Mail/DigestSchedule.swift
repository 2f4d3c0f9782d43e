import Foundation
package import PulseCore
package import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

/// The schedule that mails the digest every day: in cron, a systemd timer or a launchd agent.
package struct DigestSchedule: Sendable {
    private let app: AppEnvironment
    private let mail: MailSettings
    /// The profiles that have an address.
    private let profiles: [String]
    /// The timer if the user names none.
    package let usual: TimerKind
    private let reporter: Reporter

    package init(
        by mail: MailSettings, profiles: [String], usual: TimerKind = .usual, in app: AppEnvironment,
        reporter: Reporter
    ) {
        self.app = app
        self.mail = mail
        self.profiles = profiles
        self.usual = usual
        self.reporter = reporter
    }

    package var all: [any DailyTimer] {
        let cron = CronTimer(environment: app.variables, timeZone: app.timeZone, now: app.now)
        guard usual == .launchd else {
            let units = (app.locations.configuration as NSString).deletingLastPathComponent + "/systemd/user"
            return [cron, SystemdTimer(folder: units, environment: app.variables, timeZone: app.timeZone)]
        }
        return [
            LaunchdTimer(
                home: app.locations.home, environment: app.variables, timeZone: app.timeZone, now: app.now), cron,
        ]
    }

    /// The first timer that works on this machine; if none does, throws the error of the usual one.
    package func working() async throws -> TimerKind {
        var fault: PulseError?
        for timer in all {
            do {
                try await timer.require()
                return timer.kind
            } catch let error as PulseError where error.code != .interrupted {
                fault = fault ?? error
            }
        }
        throw fault ?? PulseError(.bug, "")
    }

    // MARK: - Installing

    /// What `install` would write.
    package func preview(
        _ command: ScheduledCommand, by kind: TimerKind, at time: TimeOfDay, for readers: [DigestReader]
    ) async throws -> String {
        let schedule = try schedule(of: kind, for: command, readers)
        warn(of: readers.flatMap(\.to))
        warn(ofInterestsOf: readers)
        return try await schedule.preview(command, at: time)
    }

    /// - Parameter isSentNow: Whether a first email follows, which says the same of mistyped interests.
    package func install(
        _ command: ScheduledCommand, by kind: TimerKind, at time: TimeOfDay, for readers: [DigestReader],
        isSentNow: Bool = false
    ) async throws {
        let schedule = try schedule(of: kind, for: command, readers)
        warn(of: readers.flatMap(\.to))
        if !isSentNow { warn(ofInterestsOf: readers) }
        await warn(of: command)
        let notes = try await schedule.install(command, at: time)
        // Only one schedule: two would each make the digest, and one of them find it sent.
        for other in all where other.kind != kind {
            do {
                if try await other.installed() != nil { try await remove(other) }
            } catch let error as PulseError where error.code != .interrupted {
                // For example, cron may forbid the user a crontab. The new schedule works all the same.
                reporter.note("Could not check whether \(other.kind.rawValue) has a schedule, too. \(error)")
            }
        }
        let names = readers.map(\.name).joined(separator: ", ")
        reporter.note("A digest will be emailed to \(names) every day at \(time.text).")
        if command.arguments.contains("--to"), let leftOut { reporter.note(leftOut) }
        if command.preparation != nil {
            reporter.note(
                "In the two hours before, the model prepares the digest, at the lowest priority.")
        }
        for note in notes { reporter.note(note) }
        if readers.contains(where: { $0.from == nil }) {
            let sender = Sender.address(environment: app.variables).address
            reporter.note(
                "It will be from \(sender). Most email providers want your own address: pulse-digest schedule "
                    + "install with the same options and --from you@example.org")
        }
        if let preview = try commandOfPreview(command, readers) {
            reporter.note("To see the email first: \(preview)")
        } else if readers.contains(where: { $0.request.basis != .bookmarks }), try Accounts(in: app).all().isEmpty {
            reporter.note(
                "So far there is nothing to send. To bring your reading in: pulse-digest import. To follow a feed: "
                    + "pulse-digest feeds add URL")
        }
        reporter.note("To see the schedule: pulse-digest schedule show")
    }

    private func schedule(
        of kind: TimerKind, for command: ScheduledCommand, _ readers: [DigestReader]
    ) throws -> any DailyTimer {
        if command.preparation != nil, try !Preparation.hasWriter(for: readers, in: app) {
            throw PulseError(
                .usage, "--prepare needs a model that writes, but the digest would be made without one.",
                hint: "To see the models: pulse-digest models. Or leave out --prepare.")
        }
        guard let schedule = all.first(where: { $0.kind == kind }) else {
            throw PulseError(
                .usage, "This system has no \(kind.rawValue), but \(usual.rawValue).",
                hint: "Leave out --systemd.")
        }
        return schedule
    }

    /// A domain without a dot is that of a machine nearby, or mistyped, which would show only at night.
    private func warn(of addresses: [MailAddress]) {
        let host = Sender.address(environment: app.variables).domain
        let near = ["localhost", host, String(host.prefix { $0 != "." })]
        for address in addresses where !address.domain.contains(".") && !near.contains(address.domain) {
            reporter.note(
                "\(address.address): “\(address.domain)” is neither this machine nor a domain such as example.org. "
                    + "If it is mistyped, install the schedule again.")
        }
    }

    /// A mistyped name would show only at night, by an empty digest.
    private func warn(ofInterestsOf readers: [DigestReader]) {
        guard app.history.exists, (try? app.history.open().statistics().articles) ?? 0 > 0 else { return }
        for request in readers.map(\.request) where [.read, .readAndUnread].contains(request.basis) {
            do {
                try app.history.requireKnown(request.categories)
                try app.history.requireKnown(sources: request.sources)
                try app.history.requireKnown(sections: request.sections)
            } catch {
                reporter.note("\(error.asPulseError)")
            }
        }
    }

    private func warn(of command: ScheduledCommand) async {
        if command.program.contains("/.build/") {
            reporter.note(
                "\(command.program) is in a build folder, which make clean deletes. Better: make install, and schedule "
                    + "the installed program.")
        }
        if let fault = await mailFault() { reporter.note("\(fault)") }
    }

    /// The command that prints the next mail, or a similar one if there is nothing new; nil if there is nothing at all.
    private func commandOfPreview(_ command: ScheduledCommand, _ readers: [DigestReader]) throws -> String? {
        guard app.history.exists, let reader = readers.first, let recipient = try reader.to.recipients().first
        else { return nil }
        let window = DigestWindow(of: reader.request, for: recipient, in: app)
        let hasNews = try !window.readings(in: app.history.open()).1.isEmpty
        // After `today --send --scheduled KIND`.
        let options = command.arguments.dropFirst(4).map(ShellWord.quoted)
        if hasNews { return (["pulse-digest today --send --dry-run"] + options).joined(separator: " ") }
        guard let days = try app.daysWithReading() else { return nil }
        return "pulse-digest today --format email --since \(days)d --to \(ShellWord.quoted(recipient.address))"
    }

    // MARK: - What is installed

    /// The installed timers, and the errors of those that could not be read.
    package func installed() async -> (schedules: [InstalledTimer], faults: [PulseError]) {
        var (schedules, faults): ([InstalledTimer], [PulseError]) = ([], [])
        for schedule in all {
            do {
                if let installed = try await schedule.installed() { schedules.append(installed) }
            } catch {
                faults.append(error.asPulseError)
            }
        }
        return (schedules, faults)
    }

    /// The problems that would stop or reduce the next digest, each with its subject.
    package func obstacles(to schedules: [InstalledTimer]) async -> [(Message, Message)] {
        var obstacles: [(Message, Message)] = []
        if let fault = await mailFault() { obstacles.append(("email", "\(fault)")) }
        obstacles += schedules.compactMap(leftOut).map { ("no email", $0) }
        if let silent = try? StaleSource.all(in: app), !silent.isEmpty {
            obstacles.append(("nothing new", silent.map(\.text).joined(separator: ", ")))
        }
        return obstacles
    }

    /// The profiles with an address that a schedule leaves out, because it names its recipient; nil: none.
    package func leftOut(by schedule: InstalledTimer) -> Message? {
        schedule.command.contains(/(^|[\s"'>])--to[\s"'=<]/) ? leftOut : nil
    }

    private var leftOut: Message? {
        guard !profiles.isEmpty else { return nil }
        return "The schedule names its recipient with --to, so it leaves out the profiles "
            + "\(profiles.joined(separator: ", ")). To email them too: pulse-digest schedule install without --to"
    }

    private func mailFault() async -> PulseError? {
        do {
            try await mail.program(in: app).requireAccount()
            return nil
        } catch {
            return error.asPulseError
        }
    }

    // MARK: - Removing

    package func remove() async throws {
        var (isEmpty, faults): (Bool, [PulseError]) = (true, [])
        for timer in all {
            do {
                guard try await timer.installed() != nil else { continue }
                isEmpty = false
                try await remove(timer)
            } catch {
                faults.append(error.asPulseError)
            }
        }
        try tellRemoval(ofNone: isEmpty, faults)
    }

    package func tellRemoval(ofNone isEmpty: Bool, _ faults: [PulseError]) throws {
        // The first is thrown as the command's error.
        for fault in faults.dropFirst() { reporter.note("\(fault)") }
        if let fault = faults.first { throw fault }
        if isEmpty { reporter.note("Nothing was scheduled.") }
    }

    private func remove(_ schedule: any DailyTimer) async throws {
        try await schedule.remove()
        reporter.note("The \(schedule.kind.rawValue) schedule was removed.")
    }
}
