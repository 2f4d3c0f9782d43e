import PulseCore
import PulseDigest
import PulseEvaluation
import Testing

/// What can fail honestly on the data that `make eval` prints the figures of. No figure is held here: those of half B
/// and of people's sentences are measured.
@Suite(.timeLimit(.minutes(20))) struct EvaluationTests {
    private static let materials = try? Material.all(fixtures: Material.fixtures)

    @Test func noEchoAndNothingAboutTheTextIsLetThrough() throws {
        let materials = try #require(Self.materials)
        let written = try Written(fixtures: Material.fixtures, materials)
        for (line, verdict) in zip(written.lines, written.verdicts) where line.label == .meta {
            if case .refused(_) = verdict { continue }
            Issue.record("\(line.article): \(line.sentence)")
        }
    }

    @Test func everyWrittenSentenceHasItsArticle() throws {
        let materials = try #require(Self.materials)
        let written = try Written(fixtures: Material.fixtures, materials)
        #expect(written.lines.count > 200)
        for line in written.lines { #expect(materials.contains { $0.article(line.article) != nil }, "\(line.article)") }
        // No story is in both halves.
        let halves = Written.Half.allCases.map { half in Set(written.lines.filter { $0.half == half }.map(\.article)) }
        #expect(halves[0].isDisjoint(with: halves[1]))
    }

    @Test func everyParaphraseHasItsArticle() throws {
        for material in try #require(Self.materials) {
            for id in material.paraphrases.flatMap(\.articles) { #expect(material.article(id) != nil, "\(id)") }
            #expect(Set(material.paraphrases.map(\.text)).count == material.paraphrases.count)
        }
    }
}
