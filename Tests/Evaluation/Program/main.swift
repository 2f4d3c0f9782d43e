import Foundation
import PulseDigest
import PulseEvaluation

// `pulse-eval [--missed [dev|test|blind…]]`: prints the figures; with --missed also each planted error of dev, or of
// another split, that got through, and each true sentence that was refused. It ends with 0 whatever it finds.
// `pulse-eval --fixtures FOLDER`: the same with other articles and sentences, laid out as in `Tests/Fixtures`.
// `pulse-eval --claims FILE`: a verdict for each line of {"sources": […], "sentence": …, "writer": …}, as JSON.
// `pulse-eval --replay FILE`: the digest that a reader would have seen of real answers; lines of {"title": …, "text": …,
// "answer": …, "writer": …}.
// `pulse-eval --pairs FILE`: how many sentences of human summaries are refused; lines of {"text": …, "summary": …}.
func value(of flag: String) -> String? {
    CommandLine.arguments.firstIndex(of: flag).flatMap { CommandLine.arguments.dropFirst($0 + 1).first }
}

if let file = value(of: "--pairs") {
    print(try Pairs(contentsOf: URL(fileURLWithPath: file)).text)
    exit(0)
}
if let file = value(of: "--claims") {
    try await Claims(Claims.model()).judge(URL(fileURLWithPath: file)) { print($0) }
    exit(0)
}
if let file = value(of: "--replay") {
    print(try await Replay(URL(fileURLWithPath: file), model: Claims.model()).text)
    exit(0)
}
let fixtures = value(of: "--fixtures").map { URL(fileURLWithPath: $0) } ?? Material.fixtures
let materials = try Material.all(fixtures: fixtures)
if let written = try? Written(fixtures: fixtures, materials) {
    print(EvaluationText.render(written))
    print(try await Claims(Claims.model()).report(written, materials))
}
let evaluation = Evaluation(materials)
print(EvaluationText.render(evaluation))
print(EvaluationText.about)
if CommandLine.arguments.contains("--missed") {
    let split = value(of: "--missed").flatMap(Material.Split.init) ?? .dev
    for planted in evaluation.missed where planted.split == split {
        print("missed [\(planted.kind.rawValue)] \(planted.right) → \(planted.wrong): \(planted.text)")
    }
    for (paraphrase, refusal) in evaluation.wronged where paraphrase.split == split {
        print("refused for \(refusal.rawValue): \(paraphrase.text)")
    }
}
