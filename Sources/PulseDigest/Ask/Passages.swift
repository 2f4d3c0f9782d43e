import Foundation
public import PulseCore
import PulseText

/// The passages in which an article is searched: three sentences each, or more in a long article, so that there are at
/// most seven.
public enum Passages {
    /// Each vector takes 388 bytes.
    public static let most = 7
    private static let sentences = 3
    /// In characters; the rest is not searched.
    private static let longestText = 40_000
    private static let longestTitle = 300

    /// At least one passage: the title where an article has no text.
    public static func of(_ article: Article) -> [String] {
        let all = Sentences.split(String(article.text.prefix(longestText)))
        guard !all.isEmpty else { return [article.title] }
        let count = min(most, (all.count + sentences - 1) / sentences)
        return (0..<count).map { place in
            let range =
                all.count <= most * sentences
                ? place * sentences..<min(all.count, (place + 1) * sentences)
                : place * all.count / count..<(place + 1) * all.count / count
            return all[range].joined(separator: " ")
        }
    }

    /// A passage as the encoder's input: the title gives the subject.
    public static func read(_ passage: String, of article: Article) -> String {
        guard article.hasBody, !article.title.isEmpty else { return passage }
        return article.title.prefix(longestTitle) + ". " + passage
    }

    /// The three consecutive sentences of a longer passage that share most with the question.
    public static func excerpt(of passage: String, for question: String) -> String {
        let all = Sentences.split(passage)
        guard all.count > sentences else { return passage }
        let wanted = Terms.set(of: question)
        let shared = all.map { Terms.set(of: $0).intersection(wanted) }
        let starts = 0...(all.count - sentences)
        let counts = starts.map { start in
            shared[start..<start + sentences].reduce(into: Set<String>()) { $0.formUnion($1) }.count
        }
        // The first among equals.
        let best = counts.firstIndex(of: counts.max() ?? 0) ?? 0
        return all[best..<best + sentences].joined(separator: " ")
    }

    /// What fits of a passage, from the sentence on from which it shares most with the question.
    ///
    /// - Parameters:
    ///   - tokens: The most tokens, as counted by `count`.
    ///   - count: Counts the tokens of a text with the model's tokenizer.
    static func excerpt(of passage: String, for question: String, tokens: Int, count: (String) -> Int) -> String {
        let whole = Excerpt(of: passage, tokens: tokens, count: count)
        let wanted = Terms.set(of: question)
        func shared(_ text: String) -> Int { Terms.set(of: text).intersection(wanted).count }
        var best = (text: whole.text, shared: shared(whole.text))
        let all = whole.isShortened ? Sentences.split(passage) : []
        for start in all.indices.dropFirst() {
            let text = Excerpt(of: all[start...].joined(separator: " "), tokens: tokens, count: count).text
            let shared = shared(text)
            if shared > best.shared { best = (text, shared) }
        }
        return best.text
    }

    /// The terms of a question, each once.
    public static func words(of question: String) -> [String] {
        var seen: Set<String> = []
        return Terms.list(of: question, words: mostWords).filter { seen.insert($0).inserted }
    }

    private static let mostWords = 64

    /// For each text, the weight of the question's words that it contains, weighted by rarity.
    public static func scores(_ question: String, _ texts: [String]) -> [Double] {
        let wanted = Set(words(of: question))
        let shared = texts.map { Terms.set(of: $0).intersection(wanted) }
        var counts: [String: Int] = [:]
        for word in shared.joined() { counts[word, default: 0] += 1 }
        return shared.map { words in
            words.reduce(0) { $0 + log((Double(texts.count) + 1) / (Double(counts[$1, default: 0]) + 0.5)) }
        }
    }

    /// Groups articles by story, as indices; both in the given order.
    public static func stories(_ articles: [Article]) -> [[Int]] {
        let (weights, words) = Weights.reading(articles)
        return StoryMerger(articles, words: words, weights: weights).groups()
    }
}
