import Foundation
import PulseCore
import PulseStore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseApp
@testable import PulsePlatform

/// Each write between a digest and its mail fails once, or is the last before the program is killed; and sendmail answers,
/// refuses, hangs and dies. However that may be, each reader is told each article: once, or twice by one message where
/// nobody can know whether it went out.
@Suite(.timeLimit(.minutes(5))) struct FailingWritesTests {
    /// What sendmail does on the second night.
    enum Manner: String, CaseIterable {
        case well, refuses, later, takesAPart
        /// Has the message whole and sends it, and does not say so.
        case hangs, dies
        /// Has the message whole, does not send it, and does not say so.
        case loses
    }

    enum Kind: String, CaseIterable { case full, lock, kill }

    struct Situation: CustomTestStringConvertible, Sendable {
        let basis: DigestBasis
        let manner: Manner
        var testDescription: String { "\(basis) \(manner)" }
    }

    static let situations =
        Manner.allCases.map { Situation(basis: .readAndUnread, manner: $0) }
        + [DigestBasis.read, .unread].flatMap { basis in
            [Situation(basis: basis, manner: .well)]
        }

    @Test(arguments: situations) func eachIsToldOnce(_ situation: Situation) async throws {
        let first = try TemporaryFolder()
        let nights = FailingNights(in: first, situation.basis)
        try await nights.run(day: 1)
        // How many writes the second night has where none of them fails.
        let trial = try await nights.copy()
        let writes = try await trial.run(day: 2, sendmail: situation.manner)
        #expect(writes.count > 8, "\(writes)")
        // These end as others do, but for their words.
        let kinds = [.later, .takesAPart, .dies].contains(situation.manner) ? [Kind.full] : Kind.allCases
        for index in writes.indices {
            for kind in kinds where kind != .lock || writes[index] == "COMMIT" {
                let nights = try await nights.copy()
                try await nights.run(day: 2, sendmail: situation.manner, failing: index, kind)
                // Somebody tries again in the same night.
                try await nights.run(day: 2, sendmail: situation.manner)
                try await nights.run(day: 3)
                // Nobody knows what became of what was taken without an answer.
                let mayBeTwice = kind == .kill || [.hangs, .dies].contains(situation.manner)
                nights.check(
                    days: 1...3, copies: mayBeTwice ? 2 : writes[index].hasSuffix("sent.json") ? 2 : 1,
                    "\(situation.testDescription), \(kind) at \(index): \(writes[index])")
            }
        }
    }

    /// Night after night sendmail takes what it is given and does not say: two copies of each message at most, and a word
    /// for each that may have come to nobody.
    @Test(arguments: [Manner.hangs, .dies, .loses]) func nightsWithoutAnAnswer(_ manner: Manner) async throws {
        let nights = FailingNights(in: try TemporaryFolder(), .readAndUnread)
        try await nights.run(day: 1)
        for day in 2...5 {
            for _ in 1...3 { try await nights.run(day: day, sendmail: manner) }
        }
        let state = nights.folder.file(".local/state/pulse-digest")
        #expect(Outbox.unanswered(below: state) == ["ana@example.org", "ben@example.org"])
        for day in 6...7 { try await nights.run(day: day) }
        // The fifth night's message is sent once more; those before it wait for somebody to ask for them.
        if manner == .loses {
            #expect(nights.missing(days: 1...7) == [20, 21, 30, 31, 40, 41])
            for day in 2...4 {
                #expect(nights.said.contains { $0.contains("2026-11-\(19 + day)") && $0.contains("schedule retry") })
            }
            #expect(try await nights.retry() == 6)
        }
        nights.check(days: 1...7, copies: 2, "\(manner)")
        // Nothing is left, and nothing comes again.
        if manner == .loses {
            #expect(Outbox.unanswered(below: state).isEmpty)
            try await nights.run(day: 8)
            nights.check(days: 1...8, copies: 1, "\(manner)")
        }
    }

    /// What a first digest left to the time before it stays there.
    @Test func aDamagedFirstMessageBringsNothingOlder() async throws {
        let nights = FailingNights(in: try TemporaryFolder(), .readAndUnread)
        try nights.recordOld(900..<912)
        try await nights.run(day: 1, sendmail: .refuses)
        let outbox = try StateFolder(nights.folder.file(".local/state/pulse-digest/outbox"))
        for name in outbox.files() { try outbox.write(Data("{".utf8), to: name) }
        for day in 2...4 { try await nights.run(day: day) }
        nights.check(days: 1...4, copies: 1, "damaged")
        #expect((900..<912).filter { !nights.copies(of: $0, to: "ana@").isEmpty } == [])
        #expect(nights.said.contains { $0.contains("damaged") })
    }

    /// A clock that is put back, and a machine that is off for weeks, change nothing.
    @Test(arguments: [[2, 1, 3], [2, 30, 31]]) func clocksThatJump(days: [Int]) async throws {
        let nights = FailingNights(in: try TemporaryFolder(), .readAndUnread)
        try await nights.run(day: 1)
        for (index, day) in days.enumerated() {
            try await nights.run(day: day, sendmail: index == 0 ? .loses : .well, articles: index + 2)
        }
        nights.check(days: 1...4, copies: 1, "\(days)")
    }
}

/// Nights of two readers by a clock that the test sets. Each day brings an article that was read and one that waits.
private final class FailingNights: Sendable {
    let folder: TemporaryFolder
    private let basis: DigestBasis
    /// What came to whom.
    private let mails: Mutex<[(id: String, to: String, text: String)]>
    private let words: Mutex<[String]>

    init(in folder: TemporaryFolder, _ basis: DigestBasis, mails: [(id: String, to: String, text: String)] = []) {
        self.folder = folder
        self.basis = basis
        self.mails = Mutex(mails)
        words = Mutex([])
    }

    var said: [String] { words.withLock(\.self) }

    /// The same nights so far, in a folder of their own.
    func copy() async throws -> FailingNights {
        let other = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: other.file(name))
        }
        return FailingNights(in: other, basis, mails: mails.withLock(\.self))
    }

    private func app(day: Int) -> AppEnvironment {
        AppEnvironment(home: folder, now: Date(timeIntervalSince1970: 1_795_212_000 + Double(day - 1) * 86_400))
    }

    private func delivery(day: Int, _ run: @escaping Sendmail.Run) throws -> DigestDelivery {
        var mail = MailSettings()
        mail.sendmail = "/bin/true"
        mail.run = run
        let reader = try DigestReader(["ana@example.org", "ben@example.org"]) { $0.basis = basis }
        return DigestDelivery(
            to: [reader], by: mail, in: app(day: day),
            reporter: Reporter { event in
                if case .failure(let error) = event { self.words.withLock { $0.append("\(error)") } }
            })
    }

    /// - Returns: The names of the writes.
    @discardableResult func run(
        day: Int, sendmail manner: FailingWritesTests.Manner = .well, articles: Int? = nil, failing index: Int? = nil,
        _ kind: FailingWritesTests.Kind = .full
    ) async throws -> [String] {
        try record(articles ?? day, at: app(day: day).now - 3600)
        let writes = Mutex<[String]>([])
        let isKilled = { @Sendable in kind == .kill && index.map { $0 < writes.withLock(\.count) } ?? false }
        let fault = { @Sendable (name: String) -> Int32? in
            let number = writes.withLock {
                $0.append(name)
                return $0.count - 1
            }
            guard let index, number == index || kind == .kill && number > index else { return nil }
            return kind == .lock ? WriteFault.lock : ENOSPC
        }
        let delivery = try delivery(day: day) { message, willEnd in
            if isKilled() { throw PulseError.interrupted }
            if manner == .takesAPart {
                return ChildProcess.Outcome(ending: .timedOut, output: Data(), errors: Data(), tookInput: false)
            }
            try willEnd()
            // Killed with the whole message given away, before it was sent and after.
            if fault("sendmail has it") != nil, kind == .kill { throw PulseError.interrupted }
            if ![.refuses, .later, .loses].contains(manner) { self.take(message) }
            if fault("sendmail has sent it") != nil, kind == .kill { throw PulseError.interrupted }
            let ending: ChildProcess.Ending =
                switch manner {
                case .well: .exited(0)
                case .refuses: .exited(67)
                case .later: .exited(75)
                case .dies: .signalled(9)
                case .hangs, .loses, .takesAPart: .timedOut
                }
            return ChildProcess.Outcome(ending: ending, output: Data(), errors: Data(), tookInput: true)
        }
        let report = await WriteFault.$number.withValue(fault) { await delivery.run() }
        words.withLock { $0 += (report.faults + report.news + [report.fault].compactMap(\.self)).map(\.description) }
        return writes.withLock(\.self)
    }

    func retry() async throws -> Int {
        try await delivery(day: 7) { message, willEnd in
            try willEnd()
            self.take(message)
            return ChildProcess.Outcome(ending: .exited(0), output: Data(), errors: Data(), tookInput: true)
        }.retry(nil)
    }

    /// Records articles that were read in the days before the first.
    func recordOld(_ numbers: Range<Int>) throws {
        let app = app(day: 1)
        let store = try app.history.open(.readWrite)
        _ = try store.record(
            numbers.map {
                Reading(
                    article: Nights.article($0, category: Category.known[0]),
                    readAt: app.now - Double(1 + $0 - numbers.lowerBound) * 86_400 - 7200, origin: "test")
            })
    }

    private func record(_ day: Int, at date: Date) throws {
        let articles = [day * 10, day * 10 + 1].map { Nights.article($0, category: Category.known[0]) }
        let store = try app(day: day).history.open(.readWrite)
        _ = try store.record([Reading(article: articles[0], readAt: date, origin: "test")])
        _ = try store.add([Feed(address: "https://alder.example/", title: "Alder", addedAt: date)])
        let feeds = try store.feeds().map(\.feed)
        _ = try store.record(
            feeds.map { FetchedFeed(feed: $0, contents: FeedContents(entries: [articles[1]])) }, at: date)
    }

    private func take(_ message: String) {
        let lines = message.split(separator: "\n").map(String.init)
        func field(_ name: String) -> String { lines.first { $0.hasPrefix(name + ": ") } ?? "" }
        mails.withLock {
            $0.append((field("Message-ID"), field("To"), message.replacing("=\n", with: "")))
        }
    }

    func copies(of article: Int, to name: String) -> [String] {
        mails.withLock { mails in
            mails.filter { $0.to.contains(name) && $0.text.contains(Nights.word(article) + "ville") }.map(\.id)
        }
    }

    private func expected(_ days: ClosedRange<Int>) -> [Int] {
        days.flatMap { day in
            (basis == .unread ? [] : [day * 10]) + (basis == .read ? [] : [day * 10 + 1])
        }
    }

    /// Which articles somebody was not told.
    func missing(days: ClosedRange<Int>) -> [Int] {
        expected(days).filter { article in ["ana@", "ben@"].contains { copies(of: article, to: $0).isEmpty } }
    }

    func check(days: ClosedRange<Int>, copies most: Int, _ name: String) {
        for article in expected(days) {
            for reader in ["ana@", "ben@"] {
                let ids = copies(of: article, to: reader)
                #expect(
                    (1...most).contains(ids.count) && Set(ids).count == 1,
                    "\(name): article \(article) came to \(reader) \(ids.count) times, \(Set(ids))\n\(said)")
            }
        }
    }
}
