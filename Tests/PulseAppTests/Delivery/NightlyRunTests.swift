import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseApp
@testable import PulsePlatform

extension RealProcesses {
    /// Nights on which a digest waits in the outbox, with a scripted sendmail and a scripted clock.
    @Suite(.timeLimit(.minutes(20))) struct NightlyRunTests {
        private let folder: TemporaryFolder
        private let now = Date(timeIntervalSince1970: 1_795_298_400)  // 2026-11-21T22:00:00Z

        init() throws { folder = try TemporaryFolder() }

        private func app(_ now: Date) -> AppEnvironment {
            AppEnvironment(home: folder, variables: ["F": folder.path], now: now)
        }

        private func night(
            now: Date, scheduler: TimerKind?, retry: Duration = .seconds(900), to: [String] = ["Ana@example.org"],
            basis: DigestBasis = .read, timeout: Duration = .seconds(60),
            wait: @escaping @Sendable (Duration) async throws -> Void
        ) throws -> NightlyRun {
            var mail = MailSettings()
            mail.sendmail = folder.file("sendmail")
            mail.retryTime = retry
            mail.timeout = timeout
            return NightlyRun(
                for: [try DigestReader(to) { $0.basis = basis }], by: mail, in: app(now), startedBy: scheduler,
                wait: wait)
        }

        private func sendmail(_ script: String) throws {
            try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "sendmail")
        }

        private func keep(
            on date: Date, for to: String = "ana@example.org", message: String = "To: ana@example.org\n\nHello\n"
        ) throws -> Outbox {
            let outbox = try Outbox(in: StateFolder(folder.file(".local/state/pulse-digest")))
            try outbox.put(
                Outbox.Item(
                    day: Day(date, in: .gmt), to: to, articles: 7, again: false, covered: [], message: message,
                    store: folder.file("history.sqlite"), profile: ""))
            return outbox
        }

        private func log() throws -> [RunLog.Entry] {
            try RunLog.entries(below: folder.file(".local/state/pulse-digest"))
        }

        private final class Waits: Sendable {
            let all = Mutex<[Duration]>([])
            func wait(_ time: Duration) { all.withLock { $0.append(time) } }
        }

        private func run(
            now: Date, scheduler: TimerKind?, retry: Duration = .seconds(900), to: [String] = ["Ana@example.org"],
            basis: DigestBasis = .read, timeout: Duration = .seconds(60)
        ) async throws -> (failure: PulseError?, waits: [Duration]) {
            let waits = Waits()
            let night = try night(
                now: now, scheduler: scheduler, retry: retry, to: to, basis: basis, timeout: timeout
            ) { waits.wait($0) }
            do {
                try await night.run()
                return (nil, waits.all.withLock(\.self))
            } catch {
                return (error.asPulseError, waits.all.withLock(\.self))
            }
        }

        @Test func whatPassesIsTriedAgainWithLongerAndLongerWaits() async throws {
            let outbox = try keep(on: now)
            // The third time it works.
            try sendmail("echo x >> $F/tries; [ $(wc -l < $F/tries) -ge 3 ] || exit 75; cat > $F/mail")
            let result = try await run(now: now, scheduler: .cron)
            #expect(try log().map(\.message) == [""])
            #expect(result.failure == nil)
            #expect(result.waits == [.seconds(30), .seconds(60)])
            #expect(outbox.items().isEmpty)
            #expect(try folder.text("mail").hasSuffix("Hello\n"))
            #expect(try log().map(\.outcome) == ["sent"])
            #expect(try log().first?.articles == 7)
        }

        @Test func accountsThatCannotBeReadCostNoMail() async throws {
            let outbox = try keep(on: now)
            try sendmail("cat >> $F/mail")
            try folder.write("{ nonsense", to: ".config/pulse-digest/accounts.json")
            #expect(try await run(now: now, scheduler: .cron).failure == PulseError(.configuration, ""))
            let mail = try folder.text("mail")
            #expect(mail.contains("Hello\n") && mail.contains("accounts.json"))
            #expect(try outbox.items().isEmpty && log().map(\.outcome) == ["sent"])
        }

        @Test func theWaitsHaveAnEnd() async throws {
            let outbox = try keep(on: now)
            try sendmail("echo the line is busy >&2; exit 75")
            let result = try await run(now: now, scheduler: .cron)
            #expect(result.waits == [.seconds(30), .seconds(60), .seconds(120), .seconds(240), .seconds(450)])
            // The first night is not told of, but its status says it.
            #expect(result.failure == PulseError(.tryAgain, ""))
            #expect(outbox.items().count == 1)
            let log = try log()
            #expect(log.first?.message.contains("the line is busy") == true, "\(log)")
        }

        @Test func aPersonIsToldAtOnce() async throws {
            _ = try keep(on: now)
            try sendmail("echo the line is busy >&2; exit 75")
            let result = try await run(now: now, scheduler: nil)
            #expect(result.waits == [])
            #expect(result.failure?.code == .tryAgain)
            #expect(result.failure?.description.contains("the line is busy") == true)
            #expect(result.failure?.description.contains("the next run sends it") == true)
        }

        @Test func aPassingCauseIsToldOfAfterTheThirdNight() async throws {
            try sendmail("exit 75")
            var told: [Bool] = []
            for night in 0..<4 {
                let date = now.addingTimeInterval(Double(night) * 86_400)
                _ = try keep(on: date)
                let failure = try await run(now: date, scheduler: .cron, retry: .zero).failure
                #expect(failure?.code == .tryAgain)
                told.append(failure?.description.isEmpty == false)
            }
            #expect(told == [false, false, true, false])
            // All that was kept goes out when the line is free again, the oldest first, and silently.
            try sendmail("cat > /dev/null; echo sent >> $F/mails")
            let date = now.addingTimeInterval(3 * 86_400 + 600)
            #expect(try await run(now: date, scheduler: .cron).failure == nil)
            #expect(try folder.text("mails") == "sent\nsent\nsent\nsent\n")
        }

        @Test func aLastingCauseIsToldOfOnce() async throws {
            _ = try keep(on: now)
            try sendmail("echo \"no such user $$\" >&2; exit 67")
            let first = try await run(now: now, scheduler: .cron).failure
            #expect(first?.code == .unavailable && first?.description.contains("no such recipient") == true)
            #expect(first?.description.contains("schedule log") == true)
            let next = now.addingTimeInterval(86_400 - 60)
            _ = try keep(on: next)
            let second = try await run(now: next, scheduler: .cron).failure
            #expect(second == PulseError(.unavailable, ""))
            #expect(try log().count == 2)
        }

        /// However many there are, today's are sent; what is older than two weeks is dropped.
        @Test func manyRecipientsAllGetTheirs() async throws {
            let names = (0..<30).map { "reader\($0)@example.org" }
            for name in names { _ = try keep(on: now, for: name) }
            _ = try keep(on: now.addingTimeInterval(-14 * 86_400), message: "two weeks ago")
            let outbox = try keep(on: now.addingTimeInterval(-15 * 86_400), message: "before that")
            try sendmail("cat >> $F/mails; echo sent >> $F/count")
            #expect(try await run(now: now, scheduler: .cron, to: names).failure == nil)
            #expect(try folder.text("count").split(separator: "\n").count == 31)
            let mails = try folder.text("mails")
            #expect(mails.contains("two weeks ago") && !mails.contains("before that"))
            #expect(outbox.items().isEmpty)
        }

        /// Two readers have the same digest, and the mailbox of one is away for longer than a message is kept.
        @Test func whatWaitedForOneOfTwoReadersIsNotLostWithTheirMail() async throws {
            func run(_ now: Date) async throws {
                _ = try await self.run(
                    now: now, scheduler: .cron, to: ["ana@example.org", "ben@example.org"], basis: .unread)
            }
            let date = now
            let store = try app(date).history.open(.readWrite)
            let feeds = try store.add([Feed(address: "https://alder.example/", title: "Alder", addedAt: date)])
            let entry = Article(
                id: "a", title: "The bridge opens",
                content: "The bridge of Orlen was opened on Monday by its mayor.")
            _ = try store.record(
                feeds.map { FetchedFeed(feed: $0, contents: FeedContents(entries: [entry])) }, at: date - 60)
            try sendmail("cat > $F/mail; ! grep -q 'To: ben@' $F/mail || exit 67; cat $F/mail >> $F/mails")
            try await run(now)
            try sendmail("cat >> $F/mails")
            try await run(now + 15 * 86_400)
            let mails = try folder.text("mails")
            for name in ["ana", "ben"] {
                #expect(mails.components(separatedBy: "To: \(name)@example.org\n").count == 2, "\(mails)")
            }
        }

        @Test func aMessageThatIsDamagedIsToldOfOnce() async throws {
            let outbox = try keep(on: now.addingTimeInterval(-86_400))
            let folder = try StateFolder(folder.file(".local/state/pulse-digest/outbox"))
            try folder.write(Data("{ half".utf8), to: try #require(folder.files().first))
            _ = try keep(on: now)
            try sendmail("cat >> $F/mail")
            // It is told by mail, since there is one, and not by cron's as well.
            let failure = try await run(now: now, scheduler: .cron).failure
            #expect(failure == PulseError(.badData, ""))
            let mail = try self.folder.text("mail")
            #expect(mail.contains("Hello\n") && mail.contains("1 unsent digest was damaged"))
            #expect(mail.contains("Subject: pulse-digest: something needs your attention"))
            #expect(try await run(now: now, scheduler: .cron).failure == nil)
            #expect(outbox.items().isEmpty)
        }

        /// Killed between sendmail's success and the note of it, or between the note and the outbox.
        @Test func aMessageThatIsNotedAsSentIsNotSentAgain() async throws {
            let outbox = try keep(on: now)
            var record = try SentRecord(in: StateFolder(folder.file(".local/state/pulse-digest")))
            try record.add(try record.prepare(try #require(outbox.items().first).item, at: now))
            try sendmail("touch $F/mail")
            #expect(try await run(now: now, scheduler: .cron).failure == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.file("mail")))
            #expect(outbox.items().isEmpty)
            #expect(try log().map(\.outcome) == ["repeated"])
        }

        @Test func aSendmailThatTakesAPartHasNotSent() async throws {
            let outbox = try keep(on: now, message: "To: a\n\n" + String(repeating: "line\n", count: 100_000))
            try sendmail("head -c 10 > /dev/null; exec <&-; sleep 0.1; exit 0")
            let failure = try await run(now: now, scheduler: nil).failure
            #expect(failure?.description.contains("a part of the message") == true)
            #expect(outbox.items().count == 1)
        }

        /// How children end is `ChildProcessTests`' business; what becomes of the message is this one's.
        @Test func aSendmailThatHangsOrTalksHasNotSent() async throws {
            let outbox = try keep(on: now)
            try sendmail("sleep 600")
            let hung = try await run(now: now, scheduler: nil, timeout: .seconds(0.2)).failure
            #expect(hung?.code == .tryAgain && hung?.description.contains("took longer than") == true)
            try sendmail("yes 'no such user' | head -c 4000000 >&2; exit 67")
            let talked = try await run(now: now, scheduler: nil).failure
            #expect(talked?.code == .unavailable && (talked?.description.utf8.count ?? 0) < 1000)
            #expect(outbox.items().count == 1)
        }

        @Test func whoHoldsTheLockIsWaitedForByAScheduleOnly() async throws {
            let outbox = try keep(on: now)
            try sendmail("cat > /dev/null")
            let lock = Mutex<LockHolder?>(try LockHolder(folder.file(".local/state/pulse-digest/lock")))
            #expect(try await run(now: now, scheduler: nil).failure?.code == .tryAgain)
            try await night(now: now, scheduler: .cron) { _ in lock.withLock { $0 = nil } }.run()
            #expect(outbox.items().isEmpty)
        }

        private final class LockHolder: Sendable {
            let lock: FileLock

            init?(_ path: String) throws {
                guard let lock = try FileLock(path) else { return nil }
                self.lock = lock
            }
        }
    }
}
