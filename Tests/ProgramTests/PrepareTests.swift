import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// What is written ahead, and for whom the work makes way.
@Suite(.timeLimit(.minutes(20))) struct PrepareTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    private var prepare: [String] { ["prepare"] + sandbox.written }
    /// So much to write that it is not done when something else happens.
    private var long: [String] {
        ["--store", sandbox.store, "--model", sandbox.model, "--max-tokens", "1000"]
    }

    private func number(_ query: String) throws -> Int {
        Int(try Connection(path: sandbox.store, access: .readWrite).integer(query) ?? 0)
    }

    private func answers() throws -> Int { try number("SELECT count(*) FROM answers") }

    /// An answer that is written anew has a higher id than all others, so this counts every answer ever written.
    private func written() throws -> Int { try number("SELECT max(id) FROM answers") }

    @Test func whereNoModelWritesThereIsNothingToPrepare() throws {
        let outcome = try sandbox.run(["prepare"] + sandbox.plain)
        #expect(outcome.status == 0 && outcome.output == "")
        #expect(outcome.errors == "40 articles can be asked about now.\n")
        #expect(try number("SELECT count(*) FROM vectors") == 40)
        #expect(try number("SELECT max(length(passages)) FROM vectors") <= 3000)
        #expect(try sandbox.run(["prepare"] + sandbox.plain).errors.contains("Everything is ready"))
        // So nothing else says that there is.
        #expect(try sandbox.run(["history", "clear", "--yes"] + sandbox.plain).status == 0)
        let search = try sandbox.run(["history", "search", "kites"] + sandbox.plain)
        #expect(search.errors == "No article contains all of: kites\n")
    }

    @Test func afterwardsOnlyWhatIsNewIsWritten() throws {
        let first = try sandbox.run(prepare)
        #expect(first.status == 0 && first.output == "", "\(first.errors)")
        #expect(first.errors == "40 articles can be asked about now.\n25 stories written.\n")
        #expect(try written() == 25)
        #expect(try sandbox.run(prepare).errors == "0 stories written, 25 written before.\n")
        let line =
            #"{"id":"new","title":"Kite seen","content":"A kite was seen over Orlen on Monday.","#
            + #""category":"health","read_at":"-PT1H"}"#
        _ = try sandbox.run("import", "jsonl", "-", "--store", sandbox.store, input: Data(line.utf8))
        #expect(try sandbox.run(["today"] + sandbox.written).status == 0)
        #expect(try written() == 26)
    }

    /// The mail's digest has a time of its own.
    @Test func theMailIsPreparedForItsReaders() throws {
        sandbox.environment["PULSE_DIGEST_TO"] = "ana@example.org"
        #expect(try sandbox.run(prepare).status == 0)
        let before = try written()
        #expect(before > 0)
        try sandbox.folder.writeProgram("#!/bin/sh\ncat > /dev/null\n", to: "sendmail")
        let sent = try sandbox.run(
            ["today", "--send", "--sendmail", sandbox.folder.file("sendmail")] + sandbox.written)
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try written() == before)
    }

    @Test func eachReaderForWhomAModelWritesIsPreparedFor() throws {
        let folder = sandbox.folder.file("home") + "/.config/pulse-digest"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(
            """
            { to: "ana@example.org", profiles: {
              ben: { to: "ben@example.org", category: ["health"] } } }
            """.utf8
        ).write(to: URL(fileURLWithPath: folder + "/config.json"))
        let options = ["--store", sandbox.store, "--model", sandbox.model]
        #expect(try sandbox.run(["prepare"] + options).status == 0)
        let before = try written()
        #expect(before > 0 && before < 25)
        try sandbox.folder.writeProgram("#!/bin/sh\ncat > /dev/null\n", to: "sendmail")
        let sent = try sandbox.run(["today", "--send", "--sendmail", sandbox.folder.file("sendmail")] + options)
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try written() == before)
    }

    @Test func afterAKillItGoesOnWhereItWas() throws {
        let running = try sandbox.start(["prepare"] + long)
        while running.process.isRunning, try answers() == 0 { usleep(1000) }
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.finish()
        let kept = try answers()
        #expect(kept > 0 && kept < 25)
        let again = try sandbox.run(["prepare"] + long)
        #expect(again.status == 0, "\(again.errors)")
        let (all, ever) = (try answers(), try written())
        #expect(all == 25 && ever == 25)
        #expect(again.errors.contains("\(25 - kept) ") && again.errors.contains("\(kept) written before"))
    }

    /// A command that waits for its input stands for any that somebody waits for.
    @Test func itMakesWayForAnotherCommand() throws {
        let running = try sandbox.start(["prepare"] + long)
        try sandbox.awaitFile(sandbox.folder.file("home/.local/state/pulse-digest/foreground"))
        let (other, keyboard) = (Process(), Pipe())
        other.standardInput = keyboard
        let waiting = try sandbox.start(["import", "jsonl", "-", "--store", sandbox.store], process: other)
        let outcome = running.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("another command is running"))
        #expect(try answers() < 25)
        try keyboard.fileHandleForWriting.close()
        #expect(waiting.finish().status == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
    func aSecondOneEndsAtOnce() throws {
        let state = sandbox.folder.file("home/.local/state/pulse-digest")
        let command = (["$P"] + prepare).joined(separator: " ")
        let outcome = try sandbox.shell("mkdir -p '\(state)' && /usr/bin/flock '\(state)/prepare.lock' \(command)")
        #expect(outcome.status == 0 && outcome.errors.contains("preparing already"))
        #expect(try answers() == 0)
    }

    /// The night's own run tells what is wrong, and this one would tell it twice more.
    @Test func aScheduledOneSaysNothing() throws {
        let well = try sandbox.run(prepare + ["--scheduled", "cron"])
        #expect(well.status == 0 && well.output == "" && well.errors == "")
        let amiss = try sandbox.run(
            ["prepare", "--scheduled", "cron", "--model", "/nonexistent", "--store"]
                + [sandbox.store])
        #expect(amiss.status != 0 && amiss.output == "" && amiss.errors == "")
    }

    #if os(Linux)
        /// Every thread: `ps` calls the class IDL.
        @Test func itTakesOnlyWhatNobodyWants() throws {
            let running = try sandbox.start(["prepare"] + long)
            let folder = "/proc/\(running.process.processIdentifier)/task"
            // proc_pid_stat(5): field 41 is the policy; 5 is SCHED_IDLE.
            func isIdle() -> Bool {
                let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return !threads.isEmpty
                    && threads.allSatisfy { thread in
                        let stat = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
                        return stat?.split(separator: ")").last?.split(separator: " ").dropFirst(38).first == "5"
                    }
            }
            var wasIdle = false
            while running.process.isRunning, !wasIdle {
                wasIdle = isIdle()
                usleep(1000)
            }
            running.process.terminate()
            _ = running.finish()
            #expect(wasIdle)
        }
    #endif
}
