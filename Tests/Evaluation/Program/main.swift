import Foundation
import PulseCore
import PulseEvaluation

// `pulse-eval [--missed [dev|test|blind]]`: prints the figures; with --missed also each sentence of dev that went wrong,
// or of another split. How well what it says agrees with what people say is for them to judge: it ends with 0 whatever it finds.
// `pulse-eval --fixtures FOLDER`: the same with other articles and sentences, laid out as in `Tests/Fixtures`.
// `pulse-eval --pairs FILE`: how many sentences of human summaries are flagged; lines of {"text": …, "summary": …}.
if let flag = CommandLine.arguments.firstIndex(of: "--pairs"), flag + 1 < CommandLine.arguments.count {
    let pairs = try Pairs(contentsOf: URL(fileURLWithPath: CommandLine.arguments[flag + 1]))
    print(pairs.text)
    exit(0)
}
let fixtures = CommandLine.arguments.firstIndex(of: "--fixtures").flatMap { flag in
    CommandLine.arguments.dropFirst(flag + 1).first.map { URL(fileURLWithPath: $0) }
}
let materials = try Material.all(fixtures: fixtures ?? Material.fixtures)
let missed = CommandLine.arguments.firstIndex(of: "--missed").map { flag in
    CommandLine.arguments.dropFirst(flag + 1).first.flatMap(Material.Split.init) ?? .dev
}
for scope in Evaluation.Scope.allCases {
    let evaluation = Evaluation(materials, scope: scope)
    print(EvaluationText.render(evaluation, scope: scope))
    guard let split = missed, scope == .section else { continue }
    for planted in evaluation.missed where planted.split == split {
        print("missed [\(planted.kind.rawValue)] \(planted.right) → \(planted.wrong): \(planted.text)")
    }
    for (paraphrase, verdict) in evaluation.wronged where paraphrase.split == split {
        print("flagged \(verdict.doubts) \(verdict.sources.count): \(paraphrase.text)")
    }
}
// What follows is about the sample history and its own figures.
if fixtures != nil { exit(0) }
let material = materials[0]
let planted = Joins.planted(material)
print(
    "Joins planted in the articles, of two neighbouring sentences with numbers: \(planted.hits) of \(planted.all) refused"
)
let root = Material.fixtures.deletingLastPathComponent().deletingLastPathComponent()
do {
    let joins = try await Joins(
        material, model: root.appendingPathComponent("models/pulse-nano.gguf"),
        template: root.appendingPathComponent("prompts/summary.en.md"))
    print(joins.text)
} catch {
    print("The embedded model could not be asked: \(error)\n")
}
print(EvaluationText.about)
