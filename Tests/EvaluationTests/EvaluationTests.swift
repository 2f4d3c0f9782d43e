import PulseCore
import PulseEvaluation
import Testing

/// What the README promises of the check of facts, on the data that `make eval` prints the figures of.
@Suite struct EvaluationTests {
    private static let materials = try? Material.all(fixtures: Material.fixtures)

    @Test(arguments: Evaluation.Scope.allCases)
    func theGoalsAreMet(scope: Evaluation.Scope) throws {
        let materials = try #require(Self.materials)
        let evaluation = Evaluation(materials, scope: scope)
        let caught = evaluation.caughtOfClaimed()
        #expect(caught.all >= 200)
        #expect(caught.share >= 0.98)
        let flagged = evaluation.flaggedOfAll()
        #expect(flagged.all >= 200)
        #expect(flagged.share <= 0.05)
    }

    @Test func everyParaphraseHasItsArticle() throws {
        for material in try #require(Self.materials) {
            for id in material.paraphrases.flatMap(\.articles) { #expect(material.article(id) != nil, "\(id)") }
            #expect(Set(material.paraphrases.map(\.text)).count == material.paraphrases.count)
        }
    }

    @Test func theErrorsAreTheSameEveryTime() throws {
        let material = try #require(Self.materials?.first)
        var first = Planting(material)
        var second = Planting(material)
        let planted = first.all()
        #expect(planted == second.all())
        for error in planted { #expect(error.text.contains(error.wrong) && error.wrong != error.right) }
    }
}
