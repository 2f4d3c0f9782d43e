import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulsePlatform

extension RealProcesses {
    @Suite(.timeLimit(.minutes(20))) struct StateTests {
        private let folder: TemporaryFolder
        private let state: StateFolder

        init() throws {
            folder = try TemporaryFolder()
            state = try StateFolder(folder.file("deep/er/state"))
        }

        private func mode(_ path: String) -> mode_t {
            var info = stat()
            return stat(path, &info) == 0 ? info.st_mode & 0o777 : 0
        }

        @Test func foldersAndFilesAreTheOwnersAlone() throws {
            try state.write(Data("a".utf8), to: "file")
            #expect(mode(state.path) == 0o700 && mode(folder.file("deep")) == 0o700)
            #expect(mode(state.file("file")) == 0o600)
            // One that others could enter is closed.
            chmod(state.path, 0o755)
            _ = try StateFolder(state.path)
            #expect(mode(state.path) == 0o700)
        }

        @Test func aFileIsReplacedWhole() throws {
            #expect(try state.read("file") == nil)
            try state.write(Data(repeating: 1, count: 200_000), to: "file")
            try state.write(Data("new".utf8), to: "file")
            #expect(try state.read("file") == Data("new".utf8))
            #expect(state.files() == ["file"])
            try state.remove("file")
            try state.remove("file")
            #expect(try state.read("file") == nil)
        }

        /// What a writer that was killed has left does not stand in the way, nor is it followed where it is a link.
        @Test func whatAKilledWriterLeftIsPassedOver() throws {
            try folder.link("deep/er/state/.file.new", to: folder.write("elsewhere", to: "other"))
            try state.write(Data("mine".utf8), to: "file")
            #expect(try state.read("file") == Data("mine".utf8))
            #expect(FileManager.default.contents(atPath: folder.file("other")) == Data("elsewhere".utf8))
        }

        @Test func aPlaceThatIsNoFolderIsToldOf() throws {
            try state.write(Data(), to: "file")
            try fails(.cannotWrite) { try StateFolder(state.file("file/below")) }
        }

        /// The folder can be another one; other files have their place.
        @Test func whoMayNotWriteIsToldWhatMayBeSet() throws {
            // Nobody makes a folder there, root included.
            let error = try #require(failure { try StateFolder("/sys/none") })
            #expect(error.description.contains("set XDG_STATE_HOME"))
            let plain = try #require(failure { try AtomicFile.makeFolder("/sys/none") })
            #expect(!plain.description.contains("XDG_STATE_HOME"))
        }

        @Test func whatWaitsIsCounted() throws {
            #expect(Outbox.count(below: state.path) == 0)
            try Outbox(in: state).put(item(1, "a@b"))
            try state.folder("outbox").write(Data(), to: ".half")
            #expect(Outbox.count(below: state.path) == 1)
        }

        @Test func aLockIsOnesUntilItIsLetGo() throws {
            try state.delivery().hold {
                let error = #expect(throws: PulseError.self) { _ = try state.delivery() }
                #expect(error?.code == .tryAgain && error?.message.hasPrefix("Busy") == true)
            }
            try state.delivery().hold {}
        }

        @Test func aDamagedFileIsSetAside() throws {
            try state.write(Data("{ half".utf8), to: "sent.json")
            let record = try SentRecord(in: state)
            #expect(!record.holds(Day(.now, in: .gmt), for: "a@b"))
            #expect(try state.read(".sent.json.damaged") == Data("{ half".utf8))
        }

        // MARK: - What was sent

        @Test func whatWasSentIsKnownAgain() throws {
            let day = Day(Date(timeIntervalSince1970: 0), in: .gmt)
            let next = Day(Date(timeIntervalSince1970: 86_400), in: .gmt)
            var record = try SentRecord(in: state)
            try record.add(try record.prepare(item(0, "ana@example.org"), at: .now))
            record = try SentRecord(in: state)
            #expect(record.holds(day, for: "ana@example.org"))
            #expect(!record.holds(day, for: "ben@example.org") && !record.holds(next, for: "ana@example.org"))
        }

        /// The same instant is another day elsewhere, and a day is one day also where it has 23 or 25 hours.
        @Test func daysAreTheReaders() throws {
            let paris = try #require(TimeZone(identifier: "Europe/Paris"))
            let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
            let date = try Date("2026-11-21T16:00:00Z", strategy: .iso8601)
            #expect(Day(date, in: paris).text == "2026-11-21" && Day(date, in: tokyo).text == "2026-11-22")
            let long = try ["2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"].map { try Date($0, strategy: .iso8601) }
            #expect(Set(long.map { Day($0, in: paris).text }) == ["2026-10-25"])
            let short = try ["2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"].map { try Date($0, strategy: .iso8601) }
            #expect(Set(short.map { Day($0, in: paris).text }) == ["2026-03-29"])
        }

        // MARK: - The outbox

        private func item(
            _ day: Int, _ to: String, _ message: String = "m", store: String = "/a", again: Bool = false,
            covered: Set<String> = []
        ) -> Outbox.Item {
            Outbox.Item(
                day: Day(Date(timeIntervalSince1970: Double(day) * 86_400), in: .gmt), to: to, articles: 1,
                again: again, covered: covered, message: message, store: store, profile: "")
        }

        @Test func theOutboxKeepsOneMessageADayAndRecipient() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(2, "b@c"))
            try outbox.put(item(1, "b/../../d@c"))
            try outbox.put(item(2, "b@c", "newer"))
            #expect(outbox.items().map(\.item.message) == ["m", "newer"])
            #expect(outbox.holds(item(2, "").day, for: "b@c") && !outbox.holds(item(1, "").day, for: "b@c"))
            for item in outbox.items() { try outbox.remove(item) }
            #expect(outbox.items().isEmpty)
            #expect(mode(state.file("outbox")) == 0o700)
        }

        /// What a message that repeats the day has in it does not come twice; what it lacks is not lost.
        @Test func aRepetitionTakesThePlaceOfWhatIsInIt() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(1, "a@b", "first", covered: ["x"]))
            try outbox.put(item(1, "a@b", "part", again: true, covered: ["y"]))
            #expect(Set(outbox.items().map(\.item.message)) == ["first", "part"])
            try outbox.put(item(1, "a@b", "all", again: true, covered: ["x", "y"]))
            #expect(outbox.items().map(\.item.message) == ["all"])
        }

        /// What sendmail made of a message is in its file's name.
        @Test func whatMayHaveGoneOutIsMarked() throws {
            let outbox = try Outbox(in: state)
            let days = (1...3).map { item($0, "").day }
            try outbox.put(item(1, "a@b"))
            var kept = try #require(outbox.items().first)
            try outbox.mark(&kept, on: days[0])
            #expect(outbox.items().map(\.tries) == [Outbox.Tries(count: 1, day: days[0])])
            #expect(outbox.holds(days[0], for: "a@b") && Outbox.count(below: state.path) == 0)
            #expect(Outbox.unanswered(below: state.path) == ["a@b"])
            let first = try #require(kept.tries)
            #expect(!first.areGoneOn(with: days[0]) && first.areGoneOn(with: days[1]))
            try outbox.mark(&kept, on: days[1])
            #expect(kept.tries == Outbox.Tries(count: 2, day: days[1]) && kept.tries?.areGoneOn(with: days[2]) == false)
            try outbox.unmark(&kept, to: first)
            #expect(outbox.items().map(\.tries) == [first])
            // It is not dropped as what nobody took is.
            #expect(try outbox.trim(before: days[2]) == 0 && outbox.items().count == 1)
        }

        @Test func theOutboxIsBoundedInDays() throws {
            let outbox = try Outbox(in: state)
            for day in 0..<5 { for to in ["a@b", "c@d"] { try outbox.put(item(day, to, "\(day)")) } }
            #expect(try outbox.trim(before: item(3, "").day) == 6)
            #expect(outbox.items().map(\.item.message) == ["3", "3", "4", "4"])
            #expect(try outbox.trim(before: item(3, "").day) == 0)
        }

        /// What cannot be read any more still says of which day and for whom it was.
        @Test func whatIsDamagedIsSetAside() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(1, "a@b"))
            try outbox.put(item(2, "c@d"))
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: state.file("outbox")).min())
            try Data("{".utf8).write(to: URL(fileURLWithPath: state.file("outbox/" + name)))
            let damaged = outbox.contents().damaged
            #expect(damaged.map(\.day) == [item(1, "").day])
            #expect(damaged[0].isFor("a@b") && !damaged[0].isFor("c@d"))
            #expect(outbox.items().map(\.item.to) == ["c@d"] && outbox.contents().damaged.isEmpty)
        }

        /// One that cannot be opened keeps nobody else's from being sent; a file of somebody else is no message.
        @Test func whatCannotBeOpenedIsSetAside() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(1, "a@b"))
            try outbox.put(item(2, "c@d"))
            try Data().write(to: URL(fileURLWithPath: state.file("outbox/notes.txt")))
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: state.file("outbox")).min())
            try state.folder("outbox").remove(name)
            symlink(name, state.file("outbox/" + name))
            let (items, damaged) = outbox.contents()
            #expect(items.map(\.item.to) == ["c@d"] && damaged.map(\.day) == [item(1, "").day])
            #expect(Outbox.count(below: state.path) == 1)
            #expect(FileManager.default.fileExists(atPath: state.file("outbox/notes.txt")))
        }

        /// Clearing one history leaves the mails of another.
        @Test func mailsOfAnotherHistoryStay() throws {
            let outbox = try Outbox(in: state)
            for (day, store) in [(1, "/a"), (2, "/b")] { try outbox.put(item(day, "a@b", store, store: store)) }
            #expect(try outbox.clear(madeFrom: "/a") == 1)
            #expect(outbox.items().map(\.item.message) == ["/b"])
            #expect(try outbox.clear(madeFrom: "/b") == 1)
        }

        /// What was set aside goes with its day.
        @Test func whatIsDamagedIsCountedAndGoes() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(1, "a@b"))
            try outbox.put(item(2, "a@b"))
            let kept = try state.folder("outbox")
            try kept.write(Data("{ half".utf8), to: try #require(kept.files().first))
            #expect(outbox.contents().damaged.count == 1)
            #expect(outbox.contents().damaged.isEmpty && kept.files(areHiddenToo: true).count == 2)
            #expect(try outbox.trim(before: item(2, "").day) == 0)
            #expect(kept.files(areHiddenToo: true) == kept.files() && kept.files().count == 1)
            try kept.write(Data(), to: ".x.damaged")
            #expect(try outbox.clear(madeFrom: "/a") == 1)
            #expect(kept.files(areHiddenToo: true).isEmpty)
        }

        /// A message that was being written when the program was killed goes with the next run; other files stay.
        @Test func whatWasHalfWrittenGoes() throws {
            let outbox = try Outbox(in: state)
            try outbox.put(item(2, "a@b"))
            let kept = try state.folder("outbox")
            let message = try #require(kept.files().first)
            for name in [".\(message).new", ".notes.new", "0notes"] { try kept.write(Data(), to: name) }
            #expect(try outbox.trim(before: item(1, "").day) == 0)
            #expect(Set(kept.files(areHiddenToo: true)) == Set(kept.files() + [".notes.new"]))
            #expect(kept.files().count == 2)
        }

        // MARK: - The log

        private func entry(_ number: Int, message: String = "") -> RunLog.Entry {
            RunLog.Entry(
                time: Date(timeIntervalSince1970: Double(number)), outcome: "sent", exit: 0, articles: number,
                messages: 1, seconds: 0.5, message: message)
        }

        private var log: RunLog { RunLog(in: state) }

        @Test func theLogKeepsTheNewest() throws {
            #expect(try RunLog.entries(below: state.path).isEmpty)
            for number in 0..<RunLog.mostEntries + 5 { try log.add(entry(number)) }
            let entries = try RunLog.entries(below: state.path)
            #expect(entries.count == RunLog.mostEntries)
            #expect(entries.first == entry(5) && entries.last == entry(RunLog.mostEntries + 4))
        }

        @Test func theLogIsBoundedInBytes() throws {
            for number in 0..<20 { try log.add(entry(number, message: String(repeating: "x", count: 30_000))) }
            #expect(try #require(try state.read("runs.jsonl")).count <= RunLog.mostBytes)
            #expect(try RunLog.entries(below: state.path).last?.articles == 19)
        }

        @Test func aLineThatIsNoneIsPassedOver() throws {
            try log.add(entry(1))
            try state.write(Data("{ broken\n".utf8) + #require(try state.read("runs.jsonl")), to: "runs.jsonl")
            try log.add(entry(2))
            #expect(try RunLog.entries(below: state.path) == [entry(1), entry(2)])
            #expect(try RunLog.entries(below: state.path).count == 2)
            #expect(try RunLog.entries(below: state.path + "/none").isEmpty)
        }

        /// What is no file is set aside by the next run, and nobody waits for it.
        @Test func aLogThatIsNoFileIsSetAside() throws {
            #expect(mkfifo(state.file("runs.jsonl"), 0o600) == 0)
            try fails(.cannotRead) { try RunLog.entries(below: state.path) }
            try RunLog(in: state).add(entry(1))
            #expect(try RunLog.entries(below: state.path) == [entry(1)])
        }

        @Test func writersOfTheLogTakeTurns() async throws {
            let log = RunLog(in: state)
            try await withThrowingTaskGroup { group in
                for number in 0..<40 { group.addTask { try log.add(entry(number)) } }
                try await group.waitForAll()
            }
            #expect(Set(try RunLog.entries(below: state.path).map(\.articles)) == Set(0..<40))
        }
    }
}
