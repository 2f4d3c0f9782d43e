import Foundation
package import PulseCore
import PulsePlatform
package import PulseRendering
import PulseStore
import PulseText

/// A digest by mail: made once for the day, kept, handed to sendmail for each recipient, and noted as sent only then.
///
/// Whatever ends this between two steps leaves a message in the outbox, and the next run goes on from there. The one
/// gap is between sendmail's success and the note of it: the message then goes out twice, with one and the same
/// Message-ID.
package struct DigestDelivery: Sendable {
    let app: AppEnvironment
    let readers: [DigestReader]
    let mail: MailSettings
    let reporter: Reporter

    /// - Parameter mail: Which program takes it.
    package init(to readers: [DigestReader], by mail: MailSettings, in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.readers = readers
        self.mail = mail
        self.reporter = reporter
    }

    /// What a run did.
    struct Report: Sendable, Hashable {
        /// How many articles the digest tells of; 0 where none was made.
        var articles = 0
        /// How many messages sendmail has taken.
        var messages = 0
        /// Whether there was nothing to do: that day's mail was out.
        var isRepeated = false
        /// What kept digests from being made or sent, each cause once; the others were sent all the same.
        var faults: [PulseError] = []
        /// What the run ended with: the first of these, or what stopped it; nil: nothing.
        var fault: PulseError?
        /// The keys of the recipients whose message was made. A retry skips them, even with --again.
        fileprivate var made: Set<String> = []

        init(fault: PulseError? = nil) { self.fault = fault }
    }

    /// - Parameter earlier: What the try before this one did.
    /// - Returns: What both did, and what went wrong in this one.
    func run(after earlier: Report = Report()) async -> Report {
        var report = earlier
        (report.faults, report.fault) = ([], nil)
        do throws(PulseError) {
            let mails = try self.mails()
            let state = try app.state()
            try await state.delivery().hold { () async throws(PulseError) in
                try await deliver(mails, on: app.today, state, &report)
            }
            tell(report, mails)
        } catch {
            report.fault = error
        }
        return report
    }

    /// A digest for one recipient.
    package struct Mail: Sendable {
        let reader: DigestReader
        let recipient: MailAddress
    }

    package func mails() throws(PulseError) -> [Mail] {
        var mails: [Mail] = []
        for reader in readers { mails += try reader.recipients().map { Mail(reader: reader, recipient: $0) } }
        return mails
    }

    /// The message as it would be sent now; nil where nothing is new. Nothing is changed.
    package func preview(_ mail: Mail) async throws(PulseError) -> String? {
        try await message(for: mail)?.message.text
    }

    /// Makes and sends what is due, while the lock is held.
    private func deliver(
        _ mails: [Mail], on day: Day, _ state: StateFolder, _ report: inout Report
    ) async throws(PulseError) {
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        let first = Day(app.now.addingTimeInterval(-Self.daysKept * 86_400), in: app.timeZone)
        let kept = try outbox.contents()
        try drop(kept.items.filter { $0.day < first }, before: first, from: outbox)
        let damaged = kept.damaged.filter { $0.day >= first }
        try recover(kept.items.filter { $0.day >= first }, damaged, record)
        try FirstRunDates.note(mails.map(\.recipient), at: app.now, in: state)

        let due = mails.filter {
            !report.made.contains(key($0)) && ($0.reader.request.isAgain || !isDone($0, on: day, record, outbox))
        }
        var faults = DeliveryFaults()
        for mail in due {
            do throws(PulseError) {
                report.articles = max(report.articles, try await make(mail, on: day, into: outbox))
                report.made.insert(key(mail))
            } catch {
                if error.code == .interrupted { throw error }
                faults.add(error, for: mails.count > 1 ? mail.recipient.address : nil)
            }
        }
        report.faults = faults.told { "No digest was made for \($0.joined(separator: ", "))." }
        if !damaged.isEmpty {
            let lost = Counted.text(
                damaged.count, "unsent digest was damaged. Its articles are in the next one.",
                "unsent digests were damaged. Their articles are in the next ones.")
            report.faults.append(PulseError(.badData, lost, cause: "damaged \(day.text)"))
        }
        // What was kept goes out also on a night whose digest cannot be made.
        report.isRepeated = due.isEmpty && report.made.isEmpty
        do throws(PulseError) {
            try await send(outbox, &record, &report)
        } catch {
            if error.code == .interrupted { throw error }
            report.faults.append(error)
        }
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

    /// - Returns: How many articles the digest tells of; 0 where nothing is new, and then nothing is kept.
    private func make(_ mail: Mail, on day: Day, into outbox: Outbox) async throws(PulseError) -> Int {
        guard let (message, digest) = try await message(for: mail) else { return 0 }
        let request = mail.reader.request
        let window = DigestWindow(of: request, for: mail.recipient, in: app)
        let coverage = window.coverage(of: digest)
        let item = Outbox.Item(
            day: day, to: key(mail), articles: digest.readings.count, again: request.isAgain,
            covered: digest.considered, message: message.text, store: app.history.identity, profile: request.profile,
            coverage: coverage)
        try outbox.put(item)
        // If the run is killed here, the next one notes it. If it cannot be noted, the message is not sent.
        do throws(PulseError) {
            try window.deliver(digest, as: request.isWeek ? .week : .mailed, coverage, reporter: reporter)
        } catch {
            try outbox.remove(item)
            throw error
        }
        return digest.readings.count
    }

    /// - Returns: The message, and the digest as it says it; nil where nothing is new.
    private func message(for mail: Mail) async throws(PulseError) -> (message: EmailMessage, digest: Digest)? {
        defer { reporter.clear() }
        let reader = mail.reader
        let maker = DigestMaker(
            of: reader.request, for: mail.recipient, by: reader.model, in: app, reporter: reporter)
        guard let digest = try await maker.make() else { return nil }
        return EmailMessage.fitting(
            digest, from: reader.from ?? Sender.address(environment: app.variables), to: [mail.recipient],
            timeZone: app.timeZone)
    }

    // MARK: - Sending

    /// What nobody takes must not fill a disk. Its articles are told by the next digest.
    private func drop(_ items: [Outbox.Item], before first: Day, from outbox: Outbox) throws(PulseError) {
        try outbox.drop(items, in: app.history)
        let dropped = try items.count + outbox.trim(before: first)
        if dropped > 0 {
            reporter.note(
                Counted.text(
                    dropped, "unsent digest from more than two weeks ago dropped.",
                    "unsent digests from more than two weeks ago dropped."))
        }
    }

    /// Notes what a killed run has put into the outbox. What a damaged message covers counts as not told, unless it was
    /// sent.
    private func recover(
        _ items: [Outbox.Item], _ damaged: [Outbox.Damaged], _ record: SentRecord
    ) throws(PulseError) {
        for message in damaged {
            guard let from = message.day.start(in: app.calendar),
                let to = app.calendar.date(byAdding: .day, value: 1, to: from)
            else { continue }
            try app.history.writing { store throws(PulseError) in
                try store.unmarkDelivered(between: from, and: to) { reader in
                    message.isFor(reader) && !record.holds(message.day, for: reader)
                }
            }
        }
        for item in items where item.store == app.history.identity {
            guard let coverage = item.coverage else { continue }
            let address = try MailAddress(item.to)
            var request = DigestRequest()
            request.profile = item.profile
            try DigestWindow(of: request, for: address, in: app).note(item.covered, coverage)
        }
    }

    /// How long a message is kept that cannot be sent.
    private static let daysKept: Double = 14

    private func send(_ outbox: Outbox, _ record: inout SentRecord, _ report: inout Report) async throws(PulseError) {
        let items = try outbox.items()
        guard !items.isEmpty else { return }
        let sendmail: Sendmail
        do throws(PulseError) {
            sendmail = try mail.program(in: app)
        } catch {
            throw error.adding(
                Counted.text(
                    items.count, "digest is kept and will be sent by the next run.",
                    "digests are kept and will be sent by the next run."))
        }
        var faults = DeliveryFaults()
        let start = ContinuousClock.now
        for item in items {
            if item.again || !record.holds(item.day, for: item.to) {
                let note = try record.prepare(item.day, for: item.to, at: app.now)
                do throws(PulseError) {
                    try await sendmail.send(item.message)
                    report.messages += 1
                    report.articles = max(report.articles, item.articles)
                } catch {
                    note.discard()
                    if error.code == .interrupted { throw error }
                    faults.add(error, for: item.recipient)
                    // What refuses one message may take another. A server that lets one wait lets all of them wait.
                    if ContinuousClock.now - start > mail.timeout { break }
                    continue
                }
                try record.add(note)
            }
            try outbox.remove(item)
        }
        report.faults += faults.told { names in
            let name = names.count == 1 ? ShellWord.quoted(names[0]) : "ADDRESS"
            return "The digest for \(names.joined(separator: ", ")) was not sent; it is kept and will be sent by the "
                + "next run. To delete it instead: pulse-digest schedule drop \(name)"
        }
    }

    private func tell(_ report: Report, _ mails: [Mail]) {
        if report.messages > 0 {
            reporter.hint(
                Counted.text(report.messages, "message handed to sendmail.", "messages handed to sendmail."))
        } else if report.isRepeated {
            let names = mails.map(\.recipient.address).joined(separator: ", ")
            reporter.hint("Today's digest was already sent to \(names). To send it again: --again")
        }
    }
}

/// What kept digests from their readers: each cause once, with whom it concerned.
private struct DeliveryFaults {
    private var all: [(error: PulseError, names: [String])] = []

    /// - Parameter name: Whose digest it was; nil: there is only one.
    mutating func add(_ error: PulseError, for name: String?) {
        let place = all.firstIndex { $0.error.code == error.code && $0.error.reason == error.reason }
        if let place {
            let isKnown = name.map(all[place].names.contains) ?? true
            all[place].names += isKnown ? [] : [name].compactMap(\.self)
        } else {
            all.append((error, [name].compactMap(\.self)))
        }
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

/// Somebody whom digests are for: which, by which model, and to which addresses.
package struct DigestReader: Sendable {
    package var request: DigestRequest
    package var model: ModelSettings
    /// None: they read the output.
    package var to: [MailAddress]
    /// Whom their mail is from; nil: the user of this machine.
    package var from: MailAddress?

    package init(request: DigestRequest, model: ModelSettings, to: [MailAddress], from: MailAddress?) {
        self.request = request
        self.model = model
        self.to = to
        self.from = from
    }

    package var name: String { Self.name(to, profile: request.profile) }

    /// `ana@example.org (ana)`, with the profile where there is one.
    package static func name(_ addresses: [MailAddress], profile: String) -> String {
        addresses.map(\.address).joined(separator: ", ") + (profile.isEmpty ? "" : " (\(profile))")
    }

    /// Whom the digest is for, each once.
    package func recipients() throws(PulseError) -> [MailAddress] { try Self.recipients(of: to) }

    package static func recipients(of addresses: [MailAddress]) throws(PulseError) -> [MailAddress] {
        var seen: Set<String> = []
        let all = addresses.filter { seen.insert($0.key).inserted }
        guard !all.isEmpty else {
            throw PulseError(.usage, "No recipient.", hint: "Use --to ADDRESS, such as --to ana@example.org.")
        }
        return all
    }
}
