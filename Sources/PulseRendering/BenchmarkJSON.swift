import Foundation
public import PulseCore

/// A benchmark as one JSON document: every figure of every round beside the medians.
public enum BenchmarkJSON {
    public static func render(_ report: BenchmarkReport) -> String { JSONText.render(Document(report)) }

    private struct Document: Encodable {
        let date, machine, model: String
        let threads: Int
        let loads: [Double]
        let rows: [Row]
        let notes: [String]

        init(_ report: BenchmarkReport) {
            date = JSONText.date(report.date)
            machine = report.machine
            model = report.model
            threads = report.threads
            loads = report.loads
            rows = report.rows.map(Row.init)
            notes = report.notes
        }
    }

    private struct Row: Encodable {
        let id, title, unit: String
        let first, second, ratios: Figures?
        let value: Figures?
        let goal: Goal?
        let goalMet: Bool?
        let disturbedRounds: Int
        let doubtful: Bool
        let detail: String

        init(_ row: BenchmarkRow) {
            id = row.id
            title = row.title
            unit = Self.name(row.unit)
            first = row.baseline.map(Figures.init)
            second = row.baseline == nil ? nil : Figures(row.value)
            ratios = row.baseline.map { Figures($0.ratios(to: row.value)) }
            value = row.baseline == nil ? Figures(row.value) : nil
            goal = row.goal.map(Goal.init)
            goalMet = row.isGoalMet
            disturbedRounds = row.disturbed
            doubtful = row.isDoubtful
            detail = row.detail
        }

        private static func name(_ unit: BenchmarkRow.Unit) -> String {
            switch unit {
            case .seconds: "s"
            case .milliseconds: "ms"
            case .mebibytes: "MiB"
            case .megabytes: "MB"
            case .tokensPerSecond: "tokens/s"
            case .articlesPerSecond: "articles/s"
            }
        }

        private enum CodingKeys: String, CodingKey {
            case id, title, unit, first, second, ratios, value, goal, detail, doubtful
            case goalMet = "goal_met"
            case disturbedRounds = "disturbed_rounds"
        }
    }

    private struct Figures: Encodable {
        let median: Double?
        let values: [Double]

        init(_ samples: Samples) {
            values = samples.values.map(Self.rounded)
            median = samples.median.map(Self.rounded)
        }

        /// To a ten-thousandth: no clock here tells more.
        private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    }

    private struct Goal: Encodable {
        var atLeast: Double?
        var atMost: Double?

        init(_ goal: BenchmarkRow.Goal) {
            switch goal {
            case .atLeast(let bound): atLeast = bound
            case .atMost(let bound): atMost = bound
            }
        }

        private enum CodingKeys: String, CodingKey {
            case atLeast = "at_least"
            case atMost = "at_most"
        }
    }
}
