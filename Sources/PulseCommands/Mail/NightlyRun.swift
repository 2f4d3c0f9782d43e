import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseSystem
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

    func run() async throws(PulseError) {
        let start = ContinuousClock.now
        var report = DigestDelivery.Report()
        var fault: PulseError?
        var importFault: PulseError?
        do throws(PulseError) {
            // Nobody is there to see that the program would not even start.
            if let fault = context.settingsFault { throw fault }
            if context.settings.scheduler != nil, !context.settings.isDryRun {
                importFault = try await ImportEverything(context: context).importKnown()
                if Self.tellsFeeds(context.settings) {
                    let feedFault = try await FeedRefresh(context: context).atNight()
                    importFault = importFault ?? feedFault
                }
            }
            try await attempt(&report)
            if context.settings.scheduler != nil, report.messages == 0, !report.isRepeated { try requireImports() }
        } catch {
            fault = error
        }
        if context.settings.isDryRun {
            if let fault { throw fault }
            return
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let noting = Result { () throws(PulseError) in try note(report, fault, seconds: elapsed) }
        // A digest that went out is no reason not to tell that something is missing in it.
        if let fault = fault ?? importFault {
            let complaint = complaint(fault)
            await mail(complaint)
            throw complaint
        }
        try noting.get()
        if context.settings.scheduler != nil {
            try Complaints(in: context.state()).wentWell()
        }
    }

    /// Silence is what success sounds like, so a night without anything new is only quiet as long as something still
    /// comes in.
    private func requireImports() throws(PulseError) {
        if Self.tellsFeeds(context.settings) { try requireAnswers() }
        guard context.settings.basis == .read else { return }
        let last = try context.reading { store throws(PulseError) in try store.lastImport() }
        guard let last, context.now.timeIntervalSince(last) > Self.patience else { return }
        throw PulseError(
            .noInput,
            "There was nothing to send: nothing has been imported since \(Day(last, in: context.timeZone).text).",
            hint: "Import what you read: pulse-digest import", cause: "nothing imported")
    }

    private static func tellsFeeds(_ settings: Settings) -> Bool {
        [.unread, .readAndUnread].contains(settings.basis)
    }

    private func requireAnswers() throws(PulseError) {
        let feeds = try context.reading { store throws(PulseError) in try store.feeds().map(\.feed) }
        guard let first = feeds.map(\.addedAt).min() else {
            throw PulseError(
                .noInput, "There was nothing to send: you follow no feeds.",
                hint: "To follow one: pulse-digest feeds add URL", cause: "no feeds")
        }
        let last = feeds.compactMap(\.refresh.succeededAt).max() ?? first
        guard context.now.timeIntervalSince(last) > Self.patience else { return }
        throw PulseError(
            .noInput,
            "There was nothing to send: no feed has answered since \(Day(last, in: context.timeZone).text).",
            hint: "To see why: pulse-digest feeds list", cause: "no feed answers")
    }

    /// Seconds without an import after which something is wrong: three days.
    static let patience: TimeInterval = 3 * 86_400

    // MARK: - Trying again

    private func attempt(_ report: inout DigestDelivery.Report) async throws(PulseError) {
        var pause = Self.firstPause
        var left = context.settings.scheduler == nil ? .zero : context.settings.retryTime
        while true {
            do throws(PulseError) {
                try await delivery.run(&report)
                return
            } catch {
                guard error.code == .tryAgain, left > .zero else { throw error }
            }
            let next = min(pause, left)
            do { try await wait(next) } catch { throw PulseError(.interrupted, "") }
            left -= next
            pause *= 2
        }
    }

    /// Doubled each time: half a minute, one, two, four, up to `retryTime` in all.
    static let firstPause: Duration = .seconds(30)

    // MARK: - Telling

    private func note(_ report: DigestDelivery.Report, _ fault: PulseError?, seconds: Double) throws(PulseError) {
        let outcome: RunLog.Entry.Outcome =
            switch fault?.code {
            case .interrupted: .interrupted
            case .some: .failed
            case nil where report.messages > 0: .sent
            case nil: report.isRepeated ? .repeated : .empty
            }
        try RunLog(in: context.state()).add(
            RunLog.Entry(
                time: context.now, outcome: outcome, exit: fault?.code.exitCode ?? 0, articles: report.articles,
                messages: report.messages, seconds: (seconds * 10).rounded() / 10,
                message: PlainText.line(fault?.description ?? "")))
    }

    /// What is said of a failure: to a person who started this, all of it each time; by a schedule, as `Complaints`
    /// decides.
    private func complaint(_ failure: PulseError) -> PulseError {
        guard context.settings.scheduler != nil, failure.code != .interrupted else { return failure }
        let nights: Int?
        do throws(PulseError) {
            let complaints = Complaints(in: try context.state())
            nights = try complaints.failed(failure, on: Day(context.now, in: context.timeZone), at: context.now)
        } catch {
            // Without a place to remember what was told, it is told.
            return failure
        }
        guard let nights else { return PulseError(failure.code, "") }
        let messages = context.mailMessages
        let since = nights > 1 ? [messages.nightsInARow(nights)] : []
        return PulseError(failure.code, (["\(failure)"] + since + [messages.toldOnce]).joined(separator: "\n"))
    }

    /// cron mails what is said on the error stream. systemd and launchd put it away in a journal, so there it is mailed
    /// from here, where that can be done.
    private func mail(_ complaint: PulseError) async {
        guard let scheduler = context.settings.scheduler, scheduler != .cron, !complaint.description.isEmpty,
            let recipients = try? context.recipients(),
            let sendmail = try? Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout)
        else { return }
        let notice = EmailNotice(
            from: context.settings.from ?? Sender.address(environment: context.environment), to: recipients,
            subject: context.mailMessages.noDigest, date: context.now, timeZone: context.timeZone,
            body: "\(complaint)" + "\n")
        // Where sendmail is what fails, the journal and the log have it.
        try? await sendmail.send(notice.text)
    }
}
