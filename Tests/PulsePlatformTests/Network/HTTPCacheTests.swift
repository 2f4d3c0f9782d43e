import Foundation
import PulseCore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct HTTPCacheTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_200)
    private static let minute: TimeInterval = 60
    private static let hour: TimeInterval = 3600
    private static let day: TimeInterval = 86_400

    /// What a server does when it is asked.
    private enum Manner: String, CaseIterable {
        case new, unchanged, trouble, page, refusal, silence

        func answer(_ url: String) throws -> HTTPResponse {
            func response(_ status: Int, _ body: String) -> HTTPResponse {
                HTTPResponse(status: status, headers: ["etag": "\"\(body)\""], body: Data(body.utf8), url: url)
            }
            switch self {
            case .new: return response(200, "B")
            case .unchanged: return response(304, "")
            case .trouble: return response(500, "")
            case .page: return response(200, "<html>")
            case .refusal: return response(401, "")
            case .silence: throw PulseError(.unavailable, "Nobody is there.")
            }
        }
    }

    private final class Server: HTTPClient {
        let manner: Manner
        let headers: [String: String]
        let asked = Mutex<[HTTPRequest]>([])

        init(_ manner: Manner, headers: [String: String] = [:]) {
            self.manner = manner
            self.headers = headers
        }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            asked.withLock { $0.append(request) }
            let answer = try manner.answer(request.url)
            return HTTPResponse(
                status: answer.status, headers: answer.headers.merging(headers) { $1 }, body: answer.body,
                url: answer.url)
        }
    }

    private func ask(
        _ server: Server, in folder: String, at now: Date, minimumAge: TimeInterval = 10 * minute
    ) async throws -> HTTPCache.Answer {
        let cache = HTTPCache(folder: CacheFolder(folder, now: now), now: now)
        return try await cache.answer(
            to: HTTPRequest("https://news.example/?key=secret"), name: "news", minimumAge: minimumAge, from: server
        ) { response in
            switch response.status {
            case 200 where response.body.first == UInt8(ascii: "<"): throw PulseError(.badData, "A page.")
            case 200: return
            case 401: throw PulseError(.configuration, "No.")
            case 500: throw PulseError(.tryAgain, "Trouble.")
            default: throw PulseError(.badData, "Strange.")
            }
        }
    }

    private func words(_ body: () async throws -> HTTPCache.Answer) async -> String {
        do {
            let answer = try await body()
            let text = String(decoding: answer.body, as: UTF8.self)
            switch answer.state {
            case .fetched: return "\(text) fetched"
            case .unchanged: return "\(text) unchanged"
            case .fresh: return "\(text) fresh"
            case .stale(let error): return "\(text) stale (\(error.code))"
            }
        } catch {
            return "\(error.asPulseError.code)"
        }
    }

    /// What is kept, as a later run without a network finds it.
    private func kept(in folder: String, at now: Date) async -> String {
        guard let answer = try? await ask(Server(.silence), in: folder, at: now, minimumAge: -1) else {
            return "nothing"
        }
        return "\(String(decoding: answer.body, as: UTF8.self)) of \(Int(now.timeIntervalSince(answer.confirmedAt)))"
    }

    /// Every state and every manner of a server: what comes of it, what was asked, and what is kept then.
    @Test func everyStateIsAsItIs() async throws {
        var table = ""
        for (name, age) in [("none", nil), ("5 min", 5 * Self.minute), ("1 h", Self.hour), ("3 d", 3 * Self.day)] {
            for manner in Manner.allCases {
                let folder = try TemporaryFolder()
                if let age {
                    _ = try await ask(Server(.new), in: folder.path, at: Self.now.addingTimeInterval(-age))
                }
                let server = Server(manner)
                let result = await words { try await ask(server, in: folder.path, at: Self.now) }
                let asked = server.asked.withLock { $0 }.map { request in
                    request.headers.contains { $0.name == "If-None-Match" && $0.value == "\"B\"" }
                        ? "asked if changed" : "asked"
                }
                let kept = await kept(in: folder.path, at: Self.now)
                table += "\(name), \(manner.rawValue): \(result); "
                table += "\(asked.isEmpty ? "not asked" : asked.joined(separator: ", ")); kept \(kept)\n"
            }
        }
        #expect(
            table == """
                none, new: B fetched; asked; kept B of 0
                none, unchanged: unavailable; asked; kept nothing
                none, trouble: tryAgain; asked; kept nothing
                none, page: badData; asked; kept nothing
                none, refusal: configuration; asked; kept nothing
                none, silence: unavailable; asked; kept nothing
                5 min, new: B fresh; not asked; kept B of 300
                5 min, unchanged: B fresh; not asked; kept B of 300
                5 min, trouble: B fresh; not asked; kept B of 300
                5 min, page: B fresh; not asked; kept B of 300
                5 min, refusal: B fresh; not asked; kept B of 300
                5 min, silence: B fresh; not asked; kept B of 300
                1 h, new: B fetched; asked if changed; kept B of 0
                1 h, unchanged: B unchanged; asked if changed; kept B of 0
                1 h, trouble: B stale (tryAgain); asked if changed; kept B of 3600
                1 h, page: B stale (badData); asked if changed; kept B of 3600
                1 h, refusal: configuration; asked if changed; kept B of 3600
                1 h, silence: B stale (unavailable); asked if changed; kept B of 3600
                3 d, new: B fetched; asked if changed; kept B of 0
                3 d, unchanged: B unchanged; asked if changed; kept B of 0
                3 d, trouble: tryAgain; asked if changed; kept B of 259200
                3 d, page: badData; asked if changed; kept B of 259200
                3 d, refusal: configuration; asked if changed; kept B of 259200
                3 d, silence: B stale (unavailable); asked if changed; kept B of 259200

                """)
    }

    @Test func aServerMayAskForMorePatience() async throws {
        for (header, seconds) in [
            ("public, max-age=900, stale-while-revalidate=1800", 900.0), ("max-age=60", 600),
            ("max-age=99999999", 18_000), ("max-age=nan", 600), ("max-age=-5", 600),
        ] {
            let folder = try TemporaryFolder()
            let server = Server(.new, headers: ["cache-control": header])
            let answer = try await ask(server, in: folder.path, at: Self.now)
            #expect(answer.freshUntil == Self.now.addingTimeInterval(seconds), "\(header)")
        }
    }

    @Test func whatIsNotToBeKeptIsNot() async throws {
        let folder = try TemporaryFolder()
        let server = Server(.new, headers: ["cache-control": "No-Store"])
        _ = try await ask(server, in: folder.path, at: Self.now)
        #expect(await kept(in: folder.path, at: Self.now) == "nothing")
    }

    @Test func theFilesAreTheUsersAloneAndHoldNoKey() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cache")
        _ = try await ask(Server(.new), in: path, at: Self.now)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files.count == 1)
        for file in files { #expect(try !folder.text("cache/" + file).contains("secret")) }
    }

    @Test func whatIsDamagedOrFromTheFutureIsAskedForAgain() async throws {
        let folder = try TemporaryFolder()
        _ = try await ask(Server(.new), in: folder.path, at: Self.now.addingTimeInterval(Self.day))
        let early = await words { try await ask(Server(.silence), in: folder.path, at: Self.now) }
        #expect(early == "unavailable")
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        try folder.write("{\"name\":\"news\"", to: file)
        let damaged = await words { try await ask(Server(.new), in: folder.path, at: Self.now) }
        #expect(damaged == "B fetched")
    }
}
