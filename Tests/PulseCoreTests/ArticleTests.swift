import Foundation
import PulseCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct ArticleTests {
    @Test func keysAreTheMixedFNVHashOfTheId() {
        // The FNV authors' reference values, put through the finalizer by an independent program.
        #expect(ArticleKey.make(from: "") == "efd01f60ba992926")
        #expect(ArticleKey.make(from: "a") == "82a2a958a9bece5b")
        #expect(ArticleKey.make(from: "foobar") == "2c22194922d1672b")
        #expect(Article(id: "a", title: "").key == "82a2a958a9bece5b")
    }

    @Test func keysKeepTheirLeadingZeros() {
        let keys = (0..<2000).map { ArticleKey.make(from: "id-\($0)") }
        #expect(keys.allSatisfy { $0.count == 16 })
        #expect(keys.contains { $0.hasPrefix("0") })
        // Ids that differ in their last letters only are told apart by the digits the lists show.
        #expect(Set(keys.map { $0.prefix(ArticleKey.shortLength) }).count > 1990)
    }

    @Test func textIsTheLongestFormThereIs() {
        #expect(Article(id: "1", title: "t", summary: "s", content: "c").text == "c")
        #expect(Article(id: "1", title: "t", summary: "s").text == "s")
        #expect(Article(id: "1", title: "t").text == "t")
    }

    @Test func periodsHoldBothTheirEnds() {
        let end = Date(timeIntervalSince1970: 1_000_000)
        let period = Period(hours: 2, endingAt: end)
        #expect(period.duration == 7200)
        #expect(period.contains(end) && period.contains(period.from))
        #expect(!period.contains(end.addingTimeInterval(1)) && !period.contains(period.from.addingTimeInterval(-1)))
        #expect(Period(from: end, to: period.from) == Period(from: period.from, to: end))
    }
}
