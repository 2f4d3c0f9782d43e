import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("today", "today", 0), ("tody", "today", 1), ("tdoay", "today", 1),
        ("Today", "today", 0), ("kitten", "sitting", 3), ("", "abc", 3), ("flaw", "lawn", 2),
    ])
    func distances(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(left, right) == distance)
        #expect(EditDistance.between(right, left) == distance)
    }

    @Test func onlyANearNameIsSuggested() {
        let names = ["today", "summarize", "import", "history"]
        #expect(EditDistance.nearest(to: "sumarise", among: names) == "summarize")
        #expect(EditDistance.nearest(to: "histroy", among: names) == "history")
        #expect(EditDistance.nearest(to: "xyzzy", among: names) == nil)
        #expect(EditDistance.nearest(to: "today", among: []) == nil)
    }
}
