import Foundation
public import PulseCore

/// A benchmark as a table, with what is to be known about it below.
public enum BenchmarkText {
    /// The rows alone have a header; goals and rounds have a column where any row has them.
    public static func render(_ report: BenchmarkReport, style: TextStyle) -> String {
        var text = style.bold(report.model) + "\n"
        text += style.dim(facts(report, in: style.timeZone)) + "\n\n"
        text += table(report.rows, style: style)
        let notes = report.notes + details(report.rows)
        if !notes.isEmpty { text += "\n" + notes.map { style.aside($0) }.joined() }
        return text
    }

    private static func facts(_ report: BenchmarkReport, in zone: TimeZone) -> String {
        let threads = Counted.text(report.threads, "thread", "threads")
        let loads = report.loads.map { decimal($0, digits: 1) }.joined(separator: " to ")
        return "\(DateText.compact(report.date, in: zone)) · \(report.machine) · \(threads) · load \(loads)"
    }

    private static func table(_ rows: [BenchmarkRow], style: TextStyle) -> String {
        var columns: [[String]] = [[""], ["first"], ["second"], ["ratio"], ["goal"], [""], ["rounds"]]
        for row in rows {
            let cells = [
                row.title, row.baseline?.median.map { figure($0, row.unit) } ?? "",
                row.value.median.map { figure($0, row.unit) } ?? "–",
                row.ratio.map { decimal($0, digits: 2) } ?? "", row.goal.map { goal($0, row) } ?? "",
                row.isGoalMet.map { $0 ? "yes" : "no" } ?? "", rounds(row),
            ]
            for (index, cell) in cells.enumerated() { columns[index].append(cell) }
        }
        let empty = columns.map { $0.dropFirst().allSatisfy(\.isEmpty) }
        let widths = columns.map { $0.map(DisplayWidth.of).max() ?? 0 }
        return (0...rows.count).map { line in
            var cells: [String] = []
            for (index, column) in columns.enumerated() where !empty[index] {
                // Words to the left, figures to the right.
                cells.append(column[line].padding(to: widths[index], atFront: index != 0 && index != 5))
            }
            var text = cells.joined(separator: "  ")
            while text.hasSuffix(" ") { text.removeLast() }
            return (line == 0 ? style.dim(text) : text) + "\n"
        }.joined()
    }

    /// How many rounds count: "3", "3 of 5" where disturbed ones were left out, "3 !" where none was undisturbed.
    private static func rounds(_ row: BenchmarkRow) -> String {
        let count = row.value.values.count
        if row.isDoubtful { return "\(count) !" }
        return row.disturbed > 0 ? "\(count) of \(count + row.disturbed)" : "\(count)"
    }

    private static func goal(_ goal: BenchmarkRow.Goal, _ row: BenchmarkRow) -> String {
        let (sign, bound) =
            switch goal {
            case .atLeast(let bound): ("≥", bound)
            case .atMost(let bound): ("≤", bound)
            }
        return "\(sign) " + (row.baseline == nil ? figure(bound, row.unit) : plain(bound))
    }

    private static func details(_ rows: [BenchmarkRow]) -> [String] {
        var lines = rows.filter { !$0.detail.isEmpty }.map { "\($0.id): \($0.detail)." }
        if rows.contains(where: \.isDoubtful) {
            lines.append("! Other processes used the processor in every round of this row: measure it again.")
        }
        return lines
    }

    static func figure(_ value: Double, _ unit: BenchmarkRow.Unit) -> String {
        switch unit {
        case .seconds: decimal(value, digits: value < 10 ? 2 : 1) + " s"
        case .milliseconds: decimal(value, digits: abs(value) < 10 ? 1 : 0) + " ms"
        case .mebibytes: decimal(value, digits: 0) + " MiB"
        case .megabytes: decimal(value, digits: 0) + " MB"
        case .tokensPerSecond: decimal(value, digits: 1) + " tokens/s"
        case .articlesPerSecond: decimal(value, digits: 0) + "/s"
        }
    }

    private static func decimal(_ value: Double, digits: Int) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_GB")))
    }

    /// As few digits as it takes.
    private static func plain(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(1...2)).locale(Locale(identifier: "en_GB")))
    }
}
