public import Foundation
import PulseCore
public import PulseDigest
import PulseInference
import PulseTestSupport

/// Sentences with their sources and the class of their writer, in JSON Lines: what the check says of each.
public struct Claims: Sendable {
    struct Claim: Decodable {
        let sources: [String]
        let sentence: String
        let writer: String?
    }

    struct Answer: Encodable {
        let verdict: String
        let score: Double?

        private enum CodingKeys: String, CodingKey { case verdict, score }

        func encode(to encoder: any Swift.Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(verdict, forKey: .verdict)
            // Null where nothing was scored.
            try values.encode(score, forKey: .score)
        }
    }

    private let model: ParaphraseModel?

    /// - Parameter model: Nil: the check of copies.
    public init(_ model: ParaphraseModel?) { self.model = model }

    /// Judges each line of the file and hands over a line of JSON for it. Lines about the same sources that follow one
    /// another share what was encoded.
    ///
    /// - Parameter complain: Is told what is wrong with a line, of which the answer is an error too.
    public func judge(_ file: URL, _ print: (String) -> Void, complain: (String) -> Void) throws {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        encoder.outputFormatting = .sortedKeys
        var (key, check): ([String], SentenceCheck?) = ([], nil)
        let lines = try Data(contentsOf: file, options: .mappedIfSafe).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            guard let claim = try? decoder.decode(Claim.self, from: line),
                let writer = claim.writer.map(ModelReliability.init) ?? .unknown
            else {
                let fault =
                    "line \(number + 1) is no {\"sources\": [text, …], \"sentence\": text, \"writer\": \"strong\", "
                    + "\"unknown\" or \"small\"}"
                complain(fault)
                print(String(decoding: try encoder.encode(["error": fault]), as: UTF8.self))
                continue
            }
            if key != claim.sources + [writer.rawValue] { check = nil }
            key = claim.sources + [writer.rawValue]
            let judge = check ?? SentenceCheck(Self.articles(claim.sources), writer: writer, model: model)
            check = judge
            let verdict = try judge.verdict(claim.sentence)
            let answer = Answer(verdict: verdict.kind.rawValue, score: verdict.score)
            print(String(decoding: try encoder.encode(answer), as: UTF8.self))
        }
    }

    static func articles(_ texts: [String]) -> [Article] {
        texts.enumerated().map { Article(id: "\($0 + 1)", title: "", content: $1) }
    }

    /// What it lets through of what a small model wrote, though only larger ones are let speak, and of people's true
    /// sentences in other words; for each class of writer whose own words may pass.
    public func report(_ written: Written, _ materials: [Material]) throws -> String {
        var text = ""
        for writer in [ModelReliability.strong, .unknown] {
            var checks: [[String]: SentenceCheck] = [:]
            func passes(_ sentence: String, _ ids: [String]) throws -> Bool {
                let check =
                    checks[ids]
                    ?? SentenceCheck(
                        ids.compactMap { id in materials.compactMap { $0.article(id) }.first }, writer: writer,
                        model: model)
                checks[ids] = check
                return try check.verdict(sentence).kind != .refused
            }
            var counts: [String: Evaluation.Count] = [:]
            for line in written.lines {
                let isThrough = try passes(line.sentence, [line.article])
                counts["SmolLM2-135M, \(line.label.rawValue)", default: .init()].add(isThrough)
            }
            for paraphrase in materials.flatMap(\.paraphrases) {
                let isThrough = try passes(paraphrase.text, paraphrase.articles)
                counts["true, in other words", default: .init()].add(isThrough)
            }
            text += "let through of a writer of the class \(writer.rawValue):\n"
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                text += "  \(name): \(count.hits) of \(count.all)\n"
            }
        }
        return text
    }

    /// The encoder and the head of this clone.
    public static func model() async throws -> ParaphraseModel {
        let folder = Repository.root.appendingPathComponent("models")
        let head = try ParaphraseHead([UInt8](Data(contentsOf: folder.appendingPathComponent("pulse-check.head"))))
        let encoder = try Encoder.load(folder.appendingPathComponent("pulse-check.gguf").path)
        return ParaphraseModel(head: head) { pieces in try encoder.vectors(of: pieces) }
    }
}
