import PulseFuzzing
import PulseTestSupport
import Testing

/// A short round of `make fuzz`: the same inputs each time, which must neither crash nor hang a parser, and leave
/// nothing in a text that a terminal would obey.
@Suite(.timeLimit(.minutes(20)), .serialized) struct FuzzTests {
    @Test(arguments: ["feed", "page", "opml", "export", "database", "gguf", "template", "answer", "text"])
    func nothingThatIsReadBreaksItsParser(name: String) async throws {
        let target = try #require(try FuzzTarget.all().first { $0.name == name })
        let folder = try TemporaryFolder()
        let tally = try await Fuzzer(folder: folder.path, alone: false).run(target, seed: 20_261_126, most: 60)
        #expect(tally.runs == 60)
        // Otherwise it would be the refusals that were tested.
        #expect(tally.refused < tally.runs)
    }
}
