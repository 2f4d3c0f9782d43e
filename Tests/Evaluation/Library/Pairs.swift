public import Foundation
import PulseCore
import PulseText

/// Articles and what somebody else wrote about them: how many of the sentences the check flags, and for what.
public struct Pairs: Sendable {
    public private(set) var flagged = Evaluation.Count()
    /// Sentences that no article stands behind at all.
    public private(set) var unsupported = 0
    public private(set) var doubts: [(doubts: [String], sentence: String)] = []

    private struct Line: Decodable {
        let title: String?
        let text, summary: String
    }

    /// - Parameter url: JSON Lines with `text`, `summary` and, where there is one, `title`.
    public init(contentsOf url: URL) throws {
        let decoder = JSONDecoder()
        for line in String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n") {
            let pair = try decoder.decode(Line.self, from: Data(line.utf8))
            let attribution = Attribution([Article(id: "1", title: pair.title ?? "", content: pair.text)])
            for sentence in Sentences.split(pair.summary) {
                let verdict = attribution.verdict(on: sentence)
                flagged.add(!verdict.isGrounded)
                if verdict.sources.isEmpty, !verdict.isEmpty { unsupported += 1 }
                if !verdict.isGrounded { doubts.append((verdict.doubts, sentence)) }
            }
        }
    }

    public var text: String {
        var text = "\(flagged.hits) of \(flagged.all) sentences flagged"
        text += String(format: " (%.1f %%)", flagged.share * 100) + ", \(unsupported) of them unsupported altogether\n"
        for doubt in doubts.prefix(60) { text += "  \(doubt.doubts) \(doubt.sentence)\n" }
        return text
    }
}
