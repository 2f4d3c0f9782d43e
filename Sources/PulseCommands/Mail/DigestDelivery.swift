import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseSystem

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
        /// Whose message was made; another try is not for them, whether or not it is --again.
        fileprivate var made: Set<String> = []
    }

    /// - Parameter report: What was done, also where this throws. Another try goes on from that of the one before.
    func run(_ report: inout Report) async throws(PulseError) {
        let recipients = try context.recipients()
        let day = Day(context.now, in: context.timeZone)
        if context.settings.isDryRun {
            try await show(recipients)
            return
        }
        let state = try context.state()
        try await state.delivery().hold { () async throws(PulseError) in
            try await deliver(to: recipients, on: day, state, &report)
        }
        tell(report, recipients: recipients)
    }

    /// Makes and sends what is due, while the lock is held.
    private func deliver(
        to recipients: [MailAddress], on day: Day, _ state: StateFolder, _ report: inout Report
    ) async throws(PulseError) {
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        try drop(from: outbox)

        let due = recipients.filter {
            !report.made.contains(key($0)) && (context.settings.isAgain || !isDone($0, on: day, record, outbox))
        }
        var fault: PulseError?
        if !due.isEmpty {
            do throws(PulseError) {
                report.articles = try await make(for: due, on: day, into: outbox)
                report.made.formUnion(due.map(key))
            } catch {
                fault = error
            }
        }
        // What was kept goes out also on a night whose digest cannot be made.
        report.isRepeated = due.isEmpty && report.made.isEmpty
        if fault?.code != .interrupted {
            do throws(PulseError) {
                try await send(outbox, &record, &report)
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    private func isDone(_ recipient: MailAddress, on day: Day, _ record: SentRecord, _ outbox: Outbox) -> Bool {
        record.holds(day, for: key(recipient)) || outbox.holds(day, for: key(recipient))
    }

    /// Whose message of a day it is: a week's is none of the day's.
    private func key(_ recipient: MailAddress) -> String {
        context.settings.isWeek ? recipient.key + " (week)" : recipient.key
    }

    // MARK: - Making

    /// - Returns: How many articles the largest digest tells of; 0 where nothing is new, and then nothing is kept.
    private func make(for due: [MailAddress], on day: Day, into outbox: Outbox) async throws(PulseError) -> Int {
        var most = 0
        for recipient in due {
            guard let digest = try await digest(for: recipient) else { continue }
            try outbox.put(
                Outbox.Item(
                    day: day, to: key(recipient), articles: digest.readings.count, again: context.settings.isAgain,
                    covered: digest.considered,
                    message: context.email(of: digest, to: [recipient]).text, store: context.storeIdentity))
            context.keep(digest, as: context.settings.isWeek ? .week : .mailed, for: recipient.key)
            // A run that ends before this is noted sends the same articles again, rather than never.
            try DigestWindow(context: context, reader: recipient).noteSent(digest)
            most = max(most, digest.readings.count)
        }
        return most
    }

    /// --dry-run: the messages on the output, and nothing is changed.
    private func show(_ recipients: [MailAddress]) async throws(PulseError) {
        for recipient in recipients {
            guard let digest = try await digest(for: recipient) else { continue }
            try context.console.write(context.email(of: digest, to: [recipient]).text)
        }
    }

    private func digest(for recipient: MailAddress) async throws(PulseError) -> Digest? {
        let status = context.statusLine()
        defer { status.clear() }
        return try await DigestMaker(context: context, status: status, reader: recipient).make()
    }

    // MARK: - Sending

    /// What nobody takes must not fill a disk. Its articles are told by the next digest.
    private func drop(from outbox: Outbox) throws(PulseError) {
        let first = Day(context.now.addingTimeInterval(-Self.daysKept * 86_400), in: context.timeZone)
        for item in try outbox.items(before: first) where item.store == context.storeIdentity {
            try context.writing { store throws(PulseError) in try store.forgetSent(item.covered ?? [], to: item.to) }
        }
        let dropped = try outbox.trim(before: first)
        if dropped > 0 {
            context.note("\(context.mailMessages.dropped(dropped))")
        }
    }

    private static let daysKept: Double = 14

    private func send(_ outbox: Outbox, _ record: inout SentRecord, _ report: inout Report) async throws(PulseError) {
        let (items, damaged) = try outbox.items()
        var fault: PulseError?
        if damaged > 0 {
            let lost = Counted.text(
                damaged, "unsent digest is damaged and will not be sent.",
                "unsent digests are damaged and will not be sent.")
            fault = PulseError(.badData, lost, cause: "damaged")
        }
        if items.isEmpty, let fault { throw fault }
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
        var refused: Set<String> = []
        for item in items {
            if item.again || !record.holds(item.day, for: item.to) {
                do throws(PulseError) {
                    try await sendmail.send(item.message)
                    report.messages += 1
                    report.articles = max(report.articles, item.articles)
                } catch {
                    if error.code == .interrupted { throw error }
                    let kept: Message =
                        "The digest of \(item.day.text) for \(item.to) was not sent; it is kept and will be sent by the next run."
                    fault = fault ?? error.adding(kept)
                    if error.code != .tryAgain { refused.insert(item.to) }
                    // What keeps one message back now keeps all of them back; what refuses one may take another.
                    if error.code == .tryAgain { break }
                    continue
                }
                try record.add(item.day, for: item.to, at: context.now)
            }
            try outbox.remove(item)
        }
        guard let fault else { return }
        // That somebody else is refused is another matter; that another day's message is, is not.
        throw PulseError(
            fault.code, fault.message, hint: fault.hint,
            cause: ([fault.reason] + refused.sorted()).joined(separator: " "))
    }

    private func tell(_ report: Report, recipients: [MailAddress]) {
        if report.messages > 0 {
            context.noteOnTerminal("\(context.mailMessages.handedOver(report.messages))")
        } else if report.isRepeated {
            let names = recipients.map(\.address).joined(separator: ", ")
            context.noteOnTerminal("\(context.mailMessages.sentBefore(names))")
        }
    }
}
