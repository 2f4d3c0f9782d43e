import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct JSONTests {
    @Test(arguments: [
        ("digest.json", Sample.digest), ("digest.written.json", Sample.written), ("week.json", Sample.week),
    ])
    func digestGolden(name: String, digest: Digest) throws {
        let text = DigestJSON.render(digest)
        #expect(try text == Golden.text(name, actual: text))
    }

    // MARK: - The schema

    private static let schema: Result<JSONSchema, any Error> = Result {
        let root = Repository.root
        return try JSONSchema(Data(contentsOf: root.appendingPathComponent("docs/digest.schema.json")))
    }

    private func faults(_ text: String) throws -> [String] { try Self.schema.get().faults(in: Data(text.utf8)) }

    private static let digests: [Digest] =
        [Sample.digest, Sample.written, Sample.updates, Sample.week, none]
        + Language.allCases.flatMap { language in
            [HostileSample.digest(language)] + [false, true].map { LanguageSample(language, isWritten: $0).digest }
        }

    private static let none = Digest(
        date: Sample.now, period: Period(hours: 1, endingAt: Sample.now), language: .english, sections: [])

    /// What other programs rely on.
    @Test(arguments: digests)
    func everyDigestIsAsTheSchemaSays(digest: Digest) throws { #expect(try faults(DigestJSON.render(digest)) == []) }

    /// The golden files, too: what they hold is what was printed.
    @Test func everyGoldenDigestIsAsTheSchemaSays() throws {
        let folder = Repository.fixtures.appendingPathComponent("golden")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("digest.") && $0.pathExtension == "json" }
        #expect(files.count >= 2)
        for file in files { #expect(try faults(String(contentsOf: file, encoding: .utf8)) == [], "\(file)") }
    }

    /// A document with a part in another's place, and the part.
    private static func changed(_ part: String, _ other: String) -> (document: String, isChanged: Bool) {
        let text = DigestJSON.render(Sample.written)
        guard let range = text.firstRange(of: part) else { return (text, false) }
        return (text.replacingCharacters(in: range, with: other), true)
    }

    @Test(arguments: [
        ("\"version\" : 1", "\"version\" : 2", "$.version"), ("\"version\" : 1", "\"version\" : true", "$.version"),
        ("\"basis\" : \"read\"", "\"basis\" : \"written\"", "$.basis"),
        ("\"basis\" : \"read\",", "", "$: basis is missing"),
        ("\"basis\" : \"read\"", "\"basis\" : \"read\", \"more\" : 1", "$.more"),
        ("\"language\" : \"en\",\n  \"left_out\"", "\"language\" : \"de\",\n  \"left_out\"", "$.language"),
        ("\"muted\" : 4", "\"muted\" : -1", "$.left_out.muted"),
        ("\"muted\" : 4", "\"muted\" : 1.5", "$.left_out.muted"),
        ("\"muted\" : 4", "\"muted\" : \"4\"", "$.left_out.muted"),
        ("\"origin\" : \"written\"", "\"origin\" : \"made up\"", "$.sections[0].stories[0].sentences[0].origin"),
        ("\"read_at_exact\" : true", "\"read_at_exact\" : 1", "$.articles[0].read_at_exact"),
        ("\"weight\" : 3", "\"weight\" : 0", "$.sections[0].stories[0].weight"),
        ("\"world\" : ", "\"zoo\" : 0, \"world\" : ", "$.stats.categories.zoo"),
        ("abababab\"", "ABABABAB\"", "$.model"),
        ("\"date\" : \"2026-11-21T02:46:40Z\"", "\"date\" : \"today\"", "$.date"),
        ("\"weight\" : 3", "\"weight\" : 3, \"update_of\" : {}", ".update_of: date is missing"),
    ])
    func anotherDocumentIsRefused(part: String, other: String, place: String) throws {
        let (document, isChanged) = Self.changed(part, other)
        #expect(isChanged)
        let found = try faults(document)
        #expect(!found.isEmpty && found.contains { $0.contains(place) }, "\(found)")
    }

    @Test(arguments: [
        ("\"read_at_exact\" : false,", "\"read_at_exact\" : false, \"url\" : null, \"published_at\" : null,"),
        (
            "\"weight\" : 3", "\"weight\" : 3, \"update_of\" : { \"date\" : \"2026-11-20\", \"story\" : 3 }"
        ), ("\"basis\" : \"read\"", "\"basis\" : \"unread\""),
    ])
    func whatTheContractAllowsIsTaken(part: String, other: String) throws {
        let (document, isChanged) = Self.changed(part, other)
        #expect(isChanged)
        #expect(try faults(document) == [])
    }

    /// Otherwise a rule with a slip of the pen would hold for everything.
    @Test(arguments: ["{ \"requires\": [] }", "{ \"$ref\": \"#/$defs/x\" }", "{ \"minimum\": \"1\" }", "[]"])
    func aSchemaThatIsNotUnderstoodIsAnError(schema: String) throws {
        #expect(throws: (any Error).self) { try JSONSchema(Data(schema.utf8)).faults(in: Data("{}".utf8)) }
    }

    // MARK: - What it says

    private func object(_ digest: Digest) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(DigestJSON.render(digest).utf8)) as? [String: Any])
    }

    /// Every id that a story or a sentence names is that of an article, in the order of the stories.
    @Test(arguments: digests)
    func idsAreThoseOfArticles(digest: Digest) throws {
        let object = try object(digest)
        let articles = (object["articles"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        let stories = (object["sections"] as? [[String: Any]] ?? []).flatMap { $0["stories"] as? [[String: Any]] ?? [] }
        #expect(stories.flatMap { $0["articles"] as? [String] ?? [] } == articles)
        for story in stories {
            let own = Set(story["articles"] as? [String] ?? [])
            for sentence in story["sentences"] as? [[String: Any]] ?? [] {
                #expect(own.isSuperset(of: sentence["sources"] as? [String] ?? []))
            }
        }
    }

    @Test func whatIsLeftOutIsCounted() throws {
        let object = try object(Sample.digest)
        #expect(object["left_out"] as? [String: Int] == ["n": 16, "muted": 4])
        let stats = try #require(object["stats"] as? [String: Any])
        #expect(
            stats["days_in_a_row"] as? Int == 5 && stats["stories"] as? Int == 16 && stats["articles"] as? Int == 18)
        #expect(
            stats["categories"] as? [String: Int]
                == ["world": 9, "technology": 2, "The Register & Sons": 20, "more": 3])
        let sections = try #require(object["sections"] as? [[String: Any]])
        #expect(sections.map { $0["omitted"] as? Int } == [3, 0, 12, 1])
        #expect(sections.map { $0["category"] as? String } == ["world", "technology", "The Register & Sons", "more"])
        #expect(object["model"] is NSNull)
    }
}
