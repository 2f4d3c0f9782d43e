import PulseCore
import PulseEvaluation
import Testing

/// What the README promises of the check of facts, on the data that `make eval` prints the figures of.
@Suite struct EvaluationTests {
    private static let material = try? Material(fixtures: Material.fixtures)

    @Test(arguments: Evaluation.Scope.allCases)
    func theGoalsAreMet(scope: Evaluation.Scope) throws {
        let material = try #require(Self.material)
        let evaluation = Evaluation(material, scope: scope)
        for split in [nil, Material.Split.test] {
            let caught = evaluation.caughtOfClaimed(split)
            #expect(caught.all >= 200)
            #expect(caught.share >= 0.98)
            let flagged = evaluation.flaggedOfAll(split)
            #expect(flagged.all >= (split == nil ? 200 : 100))
            #expect(flagged.share <= 0.05)
        }
    }

    @Test func everyParaphraseHasItsArticleAndAnArticleOneSplit() throws {
        let material = try #require(Self.material)
        var splits: [String: Material.Split] = [:]
        for paraphrase in material.paraphrases {
            for id in paraphrase.articles {
                #expect(material.article(id) != nil, "\(id)")
                #expect(splits[id, default: paraphrase.split] == paraphrase.split, "\(id)")
                splits[id] = paraphrase.split
            }
        }
        #expect(Set(material.paraphrases.map(\.text)).count == material.paraphrases.count)
    }

    @Test func theErrorsAreTheSameEveryTime() throws {
        let material = try #require(Self.material)
        var first = Planting(material)
        var second = Planting(material)
        let planted = first.all()
        #expect(planted == second.all())
        for error in planted { #expect(error.text.contains(error.wrong) && error.wrong != error.right) }
    }
}
