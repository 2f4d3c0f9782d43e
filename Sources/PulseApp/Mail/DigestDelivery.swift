import Foundation
package import PulseCore
import PulsePlatform
package import PulseRendering
import PulseStore

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
        /// Whose message was made; another try is not for them, whether or not it is --again.
        fileprivate var made: Set<String> = []
    }

    /// - Parameter report: What was done, also where this throws. Another try goes on from that of the one before.
    func run(_ report: inout Report) async throws(PulseError) {
        report.faults = []
        let mails = try self.mails()
        try await app.state().delivery().hold { () async throws(PulseError) in
            try await deliver(mails, on: app.today, try app.state(), &report)
        }
        tell(report, mails)
    }

    /// The messages as they would be sent now. Nothing is changed.
    package func preview(_ onMessage: (String) throws(PulseError) -> Void) async throws(PulseError) {
        for mail in try mails() {
            if let digest = try await digest(for: mail) { try onMessage(message(of: digest, for: mail)) }
        }
    }

    /// A digest for one recipient.
    private struct Mail {
        let reader: DigestReader
        let recipient: MailAddress
    }

    private func mails() throws(PulseError) -> [Mail] {
        var mails: [Mail] = []
        for reader in readers { mails += try reader.recipients().map { Mail(reader: reader, recipient: $0) } }
        return mails
    }

    /// Makes and sends what is due, while the lock is held.
    private func deliver(
        _ mails: [Mail], on day: Day, _ state: StateFolder, _ report: inout Report
    ) async throws(PulseError) {
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        try drop(from: outbox)
        let damaged = try recover(outbox, record)
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

    private func isDone(_ mail: Mail, on day: Day, _ record: SentRecord, _ outbox: Outbox) -> Bool {
        record.holds(day, for: key(mail)) || outbox.holds(day, for: key(mail))
    }

    /// Whose message of a day it is: a week's is none of the day's.
    private func key(_ mail: Mail) -> String {
        mail.reader.request.isWeek ? mail.recipient.key + Self.week : mail.recipient.key
    }

    private static let week = " (week)"

    // MARK: - Making

    /// - Returns: How many articles the digest tells of; 0 where nothing is new, and then nothing is kept.
    private func make(_ mail: Mail, on day: Day, into outbox: Outbox) async throws(PulseError) -> Int {
        guard let digest = try await digest(for: mail) else { return 0 }
        let request = mail.reader.request
        let window = DigestWindow(of: request, for: mail.recipient, in: app)
        let coverage = window.coverage(of: digest)
        let item = Outbox.Item(
            day: day, to: key(mail), articles: digest.readings.count, again: request.isAgain,
            covered: digest.considered,
            message: message(of: digest, for: mail), store: app.history.identity, profile: request.profile,
            coverage: coverage)
        try outbox.put(item)
        window.keep(digest, as: request.isWeek ? .week : .mailed, reporter: reporter)
        // Of a run that ends before this, the next one notes it; where it cannot be noted, nothing is sent.
        do throws(PulseError) {
            if let coverage { try window.note(digest.considered, coverage) }
        } catch {
            try outbox.remove(item)
            throw error
        }
        return digest.readings.count
    }

    private func digest(for mail: Mail) async throws(PulseError) -> Digest? {
        defer { reporter.clear() }
        let (reader, recipient) = (mail.reader, mail.recipient)
        return try await DigestMaker(
            of: reader.request, for: recipient, by: reader.model, in: app, reporter: reporter
        ).make().map { DigestEmail(from: reader.from, in: app).fitting($0, to: [recipient]) }
    }

    private func message(of digest: Digest, for mail: Mail) -> String {
        DigestEmail(from: mail.reader.from, in: app).message(of: digest, to: [mail.recipient]).text
    }

    // MARK: - Sending

    /// What nobody takes must not fill a disk. Its articles are told by the next digest.
    private func drop(from outbox: Outbox) throws(PulseError) {
        let first = Day(app.now.addingTimeInterval(-Self.daysKept * 86_400), in: app.timeZone)
        for item in try outbox.items(before: first) where item.store == app.history.identity {
            let reader = EntryReader(profile: item.profile, recipient: item.to.replacing(Self.week, with: ""))
            try app.history.writing { store throws(PulseError) in
                try store.unmarkDelivered(articles: item.covered, to: item.to)
                try store.unmarkDelivered(entries: item.covered, to: reader)
            }
        }
        let dropped = try outbox.trim(before: first)
        if dropped > 0 {
            reporter.note(
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
            guard let from = message.day.start(in: app.calendar),
                let to = app.calendar.date(byAdding: .day, value: 1, to: from)
            else { continue }
            try app.history.writing { store throws(PulseError) in
                try store.unmarkDelivered(between: from, and: to) { reader in
                    message.isFor(reader) && !record.holds(message.day, for: reader)
                }
            }
        }
        for item in try outbox.items() where item.store == app.history.identity {
            guard let coverage = item.coverage else { continue }
            let address = try MailAddress(item.to)
            var request = DigestRequest()
            request.profile = item.profile
            try DigestWindow(of: request, for: address, in: app).note(item.covered, coverage)
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
                    faults.add(error, for: item.to)
                    // What refuses one message may take another. A server that lets one wait lets all of them wait.
                    if ContinuousClock.now - start > mail.timeout { break }
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

/// A digest as an email.
package struct DigestEmail {
    private let from: MailAddress
    private let timeZone: TimeZone

    /// - Parameter from: Nil: the user of this machine.
    package init(from: MailAddress?, in app: AppEnvironment) {
        self.from = from ?? Sender.address(environment: app.variables)
        timeZone = app.timeZone
    }

    /// - Parameter to: At least one.
    package func message(of digest: Digest, to: [MailAddress]) -> EmailMessage {
        EmailMessage(digest, from: from, to: to, timeZone: timeZone)
    }

    /// The digest as far as it fits into a mail, whatever feeds have brought: some programs cut what is longer, and some
    /// servers refuse it. What does not fit is counted, with the command that lists it.
    package func fitting(_ digest: Digest, to: [MailAddress]) -> Digest {
        func fits(_ digest: Digest) -> Bool { message(of: digest, to: to).text.utf8.count <= Self.longestMail }
        if fits(digest) { return digest }
        let most = max(0, digest.stories.count - 1)
        // What gives way: long links, then the stories that take most room, then who else tells them.
        for readings in [Int.max, 1] {
            func cut(_ stories: Int) -> Digest {
                digest.cut(largest: stories, mostReadings: readings, longestLink: Self.longestLink)
            }
            guard fits(cut(most)) else { continue }
            var (least, enough) = (0, most)
            while least < enough {
                let middle = (least + enough) / 2
                if fits(cut(middle)) { enough = middle } else { least = middle + 1 }
            }
            return cut(least)
        }
        return digest.cut(largest: most, mostReadings: 1, longestLink: Self.longestLink)
    }

    /// In bytes.
    private static let longestMail = 200_000
    private static let longestLink = 500
}
