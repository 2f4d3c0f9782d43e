import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText
import Synchronization

/// Mails digests: made once for the day, kept, handed to sendmail for each recipient, and then recorded as sent.
///
/// If a run ends between two steps, a message stays in the outbox, and the next run continues from there. From the
/// start of sendmail until its answer is recorded, the message may or may not have been sent: it is then sent once more
/// on another night, with the same Message-ID, and after that only on request.
package struct DigestDelivery: Sendable {
    let app: AppEnvironment
    let readers: [DigestReader]
    let mail: MailSettings
    let reporter: Reporter

    package init(to readers: [DigestReader], by mail: MailSettings, in app: AppEnvironment, reporter: Reporter) {
        (self.app, self.readers, self.mail, self.reporter) = (app, readers, mail, reporter)
    }

    struct Report: Sendable, Hashable {
        /// The number of articles in the digest; 0 if none was made.
        var articles = 0
        /// The number of messages that sendmail has taken.
        var messages = 0
        /// Whether there was nothing to do: that day's mail was out.
        var isRepeated = false
        /// The errors that kept digests from being made or sent, each cause once; other digests were sent.
        var faults: [PulseError] = []
        /// The run's error: the first of these, or what stopped it; nil: none.
        var fault: PulseError?
        /// Further reports, on messages that may have been sent: they are sent once more, or not again.
        var news: [PulseError] = []
        /// The keys of the recipients whose message was made. A retry skips them, even with --again.
        fileprivate var made: Set<String> = []
        /// Messages that sendmail took without an answer, in this try or an earlier one.
        fileprivate var unanswered: [PulseError] = []
        /// The recipients of such messages that are kept.
        fileprivate var held: Set<String> = []

        var isDigestMissing: Bool { fault != nil && messages == 0 && unanswered.isEmpty }

        init(fault: PulseError? = nil) { self.fault = fault }

        /// Adds a message that may have been sent.
        fileprivate mutating func add(_ error: PulseError, for kept: Outbox.Kept) {
            let name = kept.item.recipient
            let isFirst = kept.tries == nil
            let outlook: Message =
                isFirst
                ? "It is sent once more by a run on another day."
                : "This has happened to it before, so it is not sent again automatically."
            var unanswered = error.adding(
                "The digest for \(name) may have gone out: sendmail accepted all of it, but did not confirm. "
                    + "\(outlook) To send it now: pulse-digest schedule retry \(ShellWord.quoted(name))")
            unanswered.cause = isFirst ? error.reason + " " + name : kept.cause
            self.unanswered.append(unanswered)
        }
    }

    /// - Parameter earlier: The report of the try before this one.
    /// - Returns: The results of both, and the errors of this one.
    func run(after earlier: Report = Report()) async -> Report {
        var report = earlier
        (report.faults, report.news, report.fault) = ([], [], nil)
        do {
            let mails = try self.mails()
            let state = try app.state()
            try await state.delivery().hold {
                try await deliver(mails, on: app.today, state, &report)
            }
            tell(report, mails)
        } catch {
            report.fault = error.asPulseError
        }
        return report
    }

    package struct Mail: Sendable {
        let reader: DigestReader
        let recipient: MailAddress
    }

    package func mails() throws -> [Mail] {
        try readers.flatMap { reader in try reader.to.recipients().map { Mail(reader: reader, recipient: $0) } }
    }

    /// The message as it would be sent now; nil where nothing is new. Nothing is changed.
    package func preview(_ mail: Mail) async throws -> String? { try await message(for: mail)?.message.text }

    /// Makes and sends what is due, while the lock is held.
    private func deliver(_ mails: [Mail], on day: Day, _ state: StateFolder, _ report: inout Report) async throws {
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        let first = Day(app.now.addingTimeInterval(-Self.daysKept * 86_400), in: app.timeZone)
        let kept = outbox.contents()
        let isLate = { (message: Outbox.Kept) in message.item.day < first && message.tries == nil }
        try drop(kept.items.filter(isLate), before: first, from: outbox)
        let damaged = kept.damaged.filter { $0.day >= first }
        try recover(kept.items.filter { !isLate($0) }, damaged, record)
        try FirstRunDates.note(mails.map(\.recipient), at: app.now, in: state)

        let due = mails.filter {
            !report.made.contains(key($0)) && ($0.reader.request.isAgain || !isDone($0, on: day, record, outbox))
        }
        var (faults, unnoted): (DeliveryFaults, Set<String>) = (DeliveryFaults(), [])
        for mail in due {
            do {
                report.articles = max(report.articles, try await make(mail, on: day, into: outbox))
                report.made.insert(key(mail))
            } catch {
                let error = error.asPulseError
                unnoted.insert(key(mail))
                if error.code == .interrupted { throw error }
                faults.add(error, for: mails.count > 1 ? mail.recipient.address : nil)
            }
        }
        report.faults = faults.told { "No digest was sent to \($0.joined(separator: ", "))." }
        let unsent = damaged.filter { !$0.mayHaveGoneOut }
        if unsent.count < damaged.count {
            report.faults.append(
                PulseError(
                    .badData,
                    "A digest that sendmail took without an answer was damaged, so it is not sent again. It may have gone "
                        + "out.", hint: "To see what there is: pulse-digest history list", cause: "damaged \(day.text)"
                ))
        }
        if !unsent.isEmpty {
            let lost = Counted.text(
                unsent.count, "unsent digest was damaged. Its articles are in the next one.",
                "unsent digests were damaged. Their articles are in the next ones.")
            report.faults.append(PulseError(.badData, lost, cause: "damaged \(day.text)"))
        }
        // Kept messages are sent even on a night whose digest cannot be made.
        report.isRepeated = due.isEmpty && report.made.isEmpty
        do {
            let items = outbox.items().filter { !($0.item.day == day && unnoted.contains($0.item.to)) }
            // Recipients for whom sendmail did not answer come last, so that the others need not wait for them.
            let silent = Set(items.filter { $0.tries != nil }.map(\.item.recipient))
            let due = items.filter { $0.tries?.areGoneOn(with: day) ?? true }
            let ordered = [false, true].flatMap { late in due.filter { silent.contains($0.item.recipient) == late } }
            // The run that was killed could not report it.
            report.news += ordered.filter { $0.tries != nil && !record.holds($0.item) }.map { kept in
                PulseError(
                    .unavailable,
                    "The digest of \(kept.item.day.text) for \(kept.item.recipient) may already have gone out, and is "
                        + "sent once more: sendmail or pulse-digest ended before the sending was confirmed.",
                    cause: kept.cause + " again")
            }
            try await send(ordered, from: outbox, &record, &report)
            try giveUp(before: first, outbox, &report)
            report.held = Set(outbox.items().filter { $0.tries != nil }.map(\.item.recipient))
        } catch let error as PulseError where error.code != .interrupted {
            report.faults.append(error)
        }
        report.faults += report.unanswered
        if let fault = report.faults.first { throw fault }
    }

    private func isDone(_ mail: Mail, on day: Day, _ record: SentRecord, _ outbox: Outbox) -> Bool {
        record.holds(day, for: key(mail)) || outbox.holds(day, for: key(mail))
    }

    /// Identifies a recipient's message of a day. A week's digest is a message besides the day's.
    private func key(_ mail: Mail) -> String {
        mail.reader.request.isWeek ? mail.recipient.key + Outbox.Item.week : mail.recipient.key
    }

    // MARK: - Making

    /// - Returns: The number of articles in the digest; 0 if nothing is new, and then nothing is kept.
    private func make(_ mail: Mail, on day: Day, into outbox: Outbox) async throws -> Int {
        guard let (message, digest) = try await message(for: mail) else { return 0 }
        let request = mail.reader.request
        let window = DigestWindow(of: request, for: mail.recipient, in: app)
        let coverage = window.coverage(of: digest)
        let item = Outbox.Item(
            day: day, to: key(mail), articles: digest.readings.count, again: request.isAgain,
            covered: digest.considered, message: message.text, store: app.history.identity, profile: request.profile,
            coverage: coverage)
        try outbox.put(item)
        // The message is kept now. If its coverage is not recorded, the next run records it before it sends anything.
        defer { window.keep(digest, as: request.isWeek ? .week : .mailed, reporter: reporter) }
        if let coverage { try window.note(digest.considered, coverage) }
        return digest.readings.count
    }

    /// - Returns: The message, and the digest that it contains; nil if nothing is new.
    private func message(for mail: Mail) async throws -> (message: EmailMessage, digest: Digest)? {
        defer { reporter.clear() }
        let reader = mail.reader
        let maker = DigestMaker(
            of: reader.request, for: mail.recipient, by: reader.model, in: app, reporter: reporter, isUnattended: true)
        guard let digest = try await maker.make() else { return nil }
        return EmailMessage.fitting(
            digest, from: reader.from ?? Sender.address(environment: app.variables), to: [mail.recipient],
            timeZone: app.timeZone,
            repeats: reader.request.isAgain
                ? SentRecord.count(app.today, for: key(mail), below: app.locations.state) : 0)
    }

    // MARK: - Sending

    /// Drops messages that sendmail has not taken for 14 days. The next digest has their articles.
    private func drop(_ items: [Outbox.Kept], before first: Day, from outbox: Outbox) throws {
        try outbox.drop(items, in: app.history)
        let dropped = try items.count + outbox.trim(before: first)
        if dropped > 0 {
            reporter.note(
                Counted.text(
                    dropped, "unsent digest from more than two weeks ago dropped.",
                    "unsent digests from more than two weeks ago dropped."))
        }
    }

    /// Records the coverage of messages that a killed run has kept. What a damaged one told counts as not told, unless
    /// it may have been sent.
    private func recover(_ items: [Outbox.Kept], _ damaged: [Outbox.Damaged], _ record: SentRecord) throws {
        for message in damaged where !message.mayHaveGoneOut {
            guard let from = message.day.start(in: app.calendar),
                let to = app.calendar.date(byAdding: .day, value: 1, to: from)
            else { continue }
            try app.history.open(.readWrite).unmarkDelivered(between: from, and: to) { reader in
                message.isFor(reader) && !record.holds(message.day, for: reader)
            }
        }
        for item in items.map(\.item) where item.store == app.history.identity {
            guard let coverage = item.coverage else { continue }
            let address = try MailAddress(item.to)
            var request = DigestRequest()
            request.profile = item.profile
            try DigestWindow(of: request, for: address, in: app).note(item.covered, coverage)
        }
    }

    /// The days for which a message that cannot be sent is kept.
    private static let daysKept: Double = 14

    private func send(
        _ items: [Outbox.Kept], from outbox: Outbox, _ record: inout SentRecord, _ report: inout Report
    ) async throws {
        guard !items.isEmpty else { return }
        let sendmail: Sendmail
        do {
            sendmail = try mail.program(in: app)
        } catch {
            throw error.asPulseError.adding(
                Counted.text(
                    items.count, "digest is kept. To send it once this is fixed: pulse-digest schedule retry",
                    "digests are kept. To send them once this is fixed: pulse-digest schedule retry"))
        }
        var faults = DeliveryFaults()
        let start = ContinuousClock.now
        for (index, kept) in items.enumerated() {
            if record.holds(kept.item) {
                try? outbox.remove(kept)
                continue
            }
            do throws(Sendmail.Failure) {
                try await send(kept, from: outbox, by: sendmail, &record)
                report.messages += 1
                report.articles = max(report.articles, kept.item.articles)
            } catch {
                if error.error.code == .interrupted { throw error.error }
                if error.mayHaveSent {
                    report.add(error.error, for: kept)
                } else {
                    faults.add(error.error, for: kept.item.recipient)
                }
                // A server that refuses one message may take another; one that lets two wait lets all of them wait.
                guard ContinuousClock.now - start > mail.timeout * 2 else { continue }
                let late = PulseError(.tryAgain, "\(sendmail.path) is too slow to send more now.")
                for kept in items[(index + 1)...] { faults.add(late, for: kept.item.recipient) }
                break
            }
        }
        report.faults += faults.told { names in
            guard names.count == 1 else {
                return
                    "The digests for \(names.joined(separator: ", ")) were not sent; they are kept, and the next run "
                    + "sends them. To send them now: pulse-digest schedule retry. To delete one: pulse-digest schedule "
                    + "drop ADDRESS"
            }
            let name = ShellWord.quoted(names[0])
            return "The digest for \(names[0]) was not sent; it is kept, and the next run sends it. To send it now: "
                + "pulse-digest schedule retry \(name). To delete it: pulse-digest schedule drop \(name)"
        }
    }

    /// Sends a message, records that, and takes it out of the outbox.
    private func send(
        _ kept: Outbox.Kept, from outbox: Outbox, by sendmail: Sendmail, _ record: inout SentRecord
    ) async throws(Sendmail.Failure) {
        var note: SentRecord.Note?
        var marked = kept
        do {
            note = try record.prepare(kept.item, at: app.now)
            // Before sendmail starts: it takes what is in the pipe for the whole message if this program is killed.
            try outbox.mark(&marked, on: app.today)
        } catch {
            note?.discard()
            throw Sendmail.Failure(error: error.asPulseError)
        }
        let isTaken = Mutex(false)
        do throws(Sendmail.Failure) {
            try await sendmail.send(kept.item.message) { isTaken.withLock { $0 = true } }
        } catch {
            note?.discard()
            // If this fails, the message counts as one that may have been sent.
            let mayHaveSent = error.mayHaveSent || error.error.code == .interrupted && isTaken.withLock(\.self)
            if !mayHaveSent { try? outbox.unmark(&marked, to: kept.tries) }
            throw error
        }
        do {
            if let note { try record.add(note) }
        } catch {
            throw Sendmail.Failure(error: error.asPulseError, mayHaveSent: true)
        }
        // If this fails, the next run removes what is recorded as sent.
        try? outbox.remove(marked)
    }

    /// Reports messages that may have been sent and are not sent again, and drops the old ones.
    private func giveUp(before first: Day, _ outbox: Outbox, _ report: inout Report) throws {
        for kept in outbox.items() {
            let (name, isOld) = (kept.item.recipient, kept.item.day < first)
            guard let tries = kept.tries, tries.day != app.today, isOld || tries.count >= Outbox.Tries.most
            else { continue }
            if isOld { try outbox.remove(kept) }
            report.news.append(
                PulseError(
                    .unavailable,
                    "sendmail took the digest of \(kept.item.day.text) for \(name) and did not say whether it went out.",
                    hint: isOld
                        ? "It was deleted."
                        : "It is not sent again by itself. If it has not arrived: pulse-digest schedule retry "
                            + "\(ShellWord.quoted(name)). To delete it: pulse-digest schedule drop "
                            + "\(ShellWord.quoted(name))",
                    cause: kept.cause + (isOld ? " deleted" : "")))
        }
    }

    /// Sends messages that wait, or that may not have arrived.
    ///
    /// - Parameter text: The recipient; nil: any.
    /// - Returns: How many messages sendmail has taken.
    package func retry(_ text: String?) async throws -> Int {
        let address = try text.map { text in try app.waitingAddress(text) }
        let state = try app.state()
        var report = Report()
        try await state.delivery().hold {
            let outbox = try Outbox(in: state)
            var record = try SentRecord(in: state)
            let items = outbox.items().filter { address == nil || $0.item.recipient == address?.key }
            try recover(items, [], record)
            try await send(items, from: outbox, &record, &report)
        }
        let faults = report.faults + report.unanswered
        for other in faults.dropFirst() { reporter.failure(other) }
        if let fault = faults.first { throw fault }
        return report.messages
    }

    private func tell(_ report: Report, _ mails: [Mail]) {
        let held = mails.map(\.recipient).filter { report.held.contains($0.key) }.map(\.address)
        // Those of this run are reported as its errors.
        if !held.isEmpty, report.unanswered.isEmpty {
            let names = held.joined(separator: ", ")
            reporter.note(
                held.count == 1
                    ? "The digest for \(names) may have gone out: sendmail did not confirm. To send it now: "
                        + "pulse-digest schedule retry"
                    : "The digests for \(names) may have gone out: sendmail did not confirm. To send them now: "
                        + "pulse-digest schedule retry")
        }
        if report.messages > 0 {
            reporter.hint(
                Counted.text(report.messages, "email handed to sendmail.", "emails handed to sendmail."))
        } else if report.isRepeated {
            let names = mails.map(\.recipient.address).filter { !held.contains($0) }
            guard !names.isEmpty else { return }
            let list = names.joined(separator: ", ")
            reporter.note("Today's digest was already sent to \(list). To send it again: --again")
        }
    }
}

/// The errors of a delivery: each cause once, with its recipients.
private struct DeliveryFaults {
    private var all: [(error: PulseError, names: [String])] = []

    /// - Parameter name: The recipient; nil: there is only one.
    mutating func add(_ error: PulseError, for name: String?) {
        let known = all.firstIndex { $0.error.code == error.code && $0.error.reason == error.reason }
        if known == nil { all.append((error, [])) }
        let place = known ?? all.count - 1
        if let name, !all[place].names.contains(name) { all[place].names.append(name) }
    }

    func told(_ sentence: ([String]) -> Message) -> [PulseError] {
        all.map { error, names in
            guard !names.isEmpty else { return error }
            var told = error.adding(sentence(names))
            // So that another recipient's refusal counts as a new cause, and another day's does not.
            if error.code != .tryAgain { told.cause = ([error.reason] + names.sorted()).joined(separator: " ") }
            return told
        }
    }
}
