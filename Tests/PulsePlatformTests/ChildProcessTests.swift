import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

extension RealProcesses {
    /// Real processes: the shell and what it starts.
    @Suite(.timeLimit(.minutes(20))) struct ChildProcessTests {
        private func run(
            _ script: String, input: Data = Data(), limit: Int = 1 << 24, timeout: Duration = .seconds(60)
        ) async throws -> ChildProcess.Outcome {
            try await ChildProcess(
                path: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"], input: input,
                outputLimit: limit, errorLimit: 1000, timeout: timeout
            ).run()
        }

        /// More than any pipe holds, both ways at once: whoever writes first and reads later would wait for ever.
        @Test func megabytesGoThroughBothWays() async throws {
            let input = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
            let outcome = try await run("cat; echo done >&2", input: input)
            #expect(outcome.ending == .exited(0))
            #expect(outcome.output == input)
            #expect(outcome.tookInput)
            #expect(String(decoding: outcome.errors, as: UTF8.self) == "done\n")
        }

        @Test func whatIsTooMuchIsReadAndDropped() async throws {
            let outcome = try await run("yes complaint | head -c 3000000 >&2; yes | head -c 3000000; exit 3", limit: 10)
            #expect(outcome.ending == .exited(3))
            #expect(outcome.output == Data("y\ny\ny\ny\ny\n".utf8))
            #expect(outcome.errors.count == 1000)
        }

        @Test func anInputThatIsClosedEarlyIsNoted() async throws {
            let outcome = try await run("exec <&-; sleep 0.2", input: Data(repeating: 65, count: 1 << 20))
            #expect(outcome.ending == .exited(0))
            #expect(!outcome.tookInput)
        }

        /// A few bytes fit into the pipe, whether somebody reads them or not.
        @Test func anInputThatNobodyReadsIsNotTaken() async throws {
            #expect(try await !run("exit 0", input: Data("a".utf8)).tookInput)
            #expect(try await !run("exec sleep 600", input: Data("a".utf8), timeout: .seconds(0.3)).tookInput)
            #expect(try await run("cat; kill -9 $$", input: Data("a".utf8)).tookInput)
        }

        /// What is to be noted before it can act on its input is noted before it sees the end of that.
        @Test func theEndOfTheInputIsAnnounced() async throws {
            let folder = try TemporaryFolder()
            func cat() -> ChildProcess {
                ChildProcess(
                    path: "/bin/sh", arguments: ["-c", "cat > /dev/null; ls \(folder.path)"],
                    environment: ["PATH": "/usr/bin:/bin"], input: Data("a".utf8))
            }
            let outcome = try await cat().run { _ = try? folder.write("", to: "noted") }
            #expect(String(decoding: outcome.output, as: UTF8.self) == "noted\n")
            let error = PulseError(.badData, "No.")
            await #expect(throws: error) { try await cat().run { throw error } }
        }

        @Test(arguments: [("exit 75", ChildProcess.Ending.exited(75)), ("kill -9 $$", .signalled(9))])
        func theEndIsTold(script: String, ending: ChildProcess.Ending) async throws {
            #expect(try await run(script).ending == ending)
        }

        /// An MTA that delivers in the background keeps our pipes open.
        @Test func aProcessLeftBehindIsNotWaitedFor() async throws {
            let outcome = try await run("sleep 600 & echo $!")
            let left = try #require(pid_t(String(decoding: outcome.output, as: UTF8.self).dropLast()))
            #expect(kill(left, 0) == 0)
            kill(left, SIGKILL)
            #expect(outcome.ending == .exited(0))
        }

        /// It, what it started, and what ignores a polite signal.
        @Test func oneThatHangsIsEndedWithAllItStarted() async throws {
            let outcome = try await run(
                "trap '' TERM; sleep 600 & echo $!; while :; do sleep 600; done", timeout: .seconds(20))
            #expect(outcome.ending == .timedOut)
            let grandchild = try #require(pid_t(String(decoding: outcome.output, as: UTF8.self).dropLast()))
            #expect(isGone(grandchild))
        }

        @Test(arguments: [false, true]) func aCancelledTaskEndsIt(isOnOwnStreams: Bool) async throws {
            let folder = try TemporaryFolder()
            let file = folder.file("pid")
            let line = "echo $$ > \(file).new; mv \(file).new \(file); exec sleep 600"
            let task = Task {
                guard isOnOwnStreams else { return try await run(line, timeout: .seconds(3600)).ending }
                return try await ChildProcess(
                    path: "/bin/sh", arguments: ["-c", line], environment: ["PATH": "/usr/bin:/bin"]
                ).runOnOwnStreams()
            }
            while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(10)) }
            task.cancel()
            await #expect(throws: PulseError.interrupted) { try await task.value }
            let child = try #require(pid_t(String(contentsOfFile: file, encoding: .utf8).dropLast()))
            #expect(isGone(child))
        }

        /// As a shell runs it in the foreground: in this process group, which a terminal's keys go to.
        @Test func onOurOwnStreamsItIsOneOfUs() async throws {
            let ending = try await ChildProcess(
                path: "/bin/sh", arguments: ["-c", "test $(cut -d' ' -f5 /proc/self/stat) = \(getpgrp())"],
                environment: ["PATH": "/usr/bin:/bin"]
            ).runOnOwnStreams()
            #expect(ending == .exited(0))
        }

        /// What this program ignores, others must not.
        @Test func signalsAreAsForAnyoneElse() async throws {
            let outcome = try await run("grep -E 'Sig(Ign|Blk)' /proc/self/status | cut -f2")
            let masks = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map {
                UInt64($0, radix: 16)
            }
            try #require(masks.count == 2)
            for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] {
                for mask in masks { #expect(try #require(mask) & 1 << UInt64(signal - 1) == 0) }
            }
        }

        @Test func onlyThreeDescriptorsAreInherited() async throws {
            let folder = try TemporaryFolder()
            let outcome = try await FileLock(waitingFor: folder.file("lock")).hold {
                try await run("ls -l /proc/self/fd")
            }
            #expect(!String(decoding: outcome.output, as: UTF8.self).contains(folder.path))
        }

        @Test func oneThatIsNotThereIsUnavailable() async throws {
            let child = ChildProcess(path: "/nowhere/sendmail", arguments: [], environment: [:])
            try await fails(.unavailable, "/nowhere/sendmail") { try await child.run() }
        }

        /// Nobody may have reaped it yet: then it is a zombie.
        private func isGone(_ process: pid_t) -> Bool {
            for _ in 0..<6000 {
                guard kill(process, 0) == 0 else { return true }
                let state = FileManager.default.contents(atPath: "/proc/\(process)/stat")
                    .map { String(decoding: $0, as: UTF8.self) }
                if state?.contains(") Z ") == true { return true }
                usleep(10_000)
            }
            return false
        }
    }
}
