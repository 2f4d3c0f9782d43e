import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

/// Imports over a real socket, with the real client.
@Suite(.timeLimit(.minutes(20))) struct MinifluxWireTests {
    @Test func itWorksOverTheWire() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<251))
        let pages = Mutex(0)
        let server = try ScriptedServer.onTheWire({ miniflux.answer($0) }) { _, response in
            // The second page breaks off once.
            let number = pages.withLock { pages in
                pages += 1
                return pages
            }
            if number == 2 { response.breaksOffAfter = 2000 }
        }
        let account = TestAccount(.miniflux, server)
        let first = try await account.importAll()
        #expect(first.titles.count == 99 && first.error != nil)
        let second = try await account.importAll()
        #expect(second.titles.count == 151 && second.error == nil)
    }

    /// A page whose entries are too much for one answer is asked for in parts, and an entry that is too long by itself
    /// keeps no other out.
    @Test func longEntriesStopNothing() async throws {
        var entries = FakeMiniflux.entries(1..<60)
        for index in 0..<40 { entries[index].length = 8000 }
        entries[44].length = 100_000
        entries[58].length = 100_000
        let miniflux = FakeMiniflux(entries)
        let server = try ScriptedServer.onTheWire { miniflux.answer($0) }
        let account = TestAccount(.miniflux, server) { $0.sizeLimit = 64 << 10 }
        let outcome = try await account.importAll()
        #expect(outcome.error == nil && outcome.batch.leftOut == [.tooLong: 2])
        #expect(outcome.titles == (1..<60).filter { ![45, 59].contains($0) }.map { "T\($0)" })
        // Few at a time are no bulk.
        #expect(outcome.batch.readings.allSatisfy(\.isExact) && outcome.batch.bulk.isEmpty)
        #expect(try await account.importAll().titles.isEmpty)
    }

    /// A server that is too slow for a page is asked for less by the next import.
    @Test func aSlowServerIsAskedForLess() async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<120))
        let server = try ScriptedServer.onTheWire({ miniflux.answer($0) }) { request, response in
            response.isSilent = request.query["limit"].flatMap { Int($0) } ?? 0 > 25
        }
        let account = TestAccount(.miniflux, server) { $0.totalTimeout = .milliseconds(700) }
        #expect(try await account.importAll().error?.code == .unavailable)
        var titles: [String] = []
        // What is asked for grows again, and is too much again.
        for _ in 0..<20 where titles.count < 119 { titles += try await account.importAll().titles }
        #expect(titles == (1..<120).map { "T\($0)" })
    }

    /// However much a server has, and however long it takes: an import ends, says so, and the next goes on.
    @Test(arguments: ["articles", "bytes", "time"])
    func aRunTakesItsShareAndTheNextGoesOn(limit: String) async throws {
        let miniflux = FakeMiniflux(FakeMiniflux.entries(1..<451))
        let isSlow = Mutex(limit == "time")
        let server = try ScriptedServer.onTheWire({ miniflux.answer($0) }) { request, response in
            // From the second page on.
            if isSlow.withLock({ $0 }), request.query["changed_after"] != nil { response.isSilent = true }
        }
        var share = BatchingSource.Share()
        switch limit {
        case "articles": share.articles = 150
        case "bytes": share.bytes = 100_000
        default: share.time = .milliseconds(700)
        }
        let account = TestAccount(.miniflux, server)
        var titles: [String] = []
        var errors: [PulseError] = []
        for run in 0..<10 where run == 0 || !errors.isEmpty && titles.count < 450 {
            let source = BatchingSource(try account.source(), share: share)
            do {
                while let batch = try await source.next(previousImport: nil) { titles += batch.titles }
            } catch {
                errors.append(error.asPulseError)
            }
            try source.noteStored(isLast: true)
            isSlow.withLock { $0 = false }
            if limit == "time" { share = BatchingSource.Share() }
        }
        #expect(titles == (1..<451).map { "T\($0)" })
        #expect(!errors.isEmpty && errors.allSatisfy { $0.code == .tryAgain })
        #expect(errors.first?.description.contains("than one import allows") == true)
    }
}
