import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct MinifluxTests {
    private static let published = date(1_794_996_000)

    private func account(_ miniflux: FakeMiniflux, memory: TestMemory = TestMemory()) -> TestAccount {
        TestAccount(.miniflux, ScriptedServer { miniflux.answer($0) }, memory: memory)
    }

    private func account(_ entries: [FakeMiniflux.Entry]) -> TestAccount { account(FakeMiniflux(entries)) }

    /// Adds an entry that was read at this moment.
    private func add(_ id: Int, to miniflux: FakeMiniflux, at moment: Date) {
        miniflux.entries.withLock { $0.append(FakeMiniflux.Entry(id: id, changed: moment)) }
    }

    /// A server that lists these as read, whatever they are.
    private func server(listing entries: [Any]) throws -> ScriptedServer {
        let list = ["total": entries.count, "entries": entries] as [String: Any]
        let data = try JSONSerialization.data(withJSONObject: list)
        return ScriptedServer { request in
            request.query["status"] == "read" && request.query["starred"] == nil
                ? .data(data) : .json(["total": 0, "entries": []])
        }
    }

    @Test func whatWasReadComesPageByPage() async throws {
        let account = account(FakeMiniflux.entries(1..<251))
        let first = try await account.importAll()
        #expect(first.titles == (1..<251).map { "T\($0)" } && first.error == nil)
        let reading = try #require(first.batch.readings.first)
        #expect(reading.readAt == FakeMiniflux.start.addingTimeInterval(7.25))
        #expect(first.batch.readings.allSatisfy { $0.isExact && $0.origin == "miniflux:ana@rss.example" })
        #expect(
            reading.article
                == Article(
                    id: "https://gazette.example/1", url: "https://gazette.example/1", title: "T1",
                    content: "Five to four & no more.", author: "A", source: "The Harbour Gazette",
                    category: PulseCore.Category("world"), language: "en", publishedAt: Self.published))
        let asked = account.server.requests.count
        let second = try await account.importAll()
        #expect(second.titles.isEmpty && second.error == nil)
        #expect(account.server.requests.count == asked + 3)
    }

    /// As an import sees it: few batches, and a failure behind what came before it.
    @Test func pagesAreGathered() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<2501))
        let end = FakeMiniflux.start.timeIntervalSince1970 + 9000
        let server = ScriptedServer { request in
            let changed = request.query["changed_after"].flatMap { Double($0) } ?? 0
            guard changed <= end else { throw PulseError(.unavailable, "Gone.") }
            return miniflux.answer(request)
        }
        let account = TestAccount(.miniflux, server)
        let source = BatchingSource(try account.source())
        var counts: [Int] = []
        await #expect(throws: PulseError.self) {
            while let batch = try await source.next(previousImport: nil) {
                counts.append(batch.readings.count)
                // Nothing is noted before it is stored.
                #expect(account.memory.origins.isEmpty)
            }
        }
        #expect(counts.reduce(0, +) >= 1200 && counts.count <= 20)
        try source.noteStored(isLast: true)
        #expect(!account.memory.origins.isEmpty)
    }

    @Test func whatChangesMeanwhileIsNotLost() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<301)) { miniflux, page in
            guard page > 0 else { return }
            // Starred, marked as unread, read: each moves up those behind it.
            miniflux.entries.withLock { entries in
                entries[page * 3].changed = FakeMiniflux.start.addingTimeInterval(50_000 + Double(page))
                entries[page * 3].starred = true
                entries[page * 3 + 1].status = "unread"
            }
        }
        let outcome = try await account(miniflux).importAll()
        // Those that were handed out before they changed are among them.
        #expect(Set(outcome.titles).count == 300)
        #expect(Set(outcome.batch.starredTitles).isSuperset(of: ["T4", "T7"]))
    }

    @Test(arguments: [10, 99, 100, 101, 350])
    func whatWasMarkedTogetherIsNoExactReading(count: Int) async throws {
        let together = FakeMiniflux.entries(100..<100 + count, at: 500.5)
        let account = account(FakeMiniflux.entries(1..<41) + together + FakeMiniflux.entries(1000..<1030))
        let outcome = try await account.importAll()
        #expect(Set(outcome.titles).count == 70 + count && outcome.titles.count == 70 + count)
        let bulk = outcome.batch.readings.filter { !$0.isExact }
        #expect(bulk.count == count && outcome.batch.bulk == Set(bulk.map(\.article.id)))
        #expect(bulk.allSatisfy { $0.readAt == Self.published })
        #expect(try await account.importAll().titles.isEmpty)
    }

    @Test func whatAReaderCanMarkInASecondIsExact() async throws {
        let moment = FakeMiniflux.start.addingTimeInterval(500.5)
        let batch = try await account(FakeMiniflux.entries(1..<10, at: 500.5)).importAll().batch
        #expect(batch.bulk.isEmpty && batch.readings.allSatisfy { $0.isExact && $0.readAt == moment })
    }

    /// A bulk at the end, and one with an entry behind it.
    @Test(arguments: [
        (FakeMiniflux.entries(1..<31, at: 500.5), 500.6),
        (FakeMiniflux.entries(1..<151, at: 500.25) + FakeMiniflux.entries(200..<201, at: 501.25), 501.75),
    ])
    func afterABulkTheNextRunGoesOn(entries: [FakeMiniflux.Entry], later: Double) async throws {
        let miniflux = FakeMiniflux(entries)
        let account = account(miniflux)
        #expect(try await account.importAll().titles.count == entries.count)
        add(300, to: miniflux, at: FakeMiniflux.start.addingTimeInterval(later))
        let second = try await account.importAll()
        #expect(second.error == nil && second.titles == ["T300"])
    }

    /// In the second of two seconds that both have more entries than a page.
    @Test func aBulkIsGoneOnWithWhereItStopped() async throws {
        let miniflux = FakeMiniflux(
            FakeMiniflux.entries(1..<151, at: 500.25) + FakeMiniflux.entries(151..<301, at: 501.25))
        let isBroken = Mutex(true)
        let server = ScriptedServer { request in
            let isSecond = request.query["changed_after"] == "\(Int(FakeMiniflux.start.timeIntervalSince1970) + 500)"
            guard isSecond, request.query["after_entry_id"] == "200", isBroken.withLock({ $0 }) else {
                return miniflux.answer(request)
            }
            return .text(status: 503)
        }
        let account = TestAccount(.miniflux, server)
        let first = try await account.importAll()
        #expect(first.error?.code == .tryAgain && first.titles.count == 200)
        isBroken.withLock { $0 = false }
        let second = try await account.importAll()
        #expect(second.error == nil && second.titles == (201..<301).map { "T\($0)" })
    }

    @Test func whatTheServerMarkedAtArrivalWasNotReadThen() async throws {
        let changed = FakeMiniflux.start.addingTimeInterval(0.5)
        let miniflux = FakeMiniflux([FakeMiniflux.Entry(id: 1, changed: changed, created: changed)])
        let reading = try #require(try await account(miniflux).importAll().batch.readings.first)
        #expect(!reading.isExact && reading.readAt == Self.published)
    }

    @Test func starsComeAlsoOfWhatIsUnread() async throws {
        var entries = FakeMiniflux.entries(1..<6)
        for index in 1...2 { entries[index].starred = true }
        for index in 2...3 { entries[index].status = "unread" }
        entries[4].status = "removed"
        let account = account(entries)
        let outcome = try await account.importAll()
        #expect(outcome.titles == ["T1", "T2"])
        #expect(outcome.batch.starredTitles == ["T2", "T3"])
        #expect(outcome.batch.starred.map(\.savedAt) == [nil, entries[2].changed])
        #expect(outcome.batch.unread == 2)
        #expect(try await account.importAll().batch.starred.isEmpty)
    }

    /// The program adds it up with other counts.
    @Test func aCountThatNoServerReachesIsNone() async throws {
        let server = ScriptedServer { _ in .text(#"{"total": 9223372036854775807, "entries": []}"#) }
        let outcome = try await TestAccount(.miniflux, server).importAll()
        #expect(outcome.error == nil && outcome.batch.unread == 0)
    }

    @Test func theNextRunGoesOnWhereThisOneStopped() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<301))
        let isBroken = Mutex(true)
        let server = ScriptedServer { request in
            let answer = miniflux.answer(request)
            let isThird =
                request.query["changed_after"] == "\(Int(FakeMiniflux.start.timeIntervalSince1970) + 199 * 7 - 1)"
            guard isThird, isBroken.withLock({ $0 }) else { return answer }
            return .data(answer.body.prefix(5000))
        }
        let account = TestAccount(.miniflux, server)
        let first = try await account.importAll()
        #expect(first.titles.count == 198)
        #expect(first.error.says(.badData, "rss.example sent an incomplete response. What came"))
        isBroken.withLock { $0 = false }
        let second = try await account.importAll()
        #expect(second.titles == (199..<301).map { "T\($0)" })
    }

    @Test func aNewHistoryStartsFromTheBeginning() async throws {
        let account = account(FakeMiniflux.entries(1..<4))
        #expect(try await account.importAll().titles.count == 3)
        account.previousImport = nil
        #expect(try await account.importAll().titles.count == 3)
    }

    @Test func twoAccountsShareNoMemory() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<4))
        let ana = account(miniflux)
        let rui = account(miniflux, memory: ana.memory)
        rui.user = "rui"
        #expect(try await ana.importAll().titles.count == 3)
        #expect(try await rui.importAll().titles.count == 3)
        #expect(ana.memory.origins == ["miniflux:ana@rss.example", "miniflux:rui@rss.example"])
    }

    @Test func entriesOfAnyShapeAreRead() async throws {
        var entry = FakeMiniflux.json(FakeMiniflux.entries(1..<2)[0])
        entry["id"] = "9007199254740993"
        entry["starred"] = 1
        entry["feed"] = NSNull()
        entry["language"] = nil
        entry["url"] = "javascript:alert(1)"
        entry["title"] = "A\u{1b}[2J <script>x</script>title"
        entry["published_at"] = "0001-01-01T00:00:00Z"
        entry["content"] = String(repeating: "<div>", count: 3000) + "deep"
        let server = try server(listing: [entry, ["id": 2], "nonsense", NSNull()])
        let outcome = try await TestAccount(.miniflux, server).importAll()
        #expect(outcome.error == nil)
        let article = try #require(outcome.batch.readings.first).article
        #expect(article.id == "miniflux:ana@rss.example#9007199254740993" && article.url == nil)
        #expect(!article.title.unicodeScalars.contains { $0.value < 0x20 } && article.publishedAt == nil)
        #expect(outcome.batch.starred.count == 1)
    }

    @Test func aServerWithoutChangedAfterIsTooOld() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<301), ignoresChangedAfter: true)
        let error = try await account(miniflux).importAll().error
        #expect(error?.description.contains("Update Miniflux to version 2.0.49") == true)
    }

    @Test(arguments: [
        (401, "{}", PulseError.Code.permission, "Make a new key in Miniflux under Settings → API Keys. Then set"),
        (403, "{}", .permission, "pulse-digest import miniflux https://rss.example"),
        (404, "Not Found", .unavailable, "The address should look like https://miniflux.example.org"),
        (429, "{}", .tryAgain, "asks for a pause of 3600 seconds"),
        (503, "<html>", .tryAgain, "has a problem (status 503). What came before is kept"),
        (418, "", .unavailable, "answered with status 418"),
        (200, "\n<!DOCTYPE html><html>", .badData, "sent a web page instead of data"),
        (200, "{\"entries\":[{\"id\":1", .badData, "incomplete response"),
        (200, "[]", .badData, "does not answer like a Miniflux server"),
    ])
    func failuresSayWhatToDo(status: Int, body: String, code: PulseError.Code, words: String) async throws {
        let server = ScriptedServer { _ in
            .data(Data(body.utf8), status: status, headers: ["retry-after": "3600"])
        }
        let error = try #require(try await TestAccount(.miniflux, server).importAll().error)
        #expect(error.says(code, "rss.example", words))
        #expect(!"\(error) \(error.cause ?? "")".contains("sesame"))
    }

    @Test func theAccountIsNamedByTheServer() async throws {
        let account = account([])
        account.user = ""
        let found = try await account.signIn()
        #expect(found.user == "ana" && found.address == "https://rss.example")
    }

    /// The name becomes a part of the account's, which is printed.
    @Test(arguments: ["ana\u{1b}[2J", "ana\nrui", String(repeating: "a", count: 300)])
    func aNameThatIsNoneIsNotTaken(name: String) async throws {
        let server = ScriptedServer { _ in .json(["id": 1, "username": name]) }
        let error = await #expect(throws: PulseError.self) { _ = try await TestAccount(.miniflux, server).signIn() }
        #expect(error?.code == .badData && error?.description.contains("ana") == false)
    }

    @Test(arguments: [
        ("rss.example.org", "https://rss.example.org"), ("https://RSS.example.org/", "https://rss.example.org"),
        ("http://127.0.0.1:8080/sub/v1/", "http://127.0.0.1:8080/sub"),
        ("https://ana:pw@rss.example.org/?x=1#y", "https://rss.example.org"), ("ftp://x.example", nil), ("", nil),
    ])
    func addressesAreTakenAsPeopleWriteThem(text: String, address: String?) {
        #expect(ServerKind.miniflux.address(text) == address)
    }

    // MARK: What a server may say

    /// An entry whose time has not come yet ends nothing: it comes, and so does what is read after it.
    @Test(arguments: [1, 9, 150])
    func aTimeInTheFutureEndsNothing(count: Int) async throws {
        let future = date(4_086_947_104)
        let ahead = (500..<500 + count).map { FakeMiniflux.Entry(id: $0, changed: future) }
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<4) + ahead)
        let account = account(miniflux)
        let first = try await account.importAll()
        #expect(first.error == nil && Set(first.titles).count == 3 + count && first.titles.count == 3 + count)
        #expect(first.batch.readings.filter { !$0.isExact }.allSatisfy { $0.readAt == Self.published })
        var now = TestAccount.now.addingTimeInterval(90_000)
        add(4, to: miniflux, at: now.addingTimeInterval(-600))
        #expect(try await account.importAll(now: now).titles.contains("T4"))
        // The server's clock is right again.
        now += 90_000
        miniflux.entries.withLock { entries in
            for index in entries.indices where entries[index].changed == future {
                entries[index].changed = now.addingTimeInterval(-Double(index) - 60)
            }
        }
        let third = try await account.importAll(now: now)
        #expect(third.titles.count == count && third.batch.readings.allSatisfy(\.isExact))
        #expect(try await account.importAll(now: now).titles.isEmpty)
    }

    /// So does the place in the year 2099 that an earlier version may have left.
    @Test func aPlaceInTheFutureIsForgotten() async throws {
        let account = account(FakeMiniflux.entries(1..<4))
        account.memory.save(
            Data(
                #"{"read":{"second":4086947104,"ids":[],"isBegun":false},"starred":{"second":0,"ids":[],"isBegun":false},"#
                    .utf8) + Data(#""isComplete":true}"#.utf8), for: "miniflux:ana@rss.example")
        account.previousImport = TestAccount.now
        #expect(try await account.importAll().titles == ["T1", "T2", "T3"])
    }

    /// Half of a surrogate pair, which is no character, and a tab that is not escaped.
    @Test func anAnswerWithHalfACharacterIsWhole() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<4))
        let server = ScriptedServer { request in
            let answer = miniflux.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            let bad = text.replacing("\"T2\"", with: #""T\ud83d\ude00 \\ud800 \ud800 \udc00\ud83d"# + "\t!\"")
            return .data(Data(bad.utf8), status: answer.status)
        }
        let outcome = try await TestAccount(.miniflux, server).importAll()
        #expect(outcome.error == nil)
        #expect(outcome.titles == ["T1", "T😀 \\ud800 \u{fffd} \u{fffd}\u{fffd} !", "T3"])
    }

    @Test func whatHasNoPlaceIsCounted() async throws {
        let rows = FakeMiniflux.entries(1..<4).map(FakeMiniflux.json).enumerated().map { number, row in
            var row = row
            if number > 0 { row["changed_at"] = number == 1 ? "0001-01-01T00:00:00Z" : NSNull() }
            return row
        }
        let outcome = try await TestAccount(.miniflux, server(listing: rows)).importAll()
        #expect(outcome.titles == ["T1"] && outcome.batch.leftOut.values.reduce(0, +) == 2)
    }
}
