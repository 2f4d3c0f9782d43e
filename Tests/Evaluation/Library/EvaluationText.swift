import Foundation
import PulseDigest

/// The figures as tables.
public enum EvaluationText {
    public static func render(_ written: Written) -> String {
        let columns = Written.Half.allCases.map { ($0.rawValue, written.figures($0)) } + [("all", written.figures(nil))]
        func line(_ name: String, _ value: (Written.Figures) -> String) -> String {
            row(name, columns.map { value($0.1) })
        }
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "-" : String(format: "%d/%d %3.0f %%", part, whole, 100 * Double(part) / Double(whole))
        }
        var text = row("what SmolLM2-135M wrote", columns.map(\.0))
        text += line("  sentences") { "\($0.all)" }
        text += line("  of them echoes, or about the text") { "\($0.meta)" }
        text += line("  let through") { "\($0.passed)" }
        text += line("    of them unsupported") { share($0.unsupported, $0.passed) }
        text += line("    of them echoes, or about the text") { share($0.metaPassed, $0.passed) }
        text += line("    no copies, and either of the two") { share($0.unsupported + $0.metaPassed, $0.supported) }
        text += line("  printed as written") { share($0.passed, $0.all - $0.meta) }
        text += line("    of those that are no copies") { share($0.supported, $0.all - $0.meta - $0.quoted) }
        text += line("    of those that are true") { share($0.passed - $0.unsupported - $0.metaPassed, $0.told) }
        text += line("    of those that are true and whole") {
            share($0.passed - $0.unsupported - $0.metaPassed, $0.toldWhole)
        }
        for refusal in QuotationCheck.Refusal.allCases {
            text += line("  refused for: \(refusal.rawValue)") { "\($0.refusals[refusal] ?? 0)" }
        }
        return text
    }

    public static func render(_ evaluation: Evaluation) -> String {
        let splits = Material.Split.allCases
        func line(_ name: String, _ counts: Evaluation.Counts) -> String {
            let all = counts.values.reduce(Evaluation.Count(), +)
            return row(
                name, (splits.map { counts[$0] ?? Evaluation.Count() } + [all]).map { "\($0.hits)/\($0.all)" })
        }
        var text = row("true, in other words", splits.map(\.rawValue) + ["all"])
        for (how, counts) in evaluation.refused.sorted(by: { $0.key < $1.key }) { text += line("  " + how, counts) }
        let sum = evaluation.refused.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        return text + line("  refused, of all these", sum)
    }

    public static let about = """
        About the data: the articles are invented for this project. What SmolLM2-135M-Instruct wrote about them was
        labelled, each sentence against its whole article, by somebody who knew none of the rules; the check was made by
        looking at half A, and fixed before its author saw half B; since then it was made shorter and stricter, with
        both in sight. The true sentences in other words were written by six authors; the check refuses nearly all of
        them, as it is meant to: it cannot tell them from what a model makes up.

        """

    private static func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        let name = name + String(repeating: " ", count: max(0, 38 - name.count))
        return name + cells.map { padded($0, 12) }.joined() + "\n"
    }
}
