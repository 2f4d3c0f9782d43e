public import Foundation
public import PulseCheck
import PulseCore
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
    }

    private let model: CheckModel?

    /// - Parameter model: Nil: the check of copies.
    public init(_ model: CheckModel?) { self.model = model }

    /// Judges each line of the file and hands over a line of JSON for it. Lines about the same sources that follow one
    /// another share what was encoded.
    public func judge(_ file: URL, _ print: (String) -> Void) async throws {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        encoder.outputFormatting = .sortedKeys
        var (key, check): ([String], SupportCheck?) = ([], nil)
        for line in String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n") {
            let claim = try decoder.decode(Claim.self, from: Data(line.utf8))
            let writer = claim.writer.flatMap(WriterClass.init) ?? .unknown
            if key != claim.sources + [writer.rawValue] { check = nil }
            key = claim.sources + [writer.rawValue]
            let articles = claim.sources.enumerated().map { Article(id: "\($0 + 1)", title: "", content: $1) }
            let judge = check ?? SupportCheck(articles, writer: writer, model: model)
            check = judge
            let verdict = try judge.verdict(claim.sentence)
            let answer = Answer(verdict: verdict.kind.rawValue, score: verdict.score)
            print(String(decoding: try encoder.encode(answer), as: UTF8.self))
        }
    }

    /// The encoder and the head of this clone.
    public static func model() async throws -> CheckModel {
        let folder = Repository.root.appendingPathComponent("models")
        let head = try CheckHead([UInt8](Data(contentsOf: folder.appendingPathComponent("pulse-check.head"))))
        let encoder = try await Encoder.load(path: folder.appendingPathComponent("pulse-check.gguf").path)
        return CheckModel(head: head) { pieces throws(PulseError) in try encoder.vectors(of: pieces) }
    }
}
