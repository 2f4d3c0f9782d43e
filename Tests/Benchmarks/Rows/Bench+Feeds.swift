/// Five hundred feeds, of one server on this machine: the program asks it once at a time.
import Foundation
import PulseRendering
import PulseTestSupport

extension Bench {
    func feeds() async throws -> [MeasuredRow] {
        try await withHome { program in
            let count = arguments.isQuick ? 50 : 500
            let server = try LoopbackServer { request, _ in Self.answer(request) }
            let store = ["--store", program.home + "/feeds.sqlite", "--quiet"]
            let list = program.home + "/feeds.opml"
            let outlines = (0..<count).map {
                "<outline type=\"rss\" text=\"\($0)\" xmlUrl=\"\(server.url("\($0)"))\"/>"
            }
            try "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>".write(
                toFile: list, atomically: true, encoding: .utf8)
            _ = try program.run(["feeds", "import-opml", list, "--private"] + store)
            let cold = try program.run(["feeds", "refresh"] + store, watchesMemory: true)
            var unchanged: [ProgramRun.Result] = []
            for _ in 0..<arguments.rounds {
                unchanged.append(try program.run(["feeds", "refresh", "--force"] + store, watchesMemory: true))
            }
            return [
                row("feeds-cold", "refresh of \(count) feeds with 20 new entries each", [cold], goal: nil),
                row("feeds-unchanged", "refresh of \(count) feeds without anything new", unchanged, goal: .atMost(3)),
                MeasuredRow(
                    "feeds-memory", "the most memory that these took", .mebibytes,
                    Samples([Double(([cold] + unchanged).map(\.peakResident).max() ?? 0) / 1_048_576]),
                    goal: .atMost(150)),
            ]
        }
    }

    private func row(
        _ id: String, _ title: String, _ runs: [ProgramRun.Result], goal: MeasuredRow.Goal?
    ) -> MeasuredRow {
        MeasuredRow(
            id, title, .seconds, Samples(runs.map(\.seconds)), goal: goal,
            detail: "\((runs.map(\.peakResident).max() ?? 0) >> 20) MiB")
    }

    private static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        if request.headers["if-none-match"] != nil { return LoopbackResponse(status: 304) }
        let text = String(repeating: "Somebody said something of which somebody else knew nothing. ", count: 20)
        let items = (0..<20).map {
            "<item><title>Item \($0) of \(request.target)</title><guid>tag:bench\(request.target),\($0)</guid>"
                + "<link>https://bench.example\(request.target)/\($0)</link><description>\(text)</description></item>"
        }
        let body = "<rss version=\"2.0\"><channel><title>\(request.target)</title>\(items.joined())</channel></rss>"
        return LoopbackResponse(headers: ["ETag": "\"1\""], text: body)
    }
}
