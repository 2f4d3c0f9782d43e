import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct BlueskyTests {
    private let memory = TestMemory()

    private func run(
        _ bluesky: LoopbackBluesky, user: String = "alice.example", batches: Int = .max, previousImport: Date? = nil
    ) async throws -> (batch: ImportBatch, error: PulseError?) {
        let connection = ServerConnection(
            program: "Bluesky", command: "bluesky", address: bluesky.address, example: "https://appview.example",
            keyHint: "", client: ServiceSupport.client(CurlClient.Policy()))
        let credentials = Credentials(user: user) { throw PulseError.interrupted }
        let source = BlueskySource(
            ServerAccount(
                origin: "bluesky:\(user)", connection: connection, credentials: credentials, memory: memory,
                now: TestAccount.now), BlueskyNetwork(appView: connection, directory: bluesky.address))
        var all = ImportBatch()
        var count = 0
        do {
            while count < batches, let batch = try await source.next(previousImport: previousImport) {
                count += 1
                all.append(batch)
                try source.noteStored(isLast: count == batches)
            }
            if count < batches { try source.noteStored(isLast: true) }
            return (all, nil)
        } catch {
            try source.noteStored(isLast: true)
            return (all, error.asPulseError)
        }
    }

    private func network(isWeb: Bool = false, _ change: (inout LoopbackBluesky.Records) -> Void) throws
        -> LoopbackBluesky
    {
        var records = LoopbackBluesky.Records()
        change(&records)
        return try LoopbackBluesky(records, isWeb: isWeb)
    }

    @Test func likesAreReadings() async throws {
        let bluesky = try network { $0.likes = Array(0..<10) }
        let outcome = try await run(bluesky)
        #expect(outcome.error == nil && outcome.batch.readings.count == 7)
        let card = try #require(outcome.batch.readings.first)
        #expect(card.article.title == "Story 0" && card.article.url == "https://herald.example/0")
        #expect(card.article.summary == "What 0 tells." && card.article.source == "herald.example")
        #expect(card.readAt == LoopbackBluesky.start && card.isExact)
        let post = outcome.batch.readings[1]
        #expect(post.article.id == "at://did:plc:bob/app.bsky.feed.post/1" && post.article.source == "@bob.example")
        #expect(post.readAt == LoopbackBluesky.start.addingTimeInterval(60))
        #expect(post.article.publishedAt == LoopbackBluesky.start.addingTimeInterval(-59 * 60))
        let left = outcome.batch.leftOut
        #expect(left.values.sorted() == [1, 1, 1] && left.keys.contains { $0.words.contains("logged in") })
    }

    @Test func repostsAndOwnLinksAreReadToo() async throws {
        let bluesky = try network {
            $0.reposts = [2]
            $0.posts = [4, 5]
        }
        let outcome = try await run(bluesky)
        #expect(outcome.batch.titles == ["Story 2", "Story 4"])
        #expect(outcome.batch.readings.allSatisfy { $0.isExact })
    }

    @Test func aLaterImportAsksForWhatIsNewOnly() async throws {
        let bluesky = try network { $0.likes = Array(repeating: 2, count: 130) + [4] }
        #expect(try await run(bluesky).batch.readings.count == 131)
        // Two pages of likes, an empty one, and one each of the rest; six times 25 posts.
        #expect(bluesky.asked.count { $0 == "com.atproto.repo.listRecords" } == 5)
        #expect(bluesky.asked.count { $0 == "app.bsky.feed.getPosts" } == 6)
        bluesky.records.withLock { $0.likes.append(6) }
        let second = try await run(bluesky, previousImport: TestAccount.now)
        #expect(second.batch.titles == ["Story 6"])
        #expect(bluesky.asked.count { $0 == "app.bsky.feed.getPosts" } == 7)
        // Into another history, all of it comes again.
        #expect(try await run(bluesky).batch.readings.count == 132)
    }

    @Test func whatWasBrokenOffGoesOn() async throws {
        let bluesky = try network { $0.likes = (0..<250).map { $0 * 10 } }
        #expect(try await run(bluesky, batches: 2).batch.readings.count == 200)
        bluesky.records.withLock { $0.fault = LoopbackResponse(status: 502) }
        let failed = try await run(bluesky)
        #expect(failed.batch.readings.isEmpty && failed.error?.code == .tryAgain)
        bluesky.records.withLock { $0.fault = nil }
        let rest = try await run(bluesky)
        #expect(rest.error == nil && rest.batch.readings.last?.article.title == "Story 2490")
        #expect((50...250).contains(rest.batch.readings.count))
    }

    @Test func anAccountMayBeItsOwnDirectory() async throws {
        let bluesky = try network(isWeb: true) { $0.likes = [2] }
        #expect(try await run(bluesky).batch.readings.count == 1)
        #expect(try await run(bluesky, user: bluesky.did).batch.readings.count == 1)
    }

    /// Whoever makes an account decides where its records are.
    @Test(arguments: [
        "http://127.0.0.1", "https://10.0.0.1", "http://169.254.169.254/latest", "file:///etc/passwd", "x",
    ])
    func noAccountLeadsIntoTheHomeNetwork(home: String) async throws {
        // The AppView is at `localhost`, which the user has named.
        let secret = try LoopbackServer(script: [LoopbackResponse()])
        let bluesky = try network(isWeb: true) {
            $0.home = home == "http://127.0.0.1" ? "http://127.0.0.1:\(secret.port)" : home
        }
        let error = try #require(try await run(bluesky).error)
        #expect([.permission, .noInput].contains(error.code), "\(error)")
        #expect(secret.requests.isEmpty)
    }

    @Test func whoIsNotThereIsSaidNotToBe() async throws {
        let bluesky = try network { $0.likes = [1] }
        #expect(try await run(bluesky, user: "bob.example").error.says(.noInput, "spelled otherwise"))
        #expect(try await run(bluesky, user: "did:plc:nobody").error?.code == .noInput)
    }

    @Test func whatServersDoIsTold() async throws {
        let html = LoopbackResponse(text: "<p>Log in")
        for (fault, code) in [
            (LoopbackResponse(status: 429), PulseError.Code.tryAgain), (LoopbackResponse(status: 500), .tryAgain),
            (html, .badData), (LoopbackResponse(), .badData),
            (LoopbackResponse().with { $0.isSilent = true }, .unavailable),
            (LoopbackResponse(text: "{\"records\":[").with { $0.breaksOffAfter = 3 }, .unavailable),
            (LoopbackResponse(status: 400, text: #"{"error":"RepoTakendown"}"#), .noInput),
        ] {
            let bluesky = try network { $0.fault = fault }
            #expect(try await run(bluesky).error?.code == code, "\(fault.status)")
        }
        let reversed = try network {
            $0.likes = [1, 2]
            $0.ignoresOrder = true
        }
        #expect(try await run(reversed).error?.description.contains("in the order") == true)
    }

    @Test func theHandleStandsForTheAddress() {
        let kind = ServerKind.bluesky
        #expect(kind.userName("@Alice.Example") == "alice.example" && kind.userName("alice") == nil)
        #expect(kind.userName("https://bsky.app/profile/alice.example") == "alice.example")
        #expect(kind.userName("https://appview.example") == nil && ServerKind.miniflux.userName("a.example") == nil)
    }
}
