import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct BenchTests {
    @Test(.timeLimit(.minutes(20)))
    func aModelIsMeasured() throws {
        let box = try Sandbox()
        let run = try box.run("bench", "--format", "json", "--threads", "1").ends(0)
        let document = try run.object()
        #expect(document["threads"] as? Int == 1)
        #expect((document["loads"] as? [Double])?.count == 2)
        let rows = try #require(document["rows"] as? [[String: Any]])
        let names = rows.compactMap { $0["id"] as? String }
        #expect(names == ["load", "weights", "reading", "writing", "first", "stories", "lookup", "memory"])
        for row in rows {
            let figures = try #require((row["value"] ?? row["first"]) as? [String: Any])
            let median = try #require(figures["median"] as? Double, "\(row)")
            #expect(median > 0, "\(row)")
        }
    }

    @Test func aModelThatIsNotThereIsSaidSo() throws {
        let box = try Sandbox()
        try box.run("bench", "--model", box.folder.file("none.gguf")).ends(69, "none.gguf", output: "")
    }
}
