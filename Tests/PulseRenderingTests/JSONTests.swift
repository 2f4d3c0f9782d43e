import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@Suite struct JSONTests {
    @Test func digestGolden() throws {
        let text = DigestJSON.render(Sample.digest)
        #expect(try text == Golden.text("digest.json", actual: text))
    }

    @Test func summaryGolden() throws {
        let text = SummaryJSON.render(Sample.summary)
        #expect(try text == Golden.text("summary.json", actual: text))
    }

    /// The keys other programs rely on.
    @Test func keysOfTheContract() throws {
        let object =
            try JSONSerialization.jsonObject(with: Data(DigestJSON.render(Sample.digest).utf8)) as? [String: Any]
        let digest = try #require(object)
        #expect(
            Set(digest.keys)
                == ["date", "window", "language", "model", "stats", "sections", "articles", "timing", "topics"])
        let topics = digest["topics"] as? [[String: Any]]
        #expect(topics?.map { $0["category"] as? String } == ["world", "technology"])
        #expect(topics?.map { $0["articles"] as? Int } == [6, 1])
        func keys(_ value: Any?) -> Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
        #expect(keys(digest["window"]) == ["from", "to"])
        #expect(keys(digest["model"]) == ["name", "sha256"])
        #expect(keys(digest["stats"]) == ["articles", "sources", "categories", "muted"])
        #expect(keys(digest["timing"]) == ["load_ms", "prompt_tokens", "prompt_ms", "output_tokens", "output_ms"])
        let section = (digest["sections"] as? [Any])?.first
        #expect(keys(section).isSuperset(of: ["category", "text", "sentences", "articles", "corrections"]))
        let sentence = ((section as? [String: Any])?["sentences"] as? [Any])?.first
        #expect(keys(sentence) == ["text", "sources", "grounded", "origin"])
        let article = (digest["articles"] as? [Any])?.first
        #expect(
            keys(article).isSuperset(of: ["id", "title", "url", "source", "category", "published_at", "read_at"]))
    }

    @Test func daysInARowAreToldWhereTheyAreKnown() throws {
        let text = DigestJSON.render(HostileSample.digest())
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["days_in_a_row"] as? Int == 3)
        #expect(!DigestJSON.render(Sample.digest).contains("days_in_a_row"))
    }
}
