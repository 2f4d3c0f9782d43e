import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore

/// A digest by mail: made once for the day, kept, handed to sendmail for each recipient, and noted as sent only then.
///
/// Whatever ends this between two steps leaves a message in the outbox, and the next run goes on from there. The one
/// gap is between sendmail's success and the note of it: the message then goes out twice, with one and the same
/// Message-ID.
struct DigestDelivery {
    let context: Context

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
        /// Whose message was made; another try is not for them, whether or not it is --again.
        fileprivate var made: Set<String> = []
    }

    /// - Parameter report: What was done, also where this throws. Another try goes on from that of the one before.
    func run(_ report: inout Report) async throws(PulseError) {
        report.faults = []
        var mails: [Mail] = []
        for reader in context.readers {
            mails += try reader.recipients().map { Mail(context: reader, recipient: $0) }
        }
        let day = Day(context.now, in: context.timeZone)
        if context.settings.isDryRun {
            try await show(mails)
            return
        }
        let state = try context.state()
        try await state.delivery().hold { () async throws(PulseError) in
            try await deliver(mails, on: day, state, &report)
        }
        tell(report, mails)
    }

    /// Whom a digest is for, with the settings it is made with.
    private struct Mail {
        let context: Context
        let recipient: MailAddress
    }

    /// Makes and sends what is due, while the lock is held.
    private func deliver(
        _ mails: [Mail], on day: Day, _ state: StateFolder, _ report: inout Report
    ) async throws(PulseError) {
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        try drop(from: outbox)
        let damaged = try recover(outbox, record)
        try FirstRuns.note(mails.map(\.recipient), at: context.now, in: state)

        let due = mails.filter {
            !report.made.contains(key($0.recipient))
                && (context.settings.isAgain || !isDone($0.recipient, on: day, record, outbox))
        }
        var faults = DeliveryFaults()
        for mail in due {
            do throws(PulseError) {
                report.articles = max(report.articles, try await make(mail, on: day, into: outbox))
                report.made.insert(key(mail.recipient))
            } catch {
                if error.code == .interrupted { throw error }
                faults.add(error, for: mails.count > 1 ? mail.recipient.address : nil)
            }
        }
        report.faults = faults.told { "No digest was made for \($0)." }
        if damaged > 0 {
            let lost = Counted.text(
                damaged, "unsent digest was damaged. Its articles are in the next one.",
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

    private func isDone(_ recipient: MailAddress, on day: Day, _ record: SentRecord, _ outbox: Outbox) -> Bool {
        record.holds(day, for: key(recipient)) || outbox.holds(day, for: key(recipient))
    }

    /// Whose message of a day it is: a week's is none of the day's.
    private func key(_ recipient: MailAddress) -> String {
        context.settings.isWeek ? recipient.key + Self.week : recipient.key
    }

    private static let week = " (week)"

    // MARK: - Making

    /// - Returns: How many articles the digest tells of; 0 where nothing is new, and then nothing is kept.
    private func make(_ mail: Mail, on day: Day, into outbox: Outbox) async throws(PulseError) -> Int {
        guard let digest = try await digest(for: mail) else { return 0 }
        let (context, recipient) = (mail.context, mail.recipient)
        let window = DigestWindow(context: context, reader: recipient)
        let coverage = window.coverage(of: digest)
        let item = Outbox.Item(
            day: day, to: key(recipient), articles: digest.readings.count, again: context.settings.isAgain,
            covered: digest.considered, message: context.email(of: digest, to: [recipient]).text,
            store: context.storeIdentity, profile: context.settings.profile, coverage: coverage)
        try outbox.put(item)
        context.keep(digest, as: context.settings.isWeek ? .week : .mailed, for: recipient.key)
        // Of a run that ends before this, the next one notes it; where it cannot be noted, nothing is sent.
        do throws(PulseError) {
            if let coverage { try window.note(digest.considered, coverage) }
        } catch {
            try outbox.remove(item)
            throw error
        }
        return digest.readings.count
    }

    /// --dry-run: the messages on the output, and nothing is changed.
    private func show(_ mails: [Mail]) async throws(PulseError) {
        for mail in mails {
            guard let digest = try await digest(for: mail) else { continue }
            try context.console.write(mail.context.email(of: digest, to: [mail.recipient]).text)
        }
    }

    private func digest(for mail: Mail) async throws(PulseError) -> Digest? {
        let status = context.statusLine()
        defer { status.clear() }
        return try await DigestMaker(context: mail.context, status: status, reader: mail.recipient).make()
            .map { mail.context.fitting($0, to: [mail.recipient]) }
    }

    // MARK: - Sending

    /// What nobody takes must not fill a disk. Its articles are told by the next digest.
    private func drop(from outbox: Outbox) throws(PulseError) {
        let first = Day(context.now.addingTimeInterval(-Self.daysKept * 86_400), in: context.timeZone)
        for item in try outbox.items(before: first) where item.store == context.storeIdentity {
            let reader = EntryReader(profile: item.profile, recipient: item.to.replacing(Self.week, with: ""))
            try context.writing { store throws(PulseError) in
                try store.forgetTold(articles: item.covered, to: item.to)
                try store.forgetTold(entries: item.covered, to: reader)
            }
        }
        let dropped = try outbox.trim(before: first)
        if dropped > 0 {
            context.note(
                Counted.text(
                    dropped, "unsent digest from more than two weeks ago dropped.",
                    "unsent digests from more than two weeks ago dropped."))
        }
    }

    /// What an earlier run made and did not live to note is noted; and what a message covers that cannot be read any
    /// more counts as not told, unless it was sent.
    ///
    /// - Returns: How many such messages there are.
    private func recover(_ outbox: Outbox, _ record: SentRecord) throws(PulseError) -> Int {
        let damaged = try outbox.setAsideDamaged()
        for message in damaged {
            guard let from = message.day.start(in: context.calendar),
                let to = context.calendar.date(byAdding: .day, value: 1, to: from)
            else { continue }
            try context.writing { store throws(PulseError) in
                try store.forgetTold(between: from, and: to) { reader in
                    message.isFor(reader) && !record.holds(message.day, for: reader)
                }
            }
        }
        for item in try outbox.items() where item.store == context.storeIdentity {
            guard let coverage = item.coverage else { continue }
            let address = try MailAddress(item.to)
            var settings = context.settings
            settings.profile = item.profile
            try DigestWindow(context: context.with(settings), reader: address).note(item.covered, coverage)
        }
        return damaged.count
    }

    /// How long a message is kept that cannot be sent.
    private static let daysKept: Double = 14

    private func send(_ outbox: Outbox, _ record: inout SentRecord, _ report: inout Report) async throws(PulseError) {
        let items = try outbox.items()
        guard !items.isEmpty else { return }
        let sendmail: Sendmail
        do throws(PulseError) {
            sendmail = try Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout)
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
                let note = try record.prepare(item.day, for: item.to, at: context.now)
                do throws(PulseError) {
                    try await sendmail.send(item.message)
                    report.messages += 1
                    report.articles = max(report.articles, item.articles)
                } catch {
                    note.discard()
                    if error.code == .interrupted { throw error }
                    faults.add(error, for: item.to)
                    // What refuses one message may take another. A server that lets one wait lets all of them wait.
                    if ContinuousClock.now - start > context.settings.sendTimeout { break }
                    continue
                }
                try record.add(note)
            }
            try outbox.remove(item)
        }
        report.faults += faults.told {
            "The digest for \($0) was not sent; it is kept and will be sent by the next run."
        }
    }

    private func tell(_ report: Report, _ mails: [Mail]) {
        if report.messages > 0 {
            context.noteOnTerminal(
                Counted.text(report.messages, "message handed to sendmail.", "messages handed to sendmail."))
        } else if report.isRepeated {
            let names = mails.map(\.recipient.address).joined(separator: ", ")
            context.noteOnTerminal("Today's digest was already sent to \(names). To send it again: --again")
        }
    }
}

/// Whom digests are for: those of the settings' top level, and those of its profiles.
extension Context {
    /// Whom this run is for, each with their own settings: whoever is named, else those of the settings' top level and
    /// of every profile that has an address.
    var readers: [Context] {
        guard settings.profile.isEmpty, !isGiven(.to) else { return [self] }
        let others = profiles.filter { !$0.to.isEmpty }.map { profile in
            var settings = profile
            settings.isQuiet = self.settings.isQuiet
            return with(settings)
        }
        return settings.to.isEmpty && !others.isEmpty ? others : [self] + others
    }

    /// Whom they are, each with their profile: `you@example.org, ana@example.org (ana)`; nil where there are no
    /// profiles.
    var readerNames: Message? {
        guard !profiles.isEmpty else { return nil }
        let addressed = ([settings] + profiles).filter { !$0.to.isEmpty }
        let others: [Message] = profiles.filter(\.to.isEmpty).map { "nobody (\($0.profile))" }
        return (addressed.map { Message(verbatim: Self.name($0)) } + others).joined(separator: ", ")
    }

    static func name(_ reader: Settings) -> String {
        let addresses = reader.to.map(\.address).joined(separator: ", ")
        return addresses + (reader.profile.isEmpty ? "" : " (\(reader.profile))")
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

    func told(_ sentence: (String) -> Message) -> [PulseError] {
        all.map { error, names in
            guard !names.isEmpty else { return error }
            var told = error.adding(sentence(names.joined(separator: ", ")))
            // That somebody else is refused is another matter; that another day's message is, is not.
            if error.code != .tryAgain { told.cause = ([error.reason] + names.sorted()).joined(separator: " ") }
            return told
        }
    }
}
