/// Five hundred feeds from a server on this machine.
import Foundation
import PulseTestSupport

extension Bench {
    func feeds() async throws -> [MeasuredRow] {
        try await withHome { home in
            let count = arguments.isQuick ? 50 : 500
            let server = try LoopbackServer { request, _ in Self.answer(request) }
            let program = ProgramRun(program: arguments.program, home: home)
            let store = home + "/feeds.sqlite"
            let list = home + "/feeds.opml"
            // Nobody typed these addresses, so they may not be on this machine: each is added by hand, as it were.
            try Self.opml((0..<count).map { server.url("\($0).xml") }).write(
                toFile: list, atomically: true, encoding: .utf8)
            _ = try program.run(["feeds", "import-opml", list, "--local", "--store", store, "--quiet"])
            var rows: [MeasuredRow] = []
            let cold = try program.run(["feeds", "refresh", "--store", store, "--quiet"])
            rows.append(row("feeds-cold", "refresh of \(count) feeds, 20 new entries each", cold, goal: nil))
            let warm = try program.run(["feeds", "refresh", "--force", "--store", store, "--quiet"])
            rows.append(row("feeds-unchanged", "refresh of \(count) feeds, nothing new", warm, goal: .atMost(3)))
            return rows
        }
    }
}
