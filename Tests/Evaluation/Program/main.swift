import Foundation
import PulseCore
import PulseEvaluation

// `pulse-eval [--missed]`: prints the figures; with --missed also each sentence that went wrong.
let material = try Material(fixtures: Material.fixtures)
for scope in Evaluation.Scope.allCases {
    let evaluation = Evaluation(material, scope: scope)
    print(EvaluationText.render(evaluation, material: material, scope: scope))
    guard CommandLine.arguments.contains("--missed"), scope == .section else { continue }
    let split = CommandLine.arguments.contains("--test") ? Material.Split.test : .dev
    for planted in evaluation.missed where planted.split == split {
        print("missed [\(planted.kind.rawValue)] \(planted.right) → \(planted.wrong): \(planted.text)")
    }
    for (paraphrase, verdict) in evaluation.wronged where paraphrase.split == split {
        print("flagged \(verdict.doubts) \(verdict.sources.count): \(paraphrase.text)")
    }
}
print(EvaluationText.about)
