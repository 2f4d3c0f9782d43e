import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Downloading from servers that break off, mislead and lie.
@Suite(.timeLimit(.minutes(20))) struct DownloadFailureTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test func aServerThatBreaksOffIsAskedForTheRest() async throws {
        let server = try bench.server { answer, number in if number < 3 { answer.breaksOffAfter = 50_000 } }
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == [nil, 50_000, 100_000, 150_000])
        #expect(bench.pauses.all == [1, 2, 4].map { .seconds($0) })
        let retries = bench.progress.all.compactMap { progress -> Int64? in
            if case .retrying = progress.phase { progress.bytes } else { nil }
        }
        #expect(retries == [50_000, 100_000, 150_000])
    }

    @Test func aServerThatAlwaysBreaksOffIsGivenUp() async throws {
        let server = try bench.server { answer, _ in answer.breaksOffAfter = 10 }
        let error = try await bench.failure(from: server)
        #expect(error.says(.unavailable, "127.0.0.1") && error?.cause != nil)
        #expect(server.requests.count == 6)
        #expect(bench.contents(bench.partPath) == Array(bench.bytes.prefix(60)))
    }

    @Test func whatGainsAMebibyteIsNotGivenUp() async throws {
        let bench = try Workbench(size: 5 << 20)
        let server = try bench.server { answer, _ in answer.breaksOffAfter = 1 << 20 }
        #expect(try await bench.fetched(from: server) { $0.retries = 1 } == bench.bytes)
        #expect(server.requests.count == 5)
        #expect(bench.pauses.all.allSatisfy { $0 == .seconds(1) })
    }

    @Test func withoutRangesBreakingOffBeginsAnew() async throws {
        let whole = LoopbackResponse(body: bench.bytes)
        let server = try LoopbackServer(script: [whole.with { $0.breaksOffAfter = 200_000 }, whole])
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == [nil, 200_000, nil])
    }

    @Test func anEndThatComesEarlyUnannouncedIsNoEnd() async throws {
        let server = try bench.server { answer, number in
            answer.length = .none
            if number == 0 { answer.breaksOffAfter = 1000 }
        }
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == [nil, 1000])
    }

    @Test(arguments: [true, false]) func silenceIsNoticedAndWhatCameBeforeItIsKept(isSilent: Bool) async throws {
        let server = try bench.server { answer, number in
            guard number == 0 else { return }
            if isSilent { answer.isSilent = true } else { answer.stallsAfter = 1000 }
        }
        #expect(try await bench.fetched(from: server) { $0.http.stallTimeout = .seconds(5) } == bench.bytes)
        #expect(server.requests.map(\.rangeStart).prefix(2) == [nil, isSilent ? nil : 1000])
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504]) func whatMayPassIsTriedAgain(status: Int) async throws {
        let trouble = LoopbackResponse(status: status, text: "<html>busy</html>")
        let server = try LoopbackServer(script: [trouble, trouble, LoopbackResponse(body: bench.bytes)])
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(bench.pauses.all == [.seconds(1), .seconds(2)])
    }

    @Test func theServerSaysWhenToComeBack() async throws {
        let busy = LoopbackResponse(status: 503, headers: ["Retry-After": "7"])
        let server = try LoopbackServer(script: [busy, LoopbackResponse(body: bench.bytes)])
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(bench.pauses.all == [.seconds(7)])
    }

    @Test func troubleThatDoesNotPass() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(status: 503)])
        #expect(try await bench.failure(from: server) { $0.retries = 2 }.says(.unavailable, "503"))
        #expect(server.requests.count == 3 && bench.listing == [])
    }

    @Test(arguments: [400, 401, 403, 404, 410, 451, 204, 304, 300])
    func whatWillNotPassIsToldAtOnce(status: Int) async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(status: status)])
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.failure(from: server).says(.unavailable, "\(status)"))
        #expect(server.requests.count == 1 && bench.pauses.all.isEmpty)
        #expect(bench.contents(bench.partPath)?.count == 10)
    }

    @Test func redirectsInCircles() async throws {
        let server = try LoopbackServer(script: [.redirect(to: "/again")])
        #expect(try await bench.failure(from: server) { $0.http.redirects = 4 }.says(.unavailable, "more than 4 times"))
        #expect(server.requests.count == 5)
    }

    /// Behind a part it is fetched once more.
    @Test(arguments: [(0, [nil]), (10, [10, nil])] as [(Int, [Int?])])
    func wrongContentIsThrownAway(part: Int, starts: [Int?]) async throws {
        let wrong = Workbench.noise(300_000, seed: 7)
        let server = try LoopbackServer { request, _ in .file(wrong, for: request) }
        if part > 0 { try bench.leavePart(bench.bytes.prefix(part)) }
        #expect(try await bench.failure(from: server).says(.unavailable, "download was deleted"))
        #expect(server.requests.map(\.rangeStart) == starts && bench.listing == [])
    }

    @Test(arguments: [299_999, 300_001, 17, 10])
    func anotherLengthIsRefusedBeforeAnythingIsTouched(count: Int) async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: Workbench.noise(count))])
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.failure(from: server).says(.unavailable, "\(count) bytes"))
        #expect(bench.contents(bench.partPath) == Array(bench.bytes.prefix(10)))
    }

    /// Also of a file that is shorter than the part.
    @Test(arguments: [300_001, 5]) func anotherTotalInARangeIsRefused(count: Int) async throws {
        let other = Array((bench.bytes + [1]).prefix(count))
        let server = try LoopbackServer { request, _ in .file(other, for: request) }
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.failure(from: server).says(.unavailable, "has \(count) bytes"))
        #expect(bench.contents(bench.partPath)?.count == 10)
    }

    @Test func moreThanWasToldIsThrownAway() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: bench.bytes + [1]).with { $0.length = .none }])
        #expect(try await bench.failure(from: server).says(.unavailable, "more than 300000"))
        #expect(bench.listing == [])
    }

    /// More than any file has, and with what is there more than a number holds.
    @Test func anImpossibleLengthIsNotTheFile() async throws {
        let server = try bench.server { answer, _ in answer.length = .pretended(.max - 1) }
        try bench.leavePart(bench.bytes.prefix(1000))
        #expect(try await bench.failure(from: server).says(.unavailable, "it is another file"))
    }

    @Test func lessThanWasToldIsNotTheFile() async throws {
        let short = LoopbackResponse(body: Array(bench.bytes.prefix(1000))).with { $0.length = .pretended(300_000) }
        let server = try LoopbackServer(script: [short])
        #expect(try await bench.failure(from: server) { $0.retries = 1 }.says(.unavailable, "from 127.0.0.1 failed"))
        #expect(bench.contents(bench.finalPath) == nil)
    }

    @Test func anotherRangeThanAskedFor() async throws {
        let whole = LoopbackResponse(
            status: 206, headers: ["Content-Range": "bytes 0-299999/300000"], body: bench.bytes)
        let server = try LoopbackServer(script: [whole])
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.failure(from: server).says(.unavailable, "wrong part"))
        #expect(bench.contents(bench.partPath)?.count == 10)
    }

    @Test(arguments: ["", "<html>Range Not Satisfiable</html>"])
    func aRangeThatCannotBeGivenBeginsAnew(page: String) async throws {
        let refusal = LoopbackResponse(status: 416, text: page)
        let server = try LoopbackServer(script: [refusal, LoopbackResponse(body: bench.bytes)])
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == [10, nil])
    }

    @Test func aServerThatIsNotThereIsToldAtOnce() async throws {
        let error = try await bench.failure(bench.entry(url: "http://127.0.0.1:1/tiny.gguf"))
        #expect(error.says(.unavailable, "from 127.0.0.1 failed", "--from"))
        #expect(bench.pauses.all.isEmpty && bench.listing == [])
    }

    @Test func aServerThatSpeaksNoTLSIsToldAtOnce() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: bench.bytes)])
        let url = server.url().replacingOccurrences(of: "http:", with: "https:")
        #expect(try await bench.failure(bench.entry(url: url)).says(.unavailable, "from 127.0.0.1 failed"))
        #expect(bench.pauses.all.isEmpty && bench.listing == [])
    }
}
