import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore
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
        do throws(PulseError) {
            try await deliver()
        } catch {
            if error.code != .interrupted { await makeVectors() }
            throw error
        }
        await makeVectors()
    }

    /// When all that somebody waits for is done.
    private func makeVectors() async {
        guard context.settings.scheduler != nil else { return }
        await VectorUpkeep(context: context).finishNight()
    }

    private func deliver() async throws(PulseError) {
        let start = ContinuousClock.now
        var report = DigestDelivery.Report()
        var fault: PulseError?
        var imports: [PulseError] = []
        do throws(PulseError) {
            // Nobody is there to see that the program would not even start.
            if let fault = context.settingsFault { throw fault }
            if context.settings.scheduler != nil, !context.settings.isDryRun {
                imports = try await ImportEverything(context: context).importKnown()
                if tellsFeeds, let fault = try await FeedRefresh(context: context).atNight() {
                    imports.append(fault)
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
        let faults = (report.faults.isEmpty ? [fault].compactMap(\.self) : report.faults) + imports
        // A mistyped command is no run; a run that has told somebody something is one.
        if let fault, fault.code == .usage, context.settings.scheduler == nil, report.messages == 0,
            report.faults.count < 2
        {
            throw fault
        }
        let noting = Result { () throws(PulseError) in try note(report, fault, faults, seconds: elapsed) }
        guard context.settings.scheduler != nil, fault?.code != .interrupted else {
            // The first is told as the command's own end.
            for other in report.faults.dropFirst() { context.console.say(other) }
            if let fault { throw fault }
            return try noting.get()
        }
        // Where nothing is wrong with the digest, there was none to send.
        try await tell(faults, isDigestMissing: fault != nil && report.messages == 0)
        try noting.get()
    }

    /// Silence is what success sounds like, so a night without anything new is only quiet as long as something still
    /// comes in.
    private func requireImports() throws(PulseError) {
        if tellsFeeds { try requireAnswers() }
        guard context.readers.contains(where: { $0.settings.basis == .read }) else { return }
        let last = try context.reading { store throws(PulseError) in try store.lastImport() }
        guard let last, context.now.timeIntervalSince(last) > Self.patience else { return }
        throw PulseError(
            .noInput,
            "There was nothing to send: nothing has been imported since \(Day(last, in: context.timeZone).text).",
            hint: "Import what you read: pulse-digest import", cause: "nothing imported")
    }

    private var tellsFeeds: Bool {
        context.readers.contains { [.unread, .readAndUnread].contains($0.settings.basis) }
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
                guard (report.faults + [error]).contains(where: { $0.code == .tryAgain }), left > .zero else {
                    throw error
                }
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

    /// - Parameters:
    ///   - fault: What kept the digest from being sent.
    ///   - faults: That, and what is missing in it.
    private func note(
        _ report: DigestDelivery.Report, _ fault: PulseError?, _ faults: [PulseError], seconds: Double
    ) throws(PulseError) {
        let outcome: RunLog.Entry.Outcome =
            switch fault?.code {
            case .interrupted: .interrupted
            case .some: .failed
            case nil where report.messages > 0: .sent
            case nil: report.isRepeated ? .repeated : .empty
            }
        try RunLog(in: context.state()).add(
            RunLog.Entry(
                time: context.now, outcome: outcome, exit: faults.first?.code.exitCode ?? 0, articles: report.articles,
                messages: report.messages, seconds: (seconds * 10).rounded() / 10,
                message: PlainText.line(faults.map(\.description).joined(separator: " "))))
    }

    /// Tells what is amiss, each thing once, as `Complaints` decides: by mail where that can be done, since what cron
    /// makes of the error stream goes to an account of this machine, and a journal is read by nobody.
    private func tell(_ faults: [PulseError], isDigestMissing: Bool) async throws(PulseError) {
        var lines = faults.compactMap(complaint)
        // That nothing came in at all was told already.
        let silent = faults.isEmpty ? newSilences() : []
        if !silent.isEmpty {
            lines.append(
                "Nothing that you read has come from \(silent.map(\.text).joined(separator: ", ")).")
            lines.append("To see what is there: pulse-digest import --dry-run")
        }
        if !faults.isEmpty, !lines.isEmpty {
            lines.append(
                "While the cause stays the same, this is reported once a week. All runs: pulse-digest schedule log")
        }
        let text = lines.joined(separator: "\n")
        let isMailed = text.isEmpty ? false : await mail(text, isDigestMissing: isDigestMissing)
        guard let first = faults.first else {
            try Complaints(in: context.state()).wentWell()
            if !isMailed, !text.isEmpty { context.console.say(text) }
            return
        }
        // cron would mail it a second time.
        throw PulseError(first.code, isMailed && context.settings.scheduler == .cron ? "" : text)
    }

    /// Nil where it was told before, or may pass.
    private func complaint(_ failure: PulseError) -> Message? {
        do throws(PulseError) {
            let complaints = Complaints(in: try context.state())
            guard
                let nights = try complaints.failed(failure, on: Day(context.now, in: context.timeZone), at: context.now)
            else { return nil }
            return nights > 1
                ? "\(failure)\nIt has failed on each of the last \(nights) nights on which it ran." : failure.text
        } catch {
            // Without a place to remember what was told, it is told.
            return "\(failure)"
        }
    }

    private func newSilences() -> [SilentSource] {
        do throws(PulseError) {
            return try Complaints(in: context.state()).newSilences(context.silentSources())
        } catch {
            return []
        }
    }

    /// - Returns: whether it could be done. Where sendmail is what fails, the error stream and the log have it.
    private func mail(_ message: Message, isDigestMissing: Bool) async -> Bool {
        let subject: Message = isDigestMissing ? "there is no digest today" : "something needs your attention"
        let catalogue = context.console.catalogue
        do throws(PulseError) {
            let sendmail = try Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout)
            // What is amiss with other readers' digests is none of theirs.
            let from = context.settings.from
            let isTheirs = context.settings.to.isEmpty || !context.settings.profile.isEmpty
            let owner = isTheirs ? [from].compactMap(\.self) : []
            let notice = EmailNotice(
                from: from ?? Sender.address(environment: context.environment),
                to: owner.isEmpty ? try context.recipients() : owner,
                subject: "pulse-digest: " + subject.text(in: catalogue), date: context.now, timeZone: context.timeZone,
                body: message.text(in: catalogue) + "\n")
            try await sendmail.send(notice.text)
            return true
        } catch {
            return false
        }
    }
}
