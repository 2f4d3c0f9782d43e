import Foundation
public import PulseCore
import PulseText

/// A word, or several in a row, that a reader follows or does not want to hear of.
///
/// Whole words are compared, without regard to case and accents: “Sao Paulo” is in “SÃO PAULO’s mayor”, “art” is not in
/// “party”. In scripts that put no space between words, any place will do.
public struct Topic: Sendable, Hashable {
    private let words: [String]
    /// Nil where words can be compared whole.
    private let dense: String?

    /// - Returns: nil where there is no word in the text.
    public init?(_ text: String) {
        words = Topic.words(of: text)
        if words.isEmpty { return nil }
        dense = words.contains { $0.unicodeScalars.contains(where: Topic.isDense) } ? words.joined(separator: " ") : nil
    }

    /// Whether an article is about it, by its title, its teaser and the first sentences of its text.
    public func isIn(_ article: Article) -> Bool { isIn(Wording(article)) }

    /// Whether it is the name of a category, as sources write it or as a heading in any language of the program.
    public func names(_ category: Category) -> Bool {
        Topic.words(of: category.name) == words
            || Language.allCases.contains { Topic.words(of: category.title(in: $0)) == words }
    }

    func isIn(_ wording: Wording) -> Bool {
        if let dense { return wording.text.contains(dense) }
        guard words.count > 1 else { return wording.known.contains(words[0]) }
        guard words.allSatisfy(wording.known.contains) else { return false }
        let last = wording.words.count - words.count
        return last >= 0 && (0...last).contains { wording.words[$0..<$0 + words.count].elementsEqual(words) }
    }

    /// The words of an article that topics are looked for in, made ready once for many topics.
    struct Wording {
        let words: [String]
        let known: Set<String>
        let text: String

        init(_ article: Article) {
            let lead = Sentences.split(String(article.content.prefix(Wording.front))).prefix(Wording.sentences)
            // A mark between them, so that no phrase reaches from one into the next.
            let parts = [article.title, article.summary] + lead
            words = parts.map { Topic.words(of: String($0.prefix(Wording.front))) }.joined(separator: [""]).map(\.self)
            known = Set(words)
            text = words.joined(separator: " ")
        }

        private static let front = 1200
        private static let sentences = 3
    }

    /// A name in the form in which two are compared.
    static func folded(_ name: String) -> String { words(of: name).joined(separator: " ") }

    private static func words(of text: String) -> [String] {
        Words.all(in: text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil))
    }

    /// Thai, Lao, Khmer and Burmese, kana, Chinese characters.
    private static func isDense(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xe00...0xeff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
            0xf900...0xfaff, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
