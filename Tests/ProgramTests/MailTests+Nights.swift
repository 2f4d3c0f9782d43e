import Foundation
import PulseTestSupport
import Testing

/// What nights bring, one after another, by a clock that the test sets.
extension MailTests {
    private static let words = ["harbour", "library", "bridge", "market"]

    /// A history of its own.
    private var store: [String] { ["--store", sandbox.folder.file("nights.sqlite")] }

    private var nightly: [String] { ["today", "--send", "--to", "ana@example.org"] + store }

    private func read(_ article: [String: String], on day: Int, _ hour: Int = 21) throws {
        clock(day, hour)
        let line = try JSONEncoder().encode(article.merging(["source": "S"]) { $1 })
        try sandbox.run(["import", "jsonl"] + store, input: line).ends(0)
    }

    /// Imports articles at an hour of a day, each with a word of its own, and how many hours ago it was read.
    private func read(_ words: [(word: String, hours: Int)], on day: Int, _ hour: Int = 21) throws {
        for (word, hours) in words {
            try read(
                [
                    "id": word, "title": "\(word) opened", "category": "world", "read_at": "-PT\(hours)H",
                    "content": "The \(word)house of \(word)ville was opened by \(word)son in \(word)berg.",
                ], on: day, hour)
        }
    }

    /// Which of the words are in the mail of a night; nil where none is sent.
    private func night(_ day: Int) throws -> Set<String>? {
        let before = try mails().count
        clock(day, 22)
        try sandbox.run(nightly + ["--max-stories", "100"]).ends(0)
        let mails = try mails()
        guard mails.count > before else { return nil }
        return Set(Self.words.filter { word in mails.last?.contains("\(word)house of \(word)ville") == true })
    }

    /// The first mail is of the last day; nights on which there was none yet are made up for as any other.
    @Test func whatCameBeforeTheFirstMailIsNotLost() throws {
        try sendmail()
        try read([("harbour", 60)], on: 10)
        #expect(try night(10) == nil)
        try read([("library", 1)], on: 11, 10)
        try read([("bridge", 1)], on: 12)
        #expect(try night(12) == ["library", "bridge"])
        #expect(try night(13) == nil)
    }

    /// A first night counts from its first try, although it made no mail.
    @Test func aFirstNightThatFailsIsMadeUpFor() throws {
        try sendmail()
        try read([("harbour", 3)], on: 10)
        let settings = "home/.config/pulse-digest/config.json"
        try sandbox.folder.write("{ maxStoriez: 3 }", to: settings)
        clock(10, 22)
        #expect(try sandbox.run(nightly + ["--scheduled", "cron"]).status == 78)
        try FileManager.default.removeItem(atPath: sandbox.folder.file(settings))
        try read([("library", 1)], on: 11)
        #expect(try night(11) == ["harbour", "library"])
    }

    /// A message that waits with a removed article is made anew without it.
    @Test func whatWasRemovedIsNotMailed() throws {
        try sendmail("exit 75")
        try read([("harbour", 3), ("library", 3)], on: 10)
        clock(10, 22)
        #expect(try sandbox.run(nightly).status == 75 && kept() == 1)
        try sandbox.run(["history", "remove", "harbour", "--yes"] + store)
            .ends(0, "1 unsent digest that contained what you deleted was deleted, too.")
        #expect(kept() == 0)
        try sendmail()
        #expect(try night(11) == ["library"])
        #expect(try mails().count == 1)
    }

    /// What cannot be sent any more counts as not told.
    @Test func aDamagedMailsArticlesComeInTheNext() throws {
        try sendmail()
        try read([("harbour", 3)], on: 10)
        #expect(try night(10) == ["harbour"])
        try sendmail("exit 75")
        try read([("library", 3)], on: 11)
        clock(11, 22)
        #expect(try sandbox.run(nightly).status == 75 && kept() == 1)
        let outbox = state + "/outbox/"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: outbox).first { $0.hasPrefix("2026") })
        try Data().write(to: URL(fileURLWithPath: outbox + name))
        try sendmail()
        try read([("bridge", 3)], on: 12)
        clock(12, 22)
        try sandbox.run(nightly).ends(65, "Its articles are in the next one.")
        let mail = try #require(try mails().last)
        #expect(mail.contains("libraryhouse of libraryville") && mail.contains("bridgehouse of bridgeville"))
        #expect(try night(13) == nil)
    }

    /// The message is taken whole, and nothing is said. Once more on the next night, by the same identity, and then only
    /// by hand.
    @Test func whatMayHaveGoneOutComesOnceMore() throws {
        let take = "cat > \"$F/mail.new\" && mv \"$F/mail.new\" \"$F/mail.$(ls \"$F\" | grep -c '^mail\\.')\""
        try sendmail("\(take); kill -9 $$")
        try read([("harbour", 3)], on: 10)
        clock(10, 22)
        try sandbox.run(nightly).ends(69, "may have gone out")
        try sandbox.run(nightly).ends(0, "may have gone out")
        #expect(try mails().count == 1)
        #expect(try sandbox.run("schedule", "show").output.contains("may have gone out"))
        clock(11, 22)
        #expect(try sandbox.run(nightly).status == 69 && mails().count == 2)
        let identities = try mails().map { $0.split(separator: "\n").first { $0.hasPrefix("Message-ID:") } }
        #expect(Set(identities).count == 1, "\(identities)")
        // Not a third time by itself, though sendmail works again; by hand.
        try sendmail()
        clock(12, 22)
        try sandbox.run(nightly).ends(0, "schedule retry")
        #expect(try mails().count == 2)
        #expect(try sandbox.run("schedule", "retry", "ana@example.org").status == 0)
        #expect(try mails().count == 3 && kept() == 0)
        #expect(try sandbox.run("schedule", "retry", "ana@example.org").status == 66)
        #expect(try sandbox.run("schedule", "retry").errors.contains("Nothing waits"))
    }

    /// A run of 10 November that has something to send, and waits for sendmail for as long as that takes.
    private func startNight() throws -> Running {
        try read([("harbour", 3)], on: 10)
        clock(10, 22)
        return try sandbox.start(nightly + ["--send-timeout", "3600"])
    }

    /// kill -9 when sendmail has the message whole, though it has not said so.
    @Test func killedWithTheMessageGivenAway() throws {
        try sendmail("cat > \"$F/taken\"; echo $$ > \"$F/pid.new\"; mv \"$F/pid.new\" \"$F/pid\"; exec sleep 600")
        let running = try startNight()
        let child = try awaitSendmail()
        kill(running.process.processIdentifier, SIGKILL)
        // Foundation sees the end of a process when no process it has left behind holds its descriptors.
        kill(child, SIGKILL)
        #expect(running.finish().signal == SIGKILL && kept() == 1)
        #expect(!FileManager.default.fileExists(atPath: state + "/sent.json"))
        try sendmail()
        #expect(try sandbox.run(nightly).errors.contains("may have gone out") && mails().isEmpty)
        clock(11, 22)
        try sandbox.run(nightly).ends(0, "is sent once more")
        #expect(try mails().count == 1 && kept() == 0)
    }

    /// kill -9 before sendmail has read anything: the pipe ends with the program, and sendmail sends what is in it.
    @Test func killedBeforeTheMessageIsRead() throws {
        try sendmail("touch \"$F/begun\"; while [ ! -e \"$F/go\" ]; do sleep 0.1; done")
        let running = try startNight()
        try sandbox.awaitFile(sandbox.folder.file("begun"))
        kill(running.process.processIdentifier, SIGKILL)
        try sandbox.folder.write("", to: "go")
        try sandbox.awaitFile(sandbox.folder.file("mail.1"))
        #expect(running.finish().signal == SIGKILL && kept() == 1)
        try sendmail()
        #expect(try sandbox.run(nightly).errors.contains("may have gone out") && mails().count == 1)
        clock(11, 22)
        #expect(try sandbox.run(nightly).status == 0 && mails().count == 2 && kept() == 0)
        clock(12, 22)
        #expect(try sandbox.run(nightly).status == 0 && mails().count == 2)
    }

    /// A mail of one category takes nothing else of that day from the next.
    @Test func aPartOfADayIsNotTheWhole() throws {
        try sendmail()
        try read([("harbour", 3)], on: 10)
        #expect(try night(10) == ["harbour"])
        try read([("library", 1)], on: 11, 20)
        let content = "The moon was mapped by Ilse Roth on Monday."
        try read(
            ["id": "moon", "title": "Moon mapped", "content": content, "category": "science", "read_at": "-PT1H"],
            on: 11, 20)
        #expect(try sandbox.run(nightly + ["--category", "science"]).status == 0)
        #expect(try mails().last?.contains("Ilse Roth") == true && mails().count == 2)
        #expect(try night(12) == ["library"])
        #expect(try mails().last?.contains("Ilse Roth") == false)
    }

    /// A story of yesterday's mail comes with what is new; the week's mail is none of the day's.
    @Test func aStoryGoesOn() throws {
        try sendmail()
        for (day, text) in [
            (10, "The council of Orlen voted on Monday to rebuild the Tarn bridge."),
            (11, "Kessler & Sons will rebuild the Tarn bridge of Orlen for 48 million crowns."),
        ] {
            try read(
                [
                    "id": "\(day)", "title": "Orlen to rebuild the Tarn bridge", "content": text, "category": "world",
                    "read_at": "-PT1H",
                ], on: day)
            clock(day, 22)
            #expect(try sandbox.run(nightly).status == 0)
        }
        let mail = try #require(try mails().last?.replacing("=\n", with: ""))
        #expect(mail.contains("1. Update since Tuesday: =E2=80=9CKessler & Sons will rebuild"))
        let week = nightly + ["--week"]
        #expect(try sandbox.run(week).status == 0 && mails().count == 3)
        let told = try #require(try mails().last?.replacing("=\n", with: ""))
        #expect(told.contains("Subject: Your week, 5 November to 11 November 2026: 1 story."))
        #expect(told.contains("Tuesday: =E2=80=9CThe council") && told.contains("Wednesday: =E2=80=9CKessler"))
        #expect(try sandbox.run(week).status == 0 && mails().count == 3)
        #expect(try sandbox.run(["today", "--date", "2026-11-11"] + store).output.contains("Update since Tuesday"))
    }

    /// The import and the digest fail for the same reason.
    @Test func theLogNamesACauseOnce() throws {
        try sendmail()
        try sandbox.folder.write(String(repeating: "no database ", count: 100), to: "nights.sqlite")
        #expect(try sandbox.run(nightly + ["--scheduled", "cron"]).status == 65)
        #expect(try log().last?.components(separatedBy: "Choose another path").count == 2)
    }

    /// Silence is also what an import that has stopped sounds like.
    @Test func threeDaysWithoutAnImportAreTold() throws {
        try sendmail()
        try read([("harbour", 3)], on: 10)
        let scheduled = nightly + ["--scheduled", "cron", "--retry-time", "0"]
        clock(10, 22)
        #expect(try sandbox.run(scheduled).status == 0)
        clock(12, 22)
        try sandbox.run(scheduled).ends(0, errors: "")
        clock(14, 22)
        try sandbox.run(scheduled).ends(66, errors: "")
        #expect(try mails().last?.contains("nothing has been imported since 2026-11-10") == true)
        clock(15, 22)
        #expect(try sandbox.run(scheduled).errors == "")
        #expect(try sandbox.run(["doctor"] + store).output.contains("nothing new since"))
        #expect(try mails().count == 2)
    }

    /// It was imported on more than one day, and goes on being imported, but nobody has read anything there.
    @Test func aSourceThatFallsSilentIsToldOnce() throws {
        try sendmail()
        try read([("harbour", 3)], on: 10)
        try read([("library", 1)], on: 12)
        let scheduled = nightly + ["--scheduled", "cron"]
        clock(12, 22)
        #expect(try sandbox.run(scheduled).status == 0)
        for day in 13...16 {
            try read([("library", (day - 12) * 24 + 1)], on: day)
            clock(day, 22)
            try sandbox.run(scheduled).ends(0, errors: "")
            #expect(try mails().count == (day < 15 ? 1 : 2))
        }
        let notice = try #require(try mails().last)
        #expect(notice.contains("No newly read articles have come from jsonl since 2026-11-12"))
        #expect(try sandbox.run(["doctor"] + store).output.contains("come from jsonl since 2026-11-12"))
        // Until something comes, and the next silence begins.
        try read([("market", 1)], on: 17)
        clock(17, 22)
        #expect(try sandbox.run(scheduled).status == 0)
        clock(21, 22)
        #expect(try sandbox.run(scheduled).status == 66)
        #expect(try mails().last?.contains("nothing has been imported since 2026-11-17") == true)
    }
}
