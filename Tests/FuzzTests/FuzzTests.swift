import Foundation
import PulseTestSupport
import Testing

/// A short round of `make fuzz`, in a process of its own: the same inputs each time, which must neither crash nor hang a
/// parser, take no more than their share of memory, and leave nothing in a text that a terminal would obey.
@Suite(.timeLimit(.minutes(20)), .serialized) struct FuzzTests {
    @Test(arguments: ["feed", "page", "opml", "export", "database", "gguf", "template", "answer", "text"])
    func nothingThatIsReadBreaksItsParser(name: String) async throws {
        let folder = try TemporaryFolder()
        let (status, data) = try output(
            of: Repository.product("pulse-fuzz").path,
            [
                "--child", "--most", "60", "--seconds", "600", "--seed", "20261126", "--target", name, "--folder",
                folder.path,
            ])
        let said = String(decoding: data, as: UTF8.self)
        #expect(status == 0)
        let tally = try #require(said.firstMatch(of: /: ([0-9]+) inputs, ([0-9]+) refused/)?.output, "\(said)")
        // Otherwise it would be the refusals that were tested.
        #expect(tally.1 == "60" && Int(tally.2) ?? 60 < 60)
    }
}
