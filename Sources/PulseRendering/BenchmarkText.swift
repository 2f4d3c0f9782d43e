public import Foundation
import PulseCore

/// The results of repeated measurements.
public struct Samples: Sendable, Hashable {
    public var values: [Double]

    public init(_ values: [Double] = []) { self.values = values }

    /// The median; nil if there are no values.
    public var median: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The ratio of each value to the value in `others` that was measured beside it, under the same conditions.
    /// Comparisons report the median of these.
    public func ratios(to others: Samples) -> Samples {
        Samples(zip(values, others.values).compactMap { $1 == 0 ? nil : $0 / $1 })
    }
}

/// A row of a benchmark: a measurement, or a comparison of two.
public struct BenchmarkRow: Sendable, Hashable {
    public enum Unit: String, Sendable, Hashable, Encodable {
        case seconds = "s"
        case milliseconds = "ms"
        case mebibytes = "MiB"
        case tokensPerSecond = "tokens/s"
        case articlesPerSecond = "articles/s"
    }

    /// A short name by which the row can be selected.
    public var id: String
    /// What is measured; for a comparison, both things: "one at a time / in one batch".
    public var title: String
    public var unit: Unit
    /// What `value` is compared with; nil: nothing.
    public var baseline: Samples?
    public var value: Samples
    /// Further details, without a full stop: "1,912 tokens in, 672 out".
    public var detail: String

    public init(id: String, title: String, unit: Unit, baseline: Samples? = nil, value: Samples, detail: String = "") {
        self.id = id
        self.title = title
        self.unit = unit
        self.baseline = baseline
        self.value = value
        self.detail = detail
    }

    /// The median of the ratios of baseline to value.
    public var ratio: Double? { baseline.flatMap { $0.ratios(to: value).median } }
}

/// A benchmark's results and its machine.
public struct BenchmarkReport: Sendable, Hashable {
    public var date: Date
    /// The processor, its cores and the system, in one line.
    public var machine: String
    public var model: String
    public var threads: Int
    /// The load averages of the last minute, at the start and at the end.
    public var loads: [Double]
    public var rows: [BenchmarkRow]
    /// How to read the figures, in whole sentences.
    public var notes: [String]

    public init(
        date: Date, machine: String, model: String, threads: Int, loads: [Double], rows: [BenchmarkRow],
        notes: [String]
    ) {
        self.date = date
        self.machine = machine
        self.model = model
        self.threads = threads
        self.loads = loads
        self.rows = rows
        self.notes = notes
    }
}

/// A benchmark as a table, with notes below it.
public enum BenchmarkText {
    /// A column of the table. It is left out if all its cells are empty.
    package struct Column {
        let header: String
        let cells: [String]
        let isText: Bool

        package init(_ header: String, _ cells: [String], isText: Bool = false) {
            self.header = header
            self.cells = cells
            self.isText = isText
        }
    }

    public static func render(_ report: BenchmarkReport, style: TextStyle) -> String {
        let rounds = Column("rounds", report.rows.map { "\($0.value.values.count)" })
        return render(report, style: style, columns: [rounds])
    }

    /// - Parameters:
    ///   - columns: follow the columns of figures.
    ///   - footnotes: follow the rows' details.
    package static func render(
        _ report: BenchmarkReport, style: TextStyle, columns: [Column], footnotes: [String] = []
    ) -> String {
        let rows = report.rows
        let figures = [
            Column("", rows.map(\.title), isText: true),
            Column("first", rows.map { row in row.baseline?.median.map { figure($0, row.unit) } ?? "" }),
            Column("second", rows.map { row in row.value.median.map { figure($0, row.unit) } ?? "–" }),
            Column("ratio", rows.map { $0.ratio.map { decimal($0, digits: 2) } ?? "" }),
        ]
        let details = rows.filter { !$0.detail.isEmpty }.map { "\($0.id): \($0.detail)." }
        let notes = report.notes + details + footnotes
        return style.bold(report.model) + "\n" + style.dim(facts(report, in: style.timeZone)) + "\n\n"
            + table(figures + columns, style: style)
            + (notes.isEmpty ? "" : "\n" + notes.map { style.aside($0) }.joined())
    }

    private static func facts(_ report: BenchmarkReport, in zone: TimeZone) -> String {
        let threads = Counted.text(report.threads, "thread", "threads").description
        let loads = report.loads.map { decimal($0, digits: 1) }.joined(separator: " to ")
        return "\(DateText.compact(report.date, in: zone)) · \(report.machine) · \(threads) · load \(loads)"
    }

    private static func table(_ columns: [Column], style: TextStyle) -> String {
        let columns = columns.filter { column in !column.cells.allSatisfy(\.isEmpty) }
        let widths = columns.map { column in (column.cells + [column.header]).map(DisplayWidth.of).max() ?? 0 }
        func line(_ cell: (Column) -> String) -> String {
            let cells = zip(columns, widths).map { column, width in
                cell(column).padding(to: width, atFront: !column.isText)
            }
            var text = cells.joined(separator: "  ")
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
        let lines = (columns.first?.cells.indices ?? 0..<0).map { index in line { $0.cells[index] } }
        return ([style.dim(line(\.header))] + lines).map { $0 + "\n" }.joined()
    }

    package static func figure(_ value: Double, _ unit: BenchmarkRow.Unit) -> String {
        switch unit {
        case .seconds: decimal(value, digits: value < 10 ? 2 : 1) + " s"
        case .milliseconds: decimal(value, digits: abs(value) < 10 ? 1 : 0) + " ms"
        case .mebibytes: decimal(value, digits: 0) + " MiB"
        case .tokensPerSecond: decimal(value, digits: 1) + " tokens/s"
        case .articlesPerSecond: decimal(value, digits: 0) + "/s"
        }
    }

    package static func decimal(_ value: Double, digits: Int) -> String {
        value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_GB")))
    }
}

/// A benchmark as one JSON document: all values of all rounds, and the medians.
public enum BenchmarkJSON {
    public static func render(_ report: BenchmarkReport) -> String { render(report, rows: report.rows.map(Row.init)) }

    /// - Parameter rows: the report's, with further keys.
    package static func render(_ report: BenchmarkReport, rows: [some Encodable]) -> String {
        JSONText.render(
            Document(
                date: report.date, machine: report.machine, model: report.model,
                threads: report.threads, loads: report.loads, rows: rows, notes: report.notes))
    }

    private struct Document<Row: Encodable>: Encodable {
        let date: Date
        let machine, model: String
        let threads: Int
        let loads: [Double]
        let rows: [Row]
        let notes: [String]
    }

    package struct Row: Encodable {
        private let id, title: String
        private let unit: BenchmarkRow.Unit
        private let first, second, ratios: Figures?
        private let value: Figures?
        /// Keys that mean something only in the project's own benchmark, which can discard rounds.
        private let disturbedRounds = 0
        private let doubtful = false
        private let detail: String

        package init(_ row: BenchmarkRow) {
            id = row.id
            title = row.title
            unit = row.unit
            first = row.baseline.map(Figures.init)
            second = row.baseline == nil ? nil : Figures(row.value)
            ratios = row.baseline.map { Figures($0.ratios(to: row.value)) }
            value = row.baseline == nil ? Figures(row.value) : nil
            detail = row.detail
        }
    }

    private struct Figures: Encodable {
        let median: Double?
        let values: [Double]

        init(_ samples: Samples) {
            values = samples.values.map(Self.rounded)
            median = samples.median.map(Self.rounded)
        }

        /// To a ten-thousandth; repeated runs differ by more.
        private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    }
}
