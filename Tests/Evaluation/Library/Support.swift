public import Foundation
import PulseCore
public import PulseDigest
import PulseTestSupport

/// What the check does with labelled sentences of real writers, in a folder of `sentences.jsonl` and `sources.jsonl`,
/// as they are or packed by xz; and what each part of it does.
public struct Support {
    private struct Source: Decodable {
        let id, text: String
    }

    private struct Line: Decodable {
        let set, writer: String
        let sources: [String]
        let sentence: String
        /// 1 or 0; null where people disagreed.
        let supported: Int?
    }

    /// A sentence, and what was found out about it.
    private struct Row {
        let set, writer: String
        let isTrue: Bool
        var isCopy = false
        /// Nil where it is refused for its form.
        var score: ParaphraseScore?
        /// Whether it passes without its doubtful end, at the strong threshold.
        var passesCut = false

        func passes(_ writer: ModelReliability, without rules: Set<ParaphraseRule> = []) -> Bool {
            guard let score, let threshold = SentenceCheck.threshold(for: writer) else { return isCopy }
            return isCopy || score.bare >= threshold && score.objections.isSubset(of: rules)
        }
    }

    private let rows: [Row]

    /// - Parameter model: What reads the sentences.
    public init(_ folder: URL, _ model: ParaphraseModel) throws {
        let texts = try Self.lines(of: "sources", Source.self, in: folder)
            .reduce(into: [:]) { $0[$1.id] = $1.text }
        var checks: (key: [String], check: SentenceCheck)?
        rows = try Self.lines(of: "sentences", Line.self, in: folder).sorted {
            $0.sources.lexicographicallyPrecedes($1.sources)
        }
        .compactMap { line -> Row? in
            guard let supported = line.supported else { return nil }
            if checks?.key != line.sources {
                let articles = Claims.articles(line.sources.compactMap { texts[$0] })
                checks = (line.sources, SentenceCheck(articles, writer: .strong, model: model))
            }
            var row = Row(set: line.set, writer: line.writer, isTrue: supported == 1)
            guard let check = checks?.check else { return row }
            let verdict = try check.verdict(line.sentence)
            row.isCopy = verdict.kind == .quoted
            guard !row.isCopy, verdict.refusal == nil else { return row }
            row.score = try check.score(of: line.sentence)
            if verdict.kind == .refused {
                row.passesCut = try check.withoutDoubtfulEnd(line.sentence, verdict) != nil
            }
            return row
        }
    }

    private static func lines<Value: Decodable>(of name: String, _ type: Value.Type, in folder: URL) throws -> [Value] {
        let plain = folder.appendingPathComponent(name + ".jsonl")
        var data = try? Data(contentsOf: plain)
        if data == nil {
            data = try output(of: "/usr/bin/env", ["xz", "-dc", plain.appendingPathExtension("xz").path]).data
        }
        guard let data, !data.isEmpty else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: plain.path])
        }
        let decoder = JSONDecoder()
        return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(type, from: $0) }
    }

    // MARK: - Tables

    public var text: String {
        let sets = Dictionary(grouping: rows, by: \.set).sorted { $0.key < $1.key }
        let writers = Dictionary(grouping: rows.filter { $0.set == "faithbench" }, by: \.writer)
            .sorted { $0.key < $1.key }
        var text = Self.row(
            "let through, of true and of unsupported",
            ["true", "not", "base", "AUC", "strong: true", "not", "unknown: true", "not"])
        for (name, rows) in sets + writers.map({ (key: "faithbench, " + $0.key, value: $0.value) }) {
            let (right, wrong) = (rows.filter(\.isTrue), rows.filter { !$0.isTrue })
            let shares = [ModelReliability.strong, .unknown].flatMap { writer in
                [right, wrong].map { rows in Self.share(rows.count { $0.passes(writer) }, of: rows.count) }
            }
            text += Self.row(
                name,
                [
                    "\(right.count)", "\(wrong.count)",
                    String(format: "%.0f %%", 100 * Double(right.count) / Double(rows.count)),
                    Self.area(rows) { $0.score.map(\.score) },
                ] + shares)
        }
        text += "\n" + Self.row("refused by a rule alone, strong: true, not", sets.map(\.key))
        for rule in ParaphraseRule.allCases {
            text += Self.row(
                rule.rawValue,
                sets.map { _, rows in
                    Self.both(rows) { !$0.passes(.strong) && $0.passes(.strong, without: [rule]) }
                })
        }
        text += Self.row(
            "all of them",
            sets.map { _, rows in
                Self.both(rows) { !$0.passes(.strong) && $0.passes(.strong, without: Set(ParaphraseRule.allCases)) }
            })
        text += Self.row(
            "let through without the end, strong", sets.map { _, rows in Self.both(rows, if: \.passesCut) })
        text += Self.row("copies", sets.map { _, rows in Self.both(rows, if: \.isCopy) })
        text += "\n" + Self.row("AUC of", sets.map(\.key))
        let parts: [(String, (Row) -> Double?)] = [
            ("the whole", { $0.score?.score }), ("without rules", { $0.score?.bare }),
            ("the encoder and its head", { $0.score?.head }), ("pairs of words", { $0.score?.covered }),
        ]
        for (name, part) in parts { text += Self.row(name, sets.map { _, rows in Self.area(rows, part) }) }
        return text
    }

    /// Shares of the true sentences and of the others, in percent.
    private static func both(_ rows: [Row], if condition: (Row) -> Bool) -> String {
        [true, false].map { isTrue in
            let some = rows.filter { $0.isTrue == isTrue }
            return String(format: "%.1f", 100 * Double(some.count(where: condition)) / Double(max(1, some.count)))
        }.joined(separator: ", ")
    }

    /// With Wilson's interval of 95 %.
    private static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "-" }
        let (n, p, z) = (Double(whole), Double(part) / Double(whole), 1.96)
        let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        return String(format: "%.0f (%.0f–%.0f)", 100 * p, max(0, 100 * (middle - half)), 100 * (middle + half))
    }

    /// The area under the curve, and half of its interval of 95 % (Hanley and McNeil, 1982). Copies are above all that
    /// is scored, what has no score below.
    private static func area(_ rows: [Row], _ score: (Row) -> Double?) -> String {
        func value(_ row: Row) -> Double { row.isCopy ? .infinity : score(row) ?? -.infinity }
        let (right, wrong) = (rows.filter(\.isTrue).map(value), rows.filter { !$0.isTrue }.map(value).sorted())
        guard !right.isEmpty, !wrong.isEmpty else { return "-" }
        var sum = 0.0
        for one in right {
            let below = wrong.place { $0 >= one }
            let same = wrong[below...].place { $0 > one }
            sum += Double(below) + Double(same - below) / 2
        }
        let (n, m) = (Double(right.count), Double(wrong.count))
        let a = sum / (n * m)
        let (q, r) = (a / (2 - a), 2 * a * a / (1 + a))
        let variance = (a * (1 - a) + (n - 1) * (q - a * a) + (m - 1) * (r - a * a)) / (n * m)
        return String(format: "%.2f ± %.2f", a, 1.96 * variance.squareRoot())
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        let padded = { (text: String, width: Int) in String(repeating: " ", count: max(1, width - text.count)) }
        return name + padded(name, 42) + cells.map { padded($0, 16) + $0 }.joined() + "\n"
    }
}

extension RandomAccessCollection where Element == Double, Index == Int {
    /// Of a sorted collection, the first place from which on something holds.
    fileprivate func place(_ holds: (Double) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
