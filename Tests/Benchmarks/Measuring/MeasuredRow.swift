import Foundation
import PulseRendering

/// One line of this benchmark: what was measured, what it is to reach, and how far the machine was undisturbed.
struct MeasuredRow: Encodable {
    enum Goal: Encodable {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            }
        }

        private enum CodingKeys: String, CodingKey {
            case atLeast = "at_least"
            case atMost = "at_most"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .atLeast(let bound): try container.encode(bound, forKey: .atLeast)
            case .atMost(let bound): try container.encode(bound, forKey: .atMost)
            }
        }
    }

    let row: BenchmarkRow
    /// For the ratio where two are compared, else for the median.
    let goal: Goal?
    /// Rounds that do not count, because other processes used the processor.
    let disturbed: Int
    /// Whether disturbed rounds had to count, because there was no other.
    let isDoubtful: Bool

    init(
        _ id: String, _ title: String, _ unit: BenchmarkRow.Unit, _ value: Samples, baseline: Samples? = nil,
        goal: Goal? = nil, disturbed: Int = 0, isDoubtful: Bool = false, detail: String = ""
    ) {
        row = BenchmarkRow(id: id, title: title, unit: unit, baseline: baseline, value: value, detail: detail)
        (self.goal, self.disturbed, self.isDoubtful) = (goal, disturbed, isDoubtful)
    }

    /// Nil where there is no goal, or nothing was measured.
    var isGoalMet: Bool? {
        guard let goal, let figure = row.baseline == nil ? row.value.median : row.ratio else { return nil }
        return goal.isMet(by: figure)
    }

    // MARK: - As JSON

    private enum CodingKeys: String, CodingKey {
        case goal, doubtful
        case goalMet = "goal_met"
        case disturbedRounds = "disturbed_rounds"
    }

    func encode(to encoder: any Encoder) throws {
        try BenchmarkJSON.Row(row).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(goal, forKey: .goal)
        try container.encodeIfPresent(isGoalMet, forKey: .goalMet)
        try container.encode(disturbed, forKey: .disturbedRounds)
        try container.encode(isDoubtful, forKey: .doubtful)
    }

    // MARK: - As a line of the table

    static func text(_ report: BenchmarkReport, _ rows: [MeasuredRow], style: TextStyle) -> String {
        let columns = [
            BenchmarkText.Column("goal", rows.map { row in row.goal.map(row.text) ?? "" }),
            BenchmarkText.Column("", rows.map { $0.isGoalMet.map { $0 ? "yes" : "no" } ?? "" }, isText: true),
            BenchmarkText.Column("rounds", rows.map(\.rounds)),
        ]
        let doubt = "! Other processes used the processor in every round of this row: measure it again."
        return BenchmarkText.render(
            report, style: style, columns: columns, footnotes: rows.contains(where: \.isDoubtful) ? [doubt] : [])
    }

    private func text(_ goal: Goal) -> String {
        let (sign, bound) =
            switch goal {
            case .atLeast(let bound): ("≥", bound)
            case .atMost(let bound): ("≤", bound)
            }
        // Of a ratio as few digits as it takes.
        let ratio = bound.formatted(.number.precision(.fractionLength(1...2)).locale(Locale(identifier: "en_GB")))
        return "\(sign) " + (row.baseline == nil ? BenchmarkText.figure(bound, row.unit) : ratio)
    }

    /// "3", "3 of 5" where disturbed ones do not count, "3 !" where all were disturbed.
    private var rounds: String {
        let count = row.value.values.count
        if isDoubtful { return "\(count) !" }
        return disturbed > 0 ? "\(count) of \(count + disturbed)" : "\(count)"
    }
}
