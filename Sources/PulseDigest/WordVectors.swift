import Foundation
import PulseCore

/// The tf-idf vectors of articles (SMART's "ltc" on both sides, as in most news clustering since Salton), and an
/// inverted index of them, which finds similar articles in less than quadratic time.
struct WordVectors {
    /// The weight of a title's words, and how many words of the text are compared.
    private static let titleCount = 2
    static let comparedWords = 80
    /// A shorter title is the name of a column or a person, and no evidence.
    private static let fewestTitleWords = 3
    /// Limits per article: the words in common that are looked at, and the similar articles kept. 6,000 news articles
    /// made the same stories without them; they take effect if one text is there a thousand times.
    static let mostShared = 16_384
    private static let mostSimilar = 32
    /// For a word in more articles, only the last ones are looked at: it says little.
    private static let mostOfWord = 128

    /// Unit vectors by article: the terms, sorted by id, and their components.
    private var vectors: [[(term: Int, share: Double)]] = []
    private let mostShared: Int
    private let words: Int

    /// - Parameters:
    ///   - words: The terms of each article, from `Weights.reading`.
    ///   - mostShared: Less in tests.
    init(_ articles: [Article], words: [ArticleTerms], weights: Weights, mostShared: Int = WordVectors.mostShared) {
        self.mostShared = mostShared
        let weights = weights.all
        self.words = weights.count
        // Scratch space by term id; all 0 between two articles.
        var counts = Array(repeating: 0, count: weights.count)
        vectors = zip(articles, words).map { Self.vector(of: $0, $1, weights, &counts) }
    }

    /// (1 + ln tf) · idf, of length 1.
    private static func vector(
        of article: Article, _ words: ArticleTerms, _ weights: [Double], _ counts: inout [Int]
    ) -> [(term: Int, share: Double)] {
        var terms: [Int] = []
        if article.title.split(separator: " ").count >= fewestTitleWords {
            for term in words.title where counts[term] == 0 {
                counts[term] = titleCount
                terms.append(term)
            }
        }
        for term in words.body.prefix(words.compared) {
            if counts[term] == 0 { terms.append(term) }
            counts[term] += 1
        }
        let vector = terms.sorted().map { term in
            defer { counts[term] = 0 }
            return (term: term, share: (1 + log(Double(counts[term]))) * weights[term])
        }
        let length = vector.reduce(0) { $0 + $1.share * $1.share }.squareRoot()
        return length > 0 ? vector.map { ($0.term, $0.share / length) } : []
    }

    /// Keeps the most similar ones, in their order; of equal ones, those that came first.
    private static func add(_ new: (article: Int, cosine: Double), to best: inout [(article: Int, cosine: Double)]) {
        if best.count == mostSimilar {
            guard let last = best.last, new.cosine > last.cosine else { return }
            best.removeLast()
        }
        var place = best.count
        while place > 0, best[place - 1].cosine < new.cosine { place -= 1 }
        best.insert(new, at: place)
    }

    /// From 0 to 1.
    func cosine(_ left: Int, _ right: Int) -> Double {
        let (one, other) = (vectors[left], vectors[right])
        var (first, second, sum) = (0, 0, 0.0)
        while first < one.count, second < other.count {
            let (term, next) = (one[first].term, other[second].term)
            if term == next { sum += one[first].share * other[second].share }
            if term <= next { first += 1 }
            if next <= term { second += 1 }
        }
        return sum
    }

    /// For each article, those before it that share most with it, nearest first.
    func neighbours() -> [[(article: Int, cosine: Double)]] {
        /// For each term, the articles that have it and its component in them.
        var index: [[(article: Int, share: Double)]] = Array(repeating: [], count: words)
        /// By article; 0 if it shares no term with the current one.
        var cosines = Array(repeating: 0.0, count: vectors.count)
        var near: [[(article: Int, cosine: Double)]] = Array(repeating: [], count: vectors.count)
        for (article, vector) in vectors.enumerated() {
            var found: [Int] = []
            func add(_ share: Double, _ entries: some Sequence<(article: Int, share: Double)>) {
                for entry in entries {
                    if cosines[entry.article] == 0 { found.append(entry.article) }
                    cosines[entry.article] += share * entry.share
                }
            }
            if vector.reduce(0, { $0 + min(index[$1.term].count, Self.mostOfWord) }) <= mostShared {
                for (term, share) in vector { add(share, index[term].suffix(Self.mostOfWord)) }
            } else {
                // Rare words get all their entries; of frequent ones, only the last are compared.
                var left = mostShared
                let rarest = vector.sorted { index[$0.term].count < index[$1.term].count }
                for (place, part) in rarest.enumerated() {
                    let entries = index[part.term].suffix(min(Self.mostOfWord, left / (rarest.count - place)))
                    left -= entries.count
                    add(part.share, entries)
                }
            }
            for found in found {
                Self.add((found, cosines[found]), to: &near[article])
                cosines[found] = 0
            }
            for (term, share) in vector { index[term].append((article, share)) }
        }
        return near
    }
}
