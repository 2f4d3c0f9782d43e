import Foundation
public import PulseCore
import PulseText

/// What an article says, in the pieces in which it is searched: three sentences each, and more where it is long, so that
/// there are never more than seven.
public enum Passages {
    /// Their vectors take at most so many times 388 bytes.
    public static let most = 7
    private static let sentences = 3
    /// In characters: what stands further back is not searched.
    private static let longestText = 40_000
    private static let longestTitle = 300

    /// At least one: of an article that is nothing but a title, the title.
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

    /// A passage as an encoder reads it: the title says what the sentences are about.
    public static func read(_ passage: String, of article: Article) -> String {
        guard article.hasBody, !article.title.isEmpty else { return passage }
        return article.title.prefix(longestTitle) + ". " + passage
    }

    /// Three sentences in a row of a longer passage: those that share most with the question.
    public static func excerpt(of passage: String, for question: String) -> String {
        let all = Sentences.split(passage)
        guard all.count > sentences else { return passage }
        let wanted = Terms.set(of: question)
        let shared = all.map { Terms.set(of: $0).intersection(wanted) }
        let starts = 0...(all.count - sentences)
        let counts = starts.map { start in
            shared[start..<start + sentences].reduce(into: Set<String>()) { $0.formUnion($1) }.count
        }
        // Of equal ones the first.
        let best = counts.firstIndex(of: counts.max() ?? 0) ?? 0
        return all[best..<best + sentences].joined(separator: " ")
    }

    /// The words of a question that may stand in an article about its answer, without their endings; each once.
    public static func words(of question: String) -> [String] {
        var seen: Set<String> = []
        return Terms.list(of: question, words: mostWords).filter { seen.insert($0).inserted }
    }

    private static let mostWords = 64

    /// How much of a question's words each of the texts has, rare ones counting most.
    public static func scores(_ question: String, _ texts: [String]) -> [Double] {
        let wanted = Set(words(of: question))
        let shared = texts.map { Terms.set(of: $0).intersection(wanted) }
        var counts: [String: Int] = [:]
        for word in shared.joined() { counts[word, default: 0] += 1 }
        return shared.map { words in
            words.reduce(0) { $0 + log((Double(texts.count) + 1) / (Double(counts[$1, default: 0]) + 0.5)) }
        }
    }

    /// Groups articles by the story they report, each as the places of its articles; both in the order given.
    public static func stories(_ articles: [Article]) -> [[Int]] {
        let (weights, words) = Weights.reading(articles)
        return StoryMerger(articles, words: words, weights: weights).groups()
    }
}
