package import Foundation
package import PulseCore
package import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

/// A run that sends mail: it retries temporary errors and writes the log. A scheduled one reports only failures.
package struct NightlyRun: Sendable {
    private let delivery: DigestDelivery
    /// The owner of the machine, to whom errors are mailed.
    private let owner: DigestReader
    private let sources: ImportSources
    private let feeds: FeedRefresh
    /// The timer that started it; nil: a person.
    private let scheduler: TimerKind?
    private let fault: PulseError?
    private let catalogue: Translations
    /// The exit status of an interrupted run, by its signal.
    private let interruptedStatus: @Sendable () -> Int32
    /// Waits; throws where the task is cancelled.
    private let wait: @Sendable (Duration) async throws -> Void
    private let reporter: Reporter

    private var app: AppEnvironment { delivery.app }

    /// - Parameters:
    ///   - delivery: What is sent.
    ///   - sources: Imported first.
    ///   - feeds: Refreshed if the digests are of feeds.
    package init(
        _ delivery: DigestDelivery, of owner: DigestReader, sources: ImportSources, feeds: FeedRefresh,
        startedBy scheduler: TimerKind?, fault: PulseError? = nil, catalogue: Translations = .english,
        interruptedStatus: @escaping @Sendable () -> Int32 = { PulseError.Code.interrupted.exitCode },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.delivery = delivery
        self.owner = owner
        self.sources = sources
        self.feeds = feeds
        self.scheduler = scheduler
        self.fault = fault
        self.catalogue = catalogue
        self.interruptedStatus = interruptedStatus
        self.wait = wait
        reporter = delivery.reporter
    }

    package func run() async throws {
        let start = ContinuousClock.now
        let (report, imports) = await night()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        var failure: (any Error)?
        do { try await end(report, imports, seconds: seconds) } catch { failure = error }
        // Last, because nobody waits for it.
        if scheduler != nil, report.fault?.code != .interrupted {
            await app.makeVectorsAtNight(reporter)
        }
        if let failure { throw failure }
    }

    /// Imports what is new, and delivers the digests.
    ///
    /// - Returns: The report of the delivery, and the errors of the imports.
    private func night() async -> (DigestDelivery.Report, imports: [PulseError]) {
        var imports: [PulseError] = []
        // Before anything can fail. If this does, the delivery reports it.
        try? FirstRunDates.note(
            fault == nil ? delivery.mails().map(\.recipient) : nil, at: app.now, in: app.state())
        do {
            // Reported like any other fault, because nobody is there to see it.
            if let fault { throw fault }
            imports = try await sources.importKnown()
            if tellsFeeds, let fault = try await feeds.atNight() { imports.append(fault) }
        } catch {
            return (DigestDelivery.Report(fault: error.asPulseError), imports)
        }
        var report = await deliver()
        if scheduler != nil, report.fault == nil, report.messages == 0, !report.isRepeated {
            do { try requireImports() } catch { report.fault = error.asPulseError }
        }
        return (report, imports)
    }

    private func deliver() async -> DigestDelivery.Report {
        var pause = Self.firstPause
        var left = scheduler == nil ? .zero : delivery.mail.retryTime
        var report = await delivery.run()
        while let fault = report.fault, left > .zero,
            (report.faults + [fault]).contains(where: { $0.code == .tryAgain })
        {
            let next = min(pause, left)
            do {
                try await wait(next)
            } catch {
                report.fault = .interrupted
                return report
            }
            left -= next
            pause *= 2
            report = await delivery.run(after: report)
        }
        return report
    }

    /// Doubled each time: half a minute, one, two, four, up to `retryTime` in all.
    static let firstPause: Duration = .seconds(30)

    private func end(_ report: DigestDelivery.Report, _ imports: [PulseError], seconds: Double) async throws {
        let fault = report.fault
        let faults = (report.faults.isEmpty ? [fault].compactMap(\.self) : report.faults) + imports
        // A usage error is not logged as a run, unless messages were sent or more went wrong.
        if let fault, fault.code == .usage, scheduler == nil, report.messages == 0, report.faults.count < 2 {
            throw fault
        }
        let noting = Result { try note(report, faults, seconds: seconds) }
        guard scheduler != nil, fault?.code != .interrupted else {
            // The first is thrown as the command's error.
            for other in report.faults.dropFirst() + report.news { reporter.failure(other) }
            if let fault { throw fault }
            return try noting.get()
        }
        // Without a fault, no digest is missing: there was nothing to send.
        try await tell(faults, report.news, isDigestMissing: report.isDigestMissing)
        try noting.get()
    }

    /// Throws if nothing was imported, or no feed has answered, for three days: nobody would notice silent nights.
    private func requireImports() throws {
        if tellsFeeds { try requireAnswers() }
        guard delivery.readers.contains(where: { $0.request.basis == .read }) else { return }
        let last = try app.history.open().lastImport()
        guard let last, app.now.timeIntervalSince(last) > StaleSource.patience else { return }
        throw PulseError(
            .noInput,
            "There was nothing to send: nothing has been imported since \(Day(last, in: app.timeZone).text).",
            hint: "To import what you read: pulse-digest import", cause: "nothing imported")
    }

    private var tellsFeeds: Bool {
        delivery.readers.contains { [.unread, .readAndUnread].contains($0.request.basis) }
    }

    private func requireAnswers() throws {
        let feeds = try app.history.open().feeds().map(\.feed)
        guard let first = feeds.map(\.addedAt).min() else {
            throw PulseError(
                .noInput, "There was nothing to send: you follow no feeds.",
                hint: "To follow one: pulse-digest feeds add URL", cause: "no feeds")
        }
        let last = feeds.compactMap(\.refresh.succeededAt).max() ?? first
        guard app.now.timeIntervalSince(last) > StaleSource.patience else { return }
        throw PulseError(
            .noInput,
            "There was nothing to send: no feed has answered since \(Day(last, in: app.timeZone).text).",
            hint: "To see why: pulse-digest feeds list", cause: "no feed answers")
    }

    // MARK: - Telling

    /// - Parameter faults: The errors in sending the digest and in importing its sources.
    private func note(_ report: DigestDelivery.Report, _ faults: [PulseError], seconds: Double) throws {
        let outcome =
            switch report.fault?.code {
            case .interrupted: "interrupted"
            case .some: "failed"
            case nil where report.messages > 0: "sent"
            // That day's mail was out already, or there was nothing to tell.
            case nil: report.isRepeated ? "repeated" : "empty"
            }
        let exit = report.fault?.code == .interrupted ? interruptedStatus() : faults.first?.code.exitCode ?? 0
        // An import and the digest may fail for the same reason.
        var sentences: [String] = []
        for fault in faults.map(\.description) where !sentences.contains(fault) { sentences.append(fault) }
        try RunLog(in: app.state()).add(
            RunLog.Entry(
                time: app.now, outcome: outcome, exit: Int(exit), articles: report.articles,
                messages: report.messages, seconds: (seconds * 10).rounded() / 10,
                message: PlainText.line(sentences.joined(separator: " "))))
    }

    /// Reports faults as `AlertThrottle` decides. By mail if possible: cron mails its output to a local account, and
    /// nobody reads a journal.
    ///
    /// - Parameter news: Errors reported in the same way that do not make this run a failure.
    private func tell(_ faults: [PulseError], _ news: [PulseError], isDigestMissing: Bool) async throws {
        var lines = faults.compactMap { complaint($0) } + news.compactMap { complaint($0, isOfThisRun: false) }
        // A fault already explains why nothing came in.
        let silent = faults.isEmpty ? try? AlertThrottle(in: app.state()).newSilences(StaleSource.all(in: app)) : nil
        if let silent, !silent.isEmpty {
            lines.append(
                "No newly read articles have come from \(silent.map(\.text).joined(separator: ", ")).")
            lines.append("To see what is there: pulse-digest import --dry-run")
        }
        if !faults.isEmpty, !lines.isEmpty {
            lines.append(
                "While the cause stays the same, this is reported once a week. To see all runs: "
                    + "pulse-digest schedule log")
        }
        let text = lines.joined(separator: "\n")
        let isMailed = text.isEmpty ? false : await mail(text, isDigestMissing: isDigestMissing)
        guard let first = faults.first else {
            try AlertThrottle(in: app.state()).wentWell()
            if !isMailed, !text.isEmpty { reporter.problem(text) }
            return
        }
        // cron would mail it a second time.
        throw PulseError(first.code, isMailed && scheduler == .cron ? "" : text)
    }

    /// Nil if it was reported before, or may pass.
    private func complaint(_ failure: PulseError, isOfThisRun: Bool = true) -> Message? {
        do {
            let complaints = AlertThrottle(in: try app.state())
            guard let nights = try complaints.failed(failure, on: app.today, at: app.now) else { return nil }
            return nights > 1 && isOfThisRun
                ? "\(failure)\nIt has failed on each of the last \(nights) nights on which it ran." : failure.text
        } catch {
            // Without a record of earlier reports, it is reported.
            return "\(failure)"
        }
    }

    /// - Returns: whether it was sent. If sendmail is what fails, the error stream and the log have it.
    private func mail(_ message: Message, isDigestMissing: Bool) async -> Bool {
        let subject: Message = isDigestMissing ? "there is no digest today" : "something needs your attention"
        do {
            let sendmail = try delivery.mail.program(in: app)
            // To the owner, not to other readers: if only profiles have addresses, to the sender's address.
            let from = owner.from
            let isTheirs = owner.to.isEmpty || !owner.request.profile.isEmpty
            let addresses = isTheirs ? [from].compactMap(\.self) : []
            let notice = EmailNotice.text(
                from: from ?? Sender.address(environment: app.variables),
                to: addresses.isEmpty ? try owner.to.recipients() : addresses,
                subject: "pulse-digest: " + subject.text(in: catalogue), date: app.now, timeZone: app.timeZone,
                body: message.text(in: catalogue) + "\n")
            return (try? await sendmail.send(notice)) != nil
        } catch {
            return false
        }
    }
}

/// The log of runs that send mail: a line each, the newest last. It names no article.
package struct RunLog {
    package struct Entry: Codable, Sendable, Hashable {
        package let time: Date
        /// `sent`, `empty`, `repeated`, `failed` or `interrupted`.
        package let outcome: String
        package let exit: Int
        package let articles: Int
        package let messages: Int
        package let seconds: Double
        /// The error; empty: none.
        package let message: String
    }

    private let folder: StateFolder

    init(in folder: StateFolder) { self.folder = folder }

    /// The entries of a state folder that need not exist. A damaged line is skipped.
    package static func entries(below path: String) throws -> [Entry] {
        guard let bytes = try AtomicFile.read(path + "/" + name) else { return [] }
        let decoder = StateFile<Entry>.decoder
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return lines.compactMap { try? decoder.decode(Entry.self, from: Data($0)) }
    }

    /// Adds an entry, and drops the oldest beyond the bounds.
    func add(_ entry: Entry) throws {
        // Runs that found another one at work write here, too, so it has a lock of its own, held for a moment.
        try folder.waitingLock(Self.lock).hold {
            let name = Self.name
            if !AtomicFile.isRegular(folder.file(name)) { StateFile<Entry>(folder: folder, name: name).setAside() }
            var lines = (try folder.read(name)).map { $0.split(separator: UInt8(ascii: "\n")).map { Data($0) } } ?? []
            guard let line = try? StateFile<Entry>.encoder.encode(entry) else { return }
            lines = (lines + [line]).suffix(Self.mostEntries)
            var size = lines.reduce(0) { $0 + $1.count + 1 }
            while size > Self.mostBytes, lines.count > 1 { size -= lines.removeFirst().count + 1 }
            try folder.write(Data((lines + [Data()]).joined(separator: Data("\n".utf8))), to: name)
        }
    }

    /// Also held to write other files of the state for a moment.
    static let lock = ".runs.lock"
    /// A year of nights.
    static let mostEntries = 400
    static let mostBytes = 1 << 18
    private static let name = "runs.jsonl"
}
