import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// What is written ahead, and for whom the work makes way.
@Suite(.timeLimit(.minutes(20))) struct PrepareTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample(isReady: true) }

    private var prepare: [String] { ["prepare"] + sandbox.written }
    /// So much to write that it is not done when something else happens.
    private var long: [String] { ["--store", sandbox.store, "--model", sandbox.model, "--max-tokens", "1000"] }

    private func number(_ query: String) throws -> Int {
        Int(try Connection(path: sandbox.store, access: .readWrite).integer(query) ?? 0)
    }

    private func answers() throws -> Int { try number("SELECT count(*) FROM answers") }

    /// An answer that is written anew has a higher id than all others, so this counts every answer ever written.
    private func written() throws -> Int { try number("SELECT max(id) FROM answers") }

    @Test func whereNoModelWritesThereIsNothingToPrepare() throws {
        try sandbox.importSample()
        try run("prepare").ends(0, output: "", errors: "40 articles are ready for questions now.\n")
        #expect(try number("SELECT count(*) FROM vectors") == 40)
        #expect(try number("SELECT max(length(passages)) FROM vectors") <= 3000)
        #expect(try run("prepare").errors.contains("All articles are ready for questions."))
        // So nothing else says that there is.
        #expect(try run("history clear --yes").status == 0)
        try run("history search kites").ends(nil, errors: "No article contains all of: kites\n")
    }

    @Test func afterwardsOnlyWhatIsNewIsWritten() throws {
        try sandbox.run(prepare).ends(0, output: "", errors: "25 stories written.\n")
        #expect(try written() == 25)
        #expect(try sandbox.run(prepare).errors == "0 stories written, 25 written before.\n")
        try sandbox.read([Sandbox.kite])
        #expect(try sandbox.run(["today"] + sandbox.written).status == 0)
        #expect(try written() == 26)
    }

    /// The mail's digest has a time of its own.
    @Test func eachReaderForWhomAModelWritesIsPreparedFor() throws {
        try sandbox.configure(
            "{ to: 'ana@example.org', profiles: { ben: { to: 'ben@example.org', category: ['health'] } } }")
        #expect(try sandbox.run(prepare).status == 0)
        let before = try written()
        #expect(before > 0 && before < 25)
        try sandbox.installSendmail("cat > /dev/null")
        try sandbox.run(["today", "--send"] + sandbox.written).ends(0)
        #expect(try written() == before)
    }

    @Test func afterAKillItGoesOnWhereItWas() throws {
        let running = try sandbox.start(["prepare"] + long)
        while running.process.isRunning, try answers() == 0 { usleep(1000) }
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.finish()
        let kept = try answers()
        #expect(kept > 0 && kept < 25)
        let again = try sandbox.run(["prepare"] + long).ends(0)
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
        running.finish().ends(0, "another command is running")
        #expect(try answers() < 25)
        try keyboard.fileHandleForWriting.close()
        #expect(waiting.finish().status == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
    func aSecondOneEndsAtOnce() throws {
        let state = sandbox.folder.file("home/.local/state/pulse-digest")
        let command = (["$P"] + prepare).joined(separator: " ")
        try sandbox.shell("mkdir -p '\(state)' && /usr/bin/flock '\(state)/prepare.lock' \(command)")
            .ends(0, "preparing already")
        #expect(try answers() == 0)
    }

    /// The night's own run tells what is wrong, and this one would tell it twice more.
    @Test func aScheduledOneSaysNothing() throws {
        try sandbox.run(prepare + ["--scheduled", "cron"]).ends(0, output: "", errors: "")
        let amiss = try run("prepare --scheduled cron --model /nonexistent").ends(nil, output: "", errors: "")
        #expect(amiss.status != 0)
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
