import Foundation
import PulseTestSupport
import Testing

/// A history of three articles, and a model that answers every question with a script.
protocol AskSuite {
    var sandbox: Sandbox { get }
}

extension AskSuite {
    static func newSandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        return sandbox
    }

    func record(_ articles: [[String: String]]) throws {
        try sandbox.read(articles.map { $0.merging(["language": "en", "category": "world"]) { own, _ in own } })
    }

    static var lock: String {
        """
        The harbour office of Calder reopened the northern lock on Monday after nine weeks of repairs, and forty \
        ships passed through it before dusk.
        """
    }
    static var articles: [[String: String]] {
        [
            [
                "id": "lock00001", "title": "Calder lock reopens", "source": "Harbour Post", "read_at": "-PT3H",
                "content": lock + " Repairs had cost 4 million crowns. The lock was built in 1911.",
            ],
            [
                "id": "leek00001", "title": "Meteorite falls through greenhouse", "source": "Northern Wire",
                "read_at": "-P10D",
                "content": "A meteorite weighing 740 grams fell through the roof of a greenhouse in Upper Arrel. "
                    + "Nobody was hurt. The museum has offered 60,000 crowns and a new pane.",
            ],
            [
                "id": "play00001", "title": "Lost radio plays found", "source": "Harbour Post", "read_at": "-P9D",
                "content": "Tapes of 37 radio plays have been found in the lighthouse on Saint Orban. "
                    + "A keeper recorded them to pass the winter. The archive will publish them from January.",
            ],
        ]
    }

    /// A model that answers everything with a script.
    func prepare(_ script: String) throws {
        try FixtureModel.write(to: sandbox.model) { model in
            model.width = 256
            model.script = script
        }
        try record(Self.articles)
    }

    func ask(_ words: String...) throws -> Outcome { try sandbox.run(["ask"] + words) }

    func asked(_ question: String, _ more: String...) throws -> Outcome {
        try sandbox.run(["ask", question, "--model", sandbox.model, "--max-tokens", "400"] + more)
    }

    func json(_ outcome: Outcome) throws -> [String: Any] {
        try #require(outcome.status == 0, "\(outcome.errors)")
        let schema = try JSONSchema(Data(contentsOf: Repository.root.appendingPathComponent("docs/ask.schema.json")))
        #expect(try schema.faults(in: Data(outcome.output.utf8)) == [])
        return try outcome.object()
    }
}
