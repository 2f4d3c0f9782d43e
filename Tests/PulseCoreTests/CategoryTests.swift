import PulseCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct CategoryTests {
    @Test func namesAreNormalised() {
        #expect(Category(" World ") == Category("world"))
        #expect(Category("").name == "general")
        #expect(Category("\u{1b}").name == "general")
        #expect(Category("http://schemas.google.com/g/2005/labels#starred") == .general)
        #expect(Category("gardening").title == "Gardening")
        #expect(Category("r/Harbours").title == "r/harbours")
    }

    @Test func orderIsPulsesThenByNameThenGeneral() {
        let mixed = ["general", "zoo", "sports", "art", "world", "business"].map { Category($0) }
        #expect(mixed.sorted().map(\.name) == ["world", "business", "sports", "art", "zoo", "general"])
    }
}
