import PulseCore
import PulseText

/// Sentences that address an assistant or report what its user wants. They are never news, whether copied or written.
package enum AssistantOrders {
    /// The words of each phrase, keyed by its first word. Of all languages, because an order need not be in the
    /// article's.
    private static let phrases = Dictionary(
        grouping: Language.allCases.flatMap(\.quotationLexicon.orders).map { Words.all(in: $0) }.filter { !$0.isEmpty },
        by: { $0[0] })

    /// The text without such sentences; nil if nothing is left.
    package static func without(_ text: String) -> String? {
        guard isOrder(text) else { return text }
        let kept = Sentences.split(text).filter { !isOrder($0) }
        return kept.isEmpty ? nil : kept.joined(separator: " ")
    }

    static func isOrder(_ sentence: String) -> Bool {
        let words = Words.all(in: Words.folded(sentence))
        return words.indices.contains { start in
            phrases[words[start]]?.contains { words[start...].starts(with: $0) } == true
        }
    }
}
