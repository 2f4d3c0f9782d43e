import Testing

@testable import PulseInference

/// Stops found wherever the pieces are cut.
struct StopFilterTests {
    private func pass(_ text: String, stops: [String], size: Int) -> (text: String, isStopped: Bool) {
        var filter = StopFilter(stops)
        var out = ""
        let characters = Array(text)
        for start in stride(from: 0, to: characters.count, by: size) {
            out += filter.add(String(characters[start..<min(start + size, characters.count)]))
        }
        return (out + filter.finish(), filter.isStopped)
    }

    @Test(arguments: 1...9) func stopIsFoundAcrossPieces(size: Int) {
        let passed = pass("The end is <near>###and more", stops: ["###", "zzz"], size: size)
        #expect(passed.text == "The end is <near>")
        #expect(passed.isStopped)
    }

    @Test(arguments: 1...9) func almostAStopIsText(size: Int) {
        let passed = pass("## ab ## abc #", stops: ["###", "abd"], size: size)
        #expect(passed.text == "## ab ## abc #")
        #expect(!passed.isStopped)
    }

    @Test func whatMayBeginAStopIsHeldBack() {
        var filter = StopFilter(["\n\nUser:"])
        #expect(filter.add("Fine.\n\nUs") == "Fine.")
        #expect(filter.add("ually") == "\n\nUsually")
        #expect(filter.finish() == "")
    }

    @Test func theFirstOfSeveralWins() {
        #expect(pass("one two three", stops: ["three", "two"], size: 20).text == "one ")
    }

    @Test func nothingPassesAfterAStop() {
        var filter = StopFilter(["x"])
        #expect(filter.add("axb") == "a")
        #expect(filter.add("more") == "")
        #expect(filter.finish() == "")
    }

    @Test func withoutStopsEverythingPassesAtOnce() {
        var filter = StopFilter(["", ""])
        #expect(filter.add("text") == "text")
        #expect(!filter.isStopped)
    }
}
