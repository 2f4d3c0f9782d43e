import Foundation
import PulseDigest
import PulseEvaluation

// `pulse-eval [--missed [dev|test|blind…]]`: prints the figures; with --missed also each true sentence of dev, or of
// another split, that was refused. It ends with 0 whatever it finds.
// `pulse-eval --fixtures FOLDER`: the same with other articles and sentences, laid out as in `Tests/Fixtures`.
// `pulse-eval --claims FILE`: a verdict for each line of {"sources": […], "sentence": …, "writer": …}, as JSON.
// `pulse-eval --replay FILE`: the digest that a reader would have seen of real answers; lines of {"title": …, "text": …,
// "answer": …, "writer": …}.
// `pulse-eval --data FOLDER`: tables of labelled sentences, by set and writer, before those of the fixtures.
// `pulse-eval --stories FILE --tokens MODEL [--answers FILE]`: what a model is asked about the stories of days, and what
// is shown of its answers; see `Stories`.
// `pulse-eval --reports FILE`: of labelled reports, what `models/training/stories.py` learns from; see `Reports`.
func value(of flag: String) -> String? {
    CommandLine.arguments.firstIndex(of: flag).flatMap { CommandLine.arguments.dropFirst($0 + 1).first }
}

if let file = value(of: "--reports") {
    for line in try await Reports.lines(of: URL(fileURLWithPath: file)) { print(line) }
    exit(0)
}
if let file = value(of: "--claims") {
    var isSound = true
    try await Claims(Claims.model()).judge(URL(fileURLWithPath: file)) {
        print($0)
    } complain: { fault in
        isSound = false
        FileHandle.standardError.write(Data("\(file), \(fault)\n".utf8))
    }
    exit(isSound ? 0 : 65)
}
if let file = value(of: "--replay") {
    print(try await Replay(URL(fileURLWithPath: file), model: Claims.model()).text)
    exit(0)
}
if let folder = value(of: "--data") { print(try await Support(URL(fileURLWithPath: folder), Claims.model()).text) }
if let file = value(of: "--stories"), let model = value(of: "--tokens") {
    let answers = value(of: "--answers").map { URL(fileURLWithPath: $0) }
    print(try await Stories(URL(fileURLWithPath: file), answers: answers, model: model).text, terminator: "")
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
    for (paraphrase, refusal) in evaluation.wronged where paraphrase.split == split {
        print("refused for \(refusal.rawValue): \(paraphrase.text)")
    }
}
