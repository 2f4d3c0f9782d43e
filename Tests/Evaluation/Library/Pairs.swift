public import Foundation
import PulseCore
public import PulseDigest
import PulseText

/// Articles and what somebody else wrote about them: how many of the sentences the check refuses, and for what.
public struct Pairs: Sendable {
    public private(set) var flagged = Evaluation.Count()
    public private(set) var refused: [(refusal: QuotationCheck.Refusal, sentence: String)] = []

    private struct Line: Decodable {
        let title: String?
        let text, summary: String
    }

    /// - Parameter url: JSON Lines with `text`, `summary` and, where there is one, `title`.
    public init(contentsOf url: URL) throws {
        for pair in try Line.lines(of: url) {
            let check = QuotationCheck([Article(id: "1", title: pair.title ?? "", content: pair.text)])
            for sentence in Sentences.split(pair.summary) {
                if case .refused(let refusal) = check.verdict(on: sentence) {
                    flagged.add(true)
                    refused.append((refusal, sentence))
                } else {
                    flagged.add(false)
                }
            }
        }
    }

    public var text: String {
        var text = "\(flagged.hits) of \(flagged.all) sentences refused"
        text += String(format: " (%.1f %%)\n", flagged.share * 100)
        for (refusal, sentence) in refused.prefix(60) { text += "  \(refusal.rawValue): \(sentence)\n" }
        return text
    }
}
