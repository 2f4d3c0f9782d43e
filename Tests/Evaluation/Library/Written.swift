public import Foundation
import PulseCore
public import PulseDigest

/// What a small model really wrote about the articles, a sentence a line, and what a person who knew no rule said of
/// each: `Tests/Fixtures/written`.
public struct Written: Sendable {
    public enum Label: String, Sendable, Decodable { case supported, unsupported, meta }
    /// The check was made by looking at half A, and measured on half B once it was fixed.
    public enum Half: String, Sendable, CaseIterable, Decodable { case designed = "A", unseen = "B" }

    public struct Line: Sendable, Decodable {
        public let article, sentence, why: String
        public let half: Half
        public let label: Label
    }

    public let lines: [Line]
    public let verdicts: [QuotationCheck.Verdict]

    /// - Parameter materials: Among them the articles of all sentences.
    public init(fixtures: URL, _ materials: [Material]) throws {
        let lines = try Line.lines(of: fixtures.appendingPathComponent("written/smollm2.jsonl"))
        var checks: [String: QuotationCheck] = [:]
        for id in Set(lines.map(\.article)) {
            checks[id] = QuotationCheck(materials.compactMap { $0.article(id) }.prefix(1).map { $0 })
        }
        self.lines = lines
        verdicts = lines.map { checks[$0.article]?.verdict(on: $0.sentence) ?? .refused(.words) }
    }

    public struct Figures: Sendable {
        /// Sentences of all labels, and those of the label `meta` among them.
        public var all = 0, meta = 0
        public var quoted = 0, supported = 0
        /// Of what was let through, with the labels `unsupported` and `meta`.
        public var unsupported = 0, metaPassed = 0
        /// Labelled as supported; and of these those that end with a mark, which one that was cut off does not.
        public var told = 0, toldWhole = 0
        public var refusals: [QuotationCheck.Refusal: Int] = [:]
        public var passed: Int { quoted + supported }
    }

    public func figures(_ half: Half?) -> Figures {
        var figures = Figures()
        for (line, verdict) in zip(lines, verdicts) where half == nil || line.half == half {
            figures.all += 1
            if line.label == .meta { figures.meta += 1 }
            if line.label == .supported {
                figures.told += 1
                if ".!?\"”".contains(line.sentence.last ?? " ") { figures.toldWhole += 1 }
            }
            switch verdict {
            case .quoted: figures.quoted += 1
            case .supported: figures.supported += 1
            case .refused(let refusal):
                figures.refusals[refusal, default: 0] += 1
                continue
            }
            if line.label == .unsupported { figures.unsupported += 1 }
            if line.label == .meta { figures.metaPassed += 1 }
        }
        return figures
    }
}
