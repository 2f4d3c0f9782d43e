import Foundation
import PulseCore
import PulseRendering

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
    func run(_ report: inout Report) async throws(Failure) {
        let recipients = try context.recipients()
        let day = Day(context.now, in: context.timeZone)
        if context.settings.isDryRun {
            try await show(recipients)
            return
        }
        let state = try context.state()
        let lock = try state.delivery()
        var record = try SentRecord(in: state)
        let outbox = try Outbox(in: state)
        try drop(from: outbox)

        let due = recipients.filter {
            !report.made.contains($0.key) && (context.settings.isAgain || !isDone($0, on: day, record, outbox))
        }
        var fault: Failure?
        if !due.isEmpty {
            do throws(Failure) {
                report.articles = try await make(for: due, on: day, into: outbox)
                report.made.formUnion(due.map(\.key))
            } catch {
                fault = error
            }
        }
        // What was kept goes out also on a night whose digest cannot be made.
        report.isRepeated = due.isEmpty && report.made.isEmpty
        if fault?.code != .interrupted {
            do throws(Failure) {
                try await send(outbox, &record, &report)
            } catch {
                fault = fault ?? error
            }
        }
        withExtendedLifetime(lock) {}
        if let fault { throw fault }
        tell(report, recipients: recipients)
    }

    private func isDone(_ recipient: MailAddress, on day: Day, _ record: SentRecord, _ outbox: Outbox) -> Bool {
        record.holds(day, for: recipient.key) || outbox.holds(day, for: recipient.key)
    }

    // MARK: - Making

    /// - Returns: How many articles the digest tells of; 0 where nothing was read, and then nothing is kept.
    private func make(for due: [MailAddress], on day: Day, into outbox: Outbox) async throws(Failure) -> Int {
        guard let digest = try await digest() else { return 0 }
        context.keep(digest)
        for recipient in due {
            try outbox.put(
                Outbox.Item(
                    day: day, to: recipient.key, articles: digest.readings.count, again: context.settings.isAgain,
                    message: context.email(of: digest, to: [recipient]).text))
        }
        return digest.readings.count
    }

    /// --dry-run: the messages on the output, and nothing is changed.
    private func show(_ recipients: [MailAddress]) async throws(Failure) {
        guard let digest = try await digest() else { return }
        for recipient in recipients {
            try context.console.write(context.email(of: digest, to: [recipient]).text)
        }
    }

    private func digest() async throws(Failure) -> Digest? {
        let status = context.statusLine()
        defer { status.clear() }
        return try await DigestMaker(context: context, status: status).make()
    }

    // MARK: - Sending

    /// News of two weeks ago is none; and what nobody takes must not fill a disk.
    private func drop(from outbox: Outbox) throws(Failure) {
        let first = context.now.addingTimeInterval(-Self.daysKept * 86_400)
        let dropped = try outbox.trim(before: Day(first, in: context.timeZone))
        if dropped > 0 {
            context.note(context.mailMessages.dropped(dropped))
        }
    }

    private static let daysKept: Double = 14

    private func send(_ outbox: Outbox, _ record: inout SentRecord, _ report: inout Report) async throws(Failure) {
        let (items, damaged) = try outbox.items()
        var fault: Failure?
        if damaged > 0 {
            let lost = Counted.text(damaged, "digest that waits to be sent is", "digests that wait to be sent are")
            fault = Failure(.badData, "\(lost) damaged, and will not be.", cause: "damaged")
        }
        if items.isEmpty, let fault { throw fault }
        guard !items.isEmpty else { return }
        let sendmail: Sendmail
        do throws(Failure) {
            sendmail = try Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout)
        } catch {
            let kept = Counted.text(items.count, "digest is", "digests are")
            throw Failure(
                error.code, "\(error.message) \(kept) kept, and will go out with the next run.", cause: error.cause)
        }
        var refused: Set<String> = []
        for item in items {
            if item.again || !record.holds(item.day, for: item.to) {
                do throws(Failure) {
                    try await sendmail.send(item.message)
                    report.messages += 1
                    report.articles = max(report.articles, item.articles)
                } catch {
                    if error.code == .interrupted { throw error }
                    let kept =
                        "The digest of \(item.day.text) for \(item.to) is not sent yet: it is kept, and goes out with the next run."
                    fault = fault ?? Failure(error.code, "\(error.message) \(kept)", cause: error.cause)
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
        throw Failure(fault.code, fault.message, cause: ([fault.cause] + refused.sorted()).joined(separator: " "))
    }

    private func tell(_ report: Report, recipients: [MailAddress]) {
        if report.messages > 0 {
            context.noteOnTerminal(context.mailMessages.handedOver(report.messages))
        } else if report.isRepeated {
            let names = recipients.map(\.address).joined(separator: ", ")
            context.noteOnTerminal(context.mailMessages.sentBefore(names))
        }
    }
}
