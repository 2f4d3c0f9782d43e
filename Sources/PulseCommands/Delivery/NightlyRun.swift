import Foundation
import PulseCore
import PulseRendering
import PulseSchedule
import PulseText

/// A run that sends: tried again where waiting helps, noted in the log, and, where it was started by a schedule, quiet
/// when well and loud when not.
struct NightlyRun {
    let context: Context
    let delivery: DigestDelivery
    /// Waits; throws where the task is cancelled.
    let wait: @Sendable (Duration) async throws -> Void

    init(
        context: Context,
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        var settings = context.settings
        if settings.scheduler != nil { settings.isQuiet = true }
        self.context = context.with(settings)
        self.delivery = DigestDelivery(context: self.context)
        self.wait = wait
    }

    func run() async throws(Failure) {
        let start = ContinuousClock.now
        var report = DigestDelivery.Report()
        var fault: Failure?
        do throws(Failure) {
            // Nobody is there to see that the program would not even start.
            if let fault = context.settingsFault { throw fault }
            try await attempt(&report)
        } catch {
            fault = error
        }
        if context.settings.isDryRun {
            if let fault { throw fault }
            return
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let noting = Result { () throws(Failure) in try note(report, fault, seconds: elapsed) }
        if let fault {
            let complaint = complaint(fault)
            await mail(complaint)
            throw complaint
        }
        try noting.get()
        if context.settings.scheduler != nil {
            try Complaints(in: context.state()).wentWell()
        }
    }

    // MARK: - Trying again

    private func attempt(_ report: inout DigestDelivery.Report) async throws(Failure) {
        var pause = Self.firstPause
        var left = context.settings.scheduler == nil ? .zero : context.settings.retryTime
        while true {
            do throws(Failure) {
                try await delivery.run(&report)
                return
            } catch {
                guard error.code == .tryAgain, left > .zero else { throw error }
            }
            let next = min(pause, left)
            do { try await wait(next) } catch { throw Failure(.interrupted, "") }
            left -= next
            pause *= 2
        }
    }

    /// Doubled each time: half a minute, one, two, four, up to `retryTime` in all.
    static let firstPause: Duration = .seconds(30)

    // MARK: - Telling

    private func note(_ report: DigestDelivery.Report, _ fault: Failure?, seconds: Double) throws(Failure) {
        let outcome: RunLog.Entry.Outcome =
            switch fault?.code {
            case .interrupted: .interrupted
            case .some: .failed
            case nil where report.messages > 0: .sent
            case nil: report.isRepeated ? .repeated : .empty
            }
        try RunLog(in: context.state()).add(
            RunLog.Entry(
                time: context.now, outcome: outcome, exit: fault?.code.rawValue ?? 0, articles: report.articles,
                messages: report.messages, seconds: (seconds * 10).rounded() / 10,
                message: PlainText.line(fault?.message ?? "")))
    }

    /// What is said of a failure: to a person who started this, all of it each time; by a schedule, as `Complaints`
    /// decides.
    private func complaint(_ failure: Failure) -> Failure {
        guard context.settings.scheduler != nil, failure.code != .interrupted else { return failure }
        let nights: Int?
        do throws(Failure) {
            let complaints = Complaints(in: try context.state())
            nights = try complaints.failed(failure, on: Day(context.now, in: context.timeZone), at: context.now)
        } catch {
            // Without a place to remember what was told, it is told.
            return failure
        }
        guard let nights else { return Failure(failure.code, "") }
        let messages = context.mailMessages
        let since = nights > 1 ? [messages.nightsInARow(nights)] : []
        return Failure(failure.code, ([failure.message] + since + [messages.toldOnce]).joined(separator: "\n"))
    }

    /// cron mails what is said on the error stream. systemd and launchd put it away in a journal, so there it is mailed
    /// from here, where that can be done.
    private func mail(_ complaint: Failure) async {
        guard let scheduler = context.settings.scheduler, scheduler != .cron, !complaint.message.isEmpty,
            let recipients = try? context.recipients(),
            let sendmail = try? Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout)
        else { return }
        let notice = EmailNotice(
            from: context.settings.from ?? Sender.address(environment: context.environment), to: recipients,
            subject: context.mailMessages.noDigest, date: context.now, timeZone: context.timeZone,
            body: complaint.message + "\n")
        // Where sendmail is what fails, the journal and the log have it.
        try? await sendmail.send(notice.text)
    }
}
