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
        // Of the sample history, and of all that the rules were mended by.
        for splits in [[Material.Split.dev, .test], Material.Split.allCases] {
            let counts = splits.map { evaluation.flaggedOfAll($0) }
            let (flagged, all) = (counts.reduce(0) { $0 + $1.hits }, counts.reduce(0) { $0 + $1.all })
            #expect(all >= 200)
            #expect(Double(flagged) / Double(all) <= 0.05)
        }
        for split in Material.Split.allCases {
            // Of `second` there are few.
            #expect(evaluation.caughtOfClaimed(split).share >= (split == .second ? 0.96 : 0.98), "\(split)")
            #expect(evaluation.flaggedOfAll(split).share <= 0.09, "\(split)")
        }
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
