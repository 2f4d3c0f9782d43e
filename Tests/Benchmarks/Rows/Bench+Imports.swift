/// What other programs' articles cost to bring in: a reader's database, and a server.
import Foundation
import PulsePlatform
import PulseRendering
import PulseTestSupport

extension Bench {
    func imports() async throws -> [MeasuredRow] {
        try await withHome { program in try readerStore(program) + (try await server(program)) }
    }

    /// A database of FreshRSS, imported once, and once more when nothing in it is new.
    private func readerStore(_ program: ProgramRun) throws -> [MeasuredRow] {
        let count = max(1, arguments.articles / 10)
        let database = program.home + "/db.sqlite"
        try FeedReaderDatabase.write(articles: count, to: database, root: arguments.root)
        var (speed, again, memory) = (Samples(), Samples(), Samples())
        for round in 0..<arguments.rounds {
            let store = "\(program.home)/history-\(round).sqlite"
            let words = ["import", "freshrss", database, "--store", store, "--quiet"]
            let first = try program.run(words, watchesMemory: true)
            speed.values.append(Double(count) / first.seconds)
            memory.values.append(Double(first.peakResident) / Double(1 << 20))
            again.values.append(try program.run(words).seconds)
            Self.say(String(format: "  %.1f s, again %.2f s", first.seconds, again.values.last ?? 0))
        }
        let title = "\(count.formatted()) articles of 1 KB from FreshRSS's database"
        return [
            MeasuredRow("reader-store", title, .articlesPerSecond, speed, goal: .atLeast(20_000)),
            MeasuredRow("reader-store-memory", "\(title): peak memory", .mebibytes, memory, goal: .atMost(200)),
            MeasuredRow("reader-store-again", "\(title), nothing new", .seconds, again, goal: .atMost(1)),
        ]
    }

    /// A Miniflux on this machine, a hundred entries a page.
    private func server(_ program: ProgramRun) async throws -> [MeasuredRow] {
        let miniflux = LoopbackMiniflux(entries: max(100, arguments.articles / 100))
        let server = try LoopbackServer { request, _ in miniflux.answer(request.target) }
        let key = program.home + "/key"
        try "open sesame".write(toFile: key, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        var (alone, whole) = (Samples(), Samples())
        for round in 0..<arguments.rounds {
            let start = ContinuousClock.now
            let client = CurlClient()
            for page in miniflux.pages {
                var request = HTTPRequest(server.url(String(page.dropFirst())))
                request.isFromUser = true
                _ = try await client.send(request)
            }
            alone.values.append((ContinuousClock.now - start).seconds)
            let store = "\(program.home)/server-\(round).sqlite"
            let words = ["import", "miniflux", server.url(), "--key-file", key, "--store", store, "--quiet"]
            whole.values.append(try program.run(words).seconds)
            Self.say(
                String(format: "  %.2f s, the server alone %.2f s", whole.values.last ?? 0, alone.values.last ?? 0))
        }
        return [
            MeasuredRow(
                "server", "\(miniflux.count.formatted()) entries of a Miniflux on this machine", .seconds, whole,
                detail: String(format: "the server alone takes %.2f s for its pages", alone.median ?? 0))
        ]
    }
}

/// FreshRSS's database with articles of a synthetic history, each of some thousand bytes of HTML, read ten minutes
/// apart.
private enum FeedReaderDatabase {
    static func write(articles: Int, to path: String, root: String) throws {
        let tables = try String(contentsOfFile: root + "/Tests/Fixtures/stores/freshrss.sql", encoding: .utf8)
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute(tables)
        try connection.execute("DELETE FROM entry; DELETE FROM feed; BEGIN")
        for feed in 0..<60 {
            try connection.execute(
                "INSERT INTO feed (id, url, category, name) "
                    + "VALUES (\(feed + 1), 'https://source\(feed).example/feed', 1, 'Source \(feed)')")
        }
        let entry = try connection.prepare(
            """
            INSERT INTO entry (id, guid, title, content, link, date, lastUserModified, is_read, id_feed)
            VALUES (?1, ?2, ?3, ?4, ?2, ?5, ?6, 1, ?7)
            """)
        let history = SyntheticHistory(articles: articles)
        for number in 0..<articles {
            let line = try JSONSerialization.jsonObject(with: Data(history.line(number))) as? [String: String] ?? [:]
            let date = 1_790_000_000 - Int64(articles - number) * 600
            let sentences = (line["content"] ?? "").replacing("\n\n", with: "</p>\n<p>")
            try entry.run([
                .integer(date * 1_000_000), .text(line["url"] ?? ""), .text(line["title"] ?? ""),
                .text("<p>\(String(decoding: sentences.utf8.prefix(1000), as: UTF8.self))</p>"), .integer(date),
                .integer(date + 3600), .integer(Int64(number % 60 + 1)),
            ])
        }
        try connection.execute("COMMIT")
    }
}

/// Answers as Miniflux does to what the importer asks, out of pages that were made before.
private struct LoopbackMiniflux: Sendable {
    let count: Int
    private let entries: [[UInt8]]
    private static let pageSize = 100
    private static let start = 1_790_000_000

    init(entries count: Int) {
        self.count = count
        let history = SyntheticHistory(articles: count)
        entries = (0..<count).map { number in
            let line = (try? JSONSerialization.jsonObject(with: Data(history.line(number)))) as? [String: String] ?? [:]
            let entry: [String: Any] = [
                "id": number + 1, "status": "read", "title": line["title"] ?? "", "url": line["url"] ?? "",
                "content": "<p>\((line["content"] ?? "").prefix(1000))</p>", "starred": false,
                "published_at": "2026-09-01T10:00:00Z", "created_at": "2026-09-01T11:00:00Z",
                "changed_at": Date(timeIntervalSince1970: Double(Self.start + number * 7)).formatted(.iso8601),
                "feed": ["id": 1, "title": line["source"] ?? ""],
            ]
            return Array((try? JSONSerialization.data(withJSONObject: entry)) ?? Data())
        }
    }

    /// The addresses of all pages, one entry more each than is new.
    var pages: [String] {
        stride(from: 0, to: count, by: Self.pageSize).map {
            "/v1/entries?status=read&limit=\(Self.pageSize)&changed_after=\(Self.start + $0 * 7 - 1)"
        }
    }

    func answer(_ target: String) -> LoopbackResponse {
        if target.hasPrefix("/v1/me") { return LoopbackResponse(text: #"{"id":1,"username":"ana"}"#) }
        let items = URLComponents(string: target)?.queryItems ?? []
        let after = items.first { $0.name == "changed_after" }?.value.flatMap { Int($0) } ?? 0
        let isRead = items.contains { $0.name == "status" && $0.value == "read" }
        let first = isRead ? min(count, max(0, (after - Self.start) / 7 + (after < Self.start ? 0 : 1))) : count
        let page = entries[first...].prefix(Self.pageSize).joined(separator: [UInt8(ascii: ",")])
        return LoopbackResponse(
            headers: ["Content-Type": "application/json"],
            body: Array("{\"total\":\(count - first),\"entries\":[".utf8) + page + Array("]}".utf8))
    }
}
