import Foundation
import PulseTestSupport
import Testing

/// A week of nights by the clock of the test: three feeds that publish every day, and what may happen to a machine.
/// Whatever happens, each article is told once.
@Suite(.timeLimit(.minutes(20))) struct WeekOfNightsTests: StoreSuite {
    let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
    }

    private static let names = ["alder", "birch", "cedar"]
    private static let folders = ["World", "Science", "Sports"]

    /// Words that no two articles share, so that none are merged into one story.
    private static func item(_ name: String, day: Int, number: Int) -> FeedServer.Item {
        var random = SplitMix(seed: UInt64(day * 100 + number * 10 + name.count) &+ UInt64(name.utf8.first ?? 0) << 20)
        func word() -> String {
            String((0..<8).map { _ in Character(Unicode.Scalar(UInt8(97 + random.next() % 26))) })
        }
        let token = "\(name)x\(day)x\(number)"
        return FeedServer.Item(
            id: token, title: "\(word().capitalized) \(word()) \(word())",
            text: "The \(token) of \(word().capitalized) was \(word()) by \(word()) and \(word()) on its \(word()).",
            link: "https://\(name).example/\(token)", date: "2026-11-\(10 + day)T12:00:00Z")
    }

    /// What the feeds hold on a day: two new articles each, and those of the four days before.
    private func publish(_ day: Int, broken: String? = nil) {
        for name in Self.names {
            let items = (max(1, day - 4)...day).reversed().flatMap { day in
                (1...2).map { Self.item(name, day: day, number: $0) }
            }
            server.set(name, title: name, items)
            if name == broken { server.set(name, LoopbackResponse(status: 503)) }
        }
    }

    private func cutOff() {
        for name in Self.names {
            server.set(
                name,
                LoopbackResponse(body: [1]).with {
                    $0.breaksOffAfter = 0
                    $0.resets = true
                })
        }
    }

    private func night(_ day: Int) throws -> Outcome {
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-11-\(10 + day)T22:00:0\(day % 3)Z"
        return try run(
            "today --send --scheduled cron --basis unread --to ana@example.org --sendmail",
            sandbox.folder.file("sendmail"), "--retry-time", "0")
    }

    private func allMails() -> String {
        (try? sandbox.folder.text("mails"))?
            .replacing("=\n", with: "") ?? ""
    }

    @Test func nothingIsToldTwiceAndNothingIsLost() throws {
        sandbox.environment["F"] = sandbox.folder.path
        try sandbox.folder.writeProgram(
            "#!/bin/sh\n[ -e $F/down ] && exit 67\necho mail >> $F/count\ncat >> $F/mails\n", to: "sendmail")
        publish(1)
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-11-11T20:00:00Z"
        for (name, folder) in zip(Self.names, Self.folders) {
            try run("feeds add", server.url(name), "--folder", folder).ends(0)
        }
        var table: [String] = []
        /// How many articles of a day are in the mails.
        func told() -> Int {
            let mails = allMails()
            return (1...9).flatMap { day in
                Self.names.flatMap { name in (1...2).map { "The \(name)x\(day)x\($0) of" } }
            }.count { mails.contains($0) }
        }
        func tell(_ what: String, _ outcome: Outcome?) {
            table.append("\(what): \(outcome.map { "exit \($0.status), " } ?? "")\(told()) told")
        }
        tell("1, quiet", try night(1))
        tell("1, started again", try night(1))
        publish(2)
        tell("2, quiet", try night(2))
        publish(3, broken: "birch")
        tell("3, a feed is down", try night(3))
        publish(4)
        try Data().write(to: URL(fileURLWithPath: sandbox.folder.file("down")))
        tell("4, no mail goes out", try night(4))
        try FileManager.default.removeItem(atPath: sandbox.folder.file("down"))
        tell("5, the machine is off", nil)
        publish(6)
        tell("6, both days", try night(6))
        cutOff()
        tell("7, no feed answers", try night(7))
        publish(8)
        tell("8, both days", try night(8))
        tell("8, by hand", try run("today --basis unread"))
        tell("9, nothing new", try night(9))
        #expect(
            table == [
                "1, quiet: exit 0, 6 told", "1, started again: exit 0, 6 told", "2, quiet: exit 0, 12 told",
                "3, a feed is down: exit 0, 16 told", "4, no mail goes out: exit 69, 16 told",
                "5, the machine is off: 16 told", "6, both days: exit 0, 36 told",
                "7, no feed answers: exit 0, 36 told",
                "8, both days: exit 0, 48 told", "8, by hand: exit 0, 48 told", "9, nothing new: exit 0, 48 told",
            ])
        let mails = allMails()
        for day in 1...8 {
            for name in Self.names {
                for number in 1...2 {
                    // A mail says everything as text and as HTML.
                    let told = mails.components(separatedBy: "The \(name)x\(day)x\(number) of").count - 1
                    #expect(told == 2, "\(name), day \(day), \(number)")
                }
            }
        }
    }
}
