import Foundation
import PulseCore
import PulseText

/// The terms of a text, by which texts are compared: stems in lower case, without stop words.
enum Terms {
    /// In bytes; a longer word counts as several, which limits the work on a text without spaces.
    private static let longestWord = 48

    /// - Parameter words: The most words that are read, as separated by white space.
    static func list(of text: String, words: Int = .max) -> [String] {
        var terms: [String] = []
        scan(text, words: words) { word, _ in
            if let term = term(word) { terms.append(term) }
        }
        return terms
    }

    /// Every word in lower case, with what a hyphen or apostrophe joins to it.
    ///
    /// - Parameter take: Called with each word, and the number of words read so far.
    static func scan(_ text: String, words: Int = .max, _ take: (_ word: String, _ looked: Int) -> Void) {
        var word: [UInt8] = []
        var (seen, index) = (0, 0)
        var looked: Int { max(seen, (index + longestWord - 1) / longestWord) }
        func close() {
            defer { word.removeAll(keepingCapacity: true) }
            let edges = [UInt8(ascii: "'"), UInt8(ascii: "-")]
            while let last = word.last, edges.contains(last) { word.removeLast() }
            guard let first = word.firstIndex(where: { !edges.contains($0) }) else { return }
            take(String(decoding: word[first...], as: UTF8.self), looked)
        }
        var wasSpace = true
        text.withBytes { bytes in
            while index < bytes.count, index / longestWord < words {
                let byte = bytes[index]
                if byte < 0x80 {
                    index += 1
                    if !byte.isASCIISpace, wasSpace {
                        seen += 1
                        if seen > words { return }
                    }
                    wasSpace = byte.isASCIISpace
                    if byte.isASCIIAlphanumeric || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "-") {
                        word.append(byte.asciiLowercased)
                    } else {
                        close()
                    }
                    continue
                }
                let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
                let end = min(index + length, bytes.count)
                let scalar = String(decoding: bytes[index..<end], as: UTF8.self).unicodeScalars.first ?? " "
                index = end
                let isSpace = scalar.properties.isWhitespace
                if wasSpace, !isSpace {
                    seen += 1
                    if seen > words { return }
                }
                wasSpace = isSpace
                switch scalar {
                case "’": word.append(UInt8(ascii: "'"))
                // In scripts without spaces, each character is a word.
                case "\u{2e80}"..."\u{9fff}", "\u{f900}"..."\u{faff}", "\u{20000}"..."\u{3ffff}":
                    close()
                    take(String(scalar), looked)
                case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
                    word.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
                default: close()
                }
            }
        }
        close()
    }

    static func set(of text: String) -> Set<String> { Set(list(of: text)) }

    /// Like `scan`, but hyphens and apostrophes at the ends of a word stay, and scripts without spaces are not split.
    static func words(of text: some StringProtocol) -> [String] {
        var text = text.lowercased()
        if text.unicodeScalars.contains("’") { text = text.replacing("’", with: "'") }
        return text.split { !$0.isAlphabetic && !$0.isNumeric && $0 != "'" && $0 != "-" }.map(String.init)
    }

    /// The stem of a word in lower case; nil for stop words and single ASCII characters.
    static func term(_ word: String) -> String? {
        var text = word
        if word.utf8.contains(UInt8(ascii: "'")), let apostrophe = word.firstIndex(of: "'") {
            if word.utf8.count > 2, word.hasSuffix("'s") { text.removeLast(2) }
            if elisions.contains(String(word[..<apostrophe])) { text = String(text[apostrophe...].dropFirst()) }
        }
        return text.utf8.count > 1 && !stopWords.contains(text) ? stem(text) : nil
    }

    /// Of all languages, because articles are compared regardless of their languages.
    private static let stopWords = Set(Language.allCases.flatMap(\.leadLexicon.stopWords))
    private static let elisions = Set(Language.allCases.flatMap(\.leadLexicon.elisions))

    /// Removes one common ending if at least four bytes remain. The endings are English; in Romance languages they
    /// remove the plural, the most common difference between titles and texts.
    private static func stem(_ word: String) -> String {
        let bytes = word.utf8
        for ending in endings {
            let rest = bytes.count - ending.count
            if rest >= 4, bytes.suffix(ending.count).elementsEqual(ending) {
                return String(decoding: bytes.prefix(rest), as: UTF8.self)
            }
        }
        return word
    }

    private static let endings: [[UInt8]] = ["ingly", "edly", "ing", "ies", "ied", "es", "ed", "s", "ly"]
        .map { (ending: String) in Array(ending.utf8) }
}

/// Inverse document frequencies among the current articles: rare words distinguish stories.
struct Weights {
    /// How many words of each text count for the document frequencies, besides its title.
    static let countedWords = 150
    /// Among few articles every word is frequent, so at least this number is assumed. Measured: with it, 108 of 108
    /// second reports are found, and 3 of 10,800 pairs are false; without it, 107 and 1.
    private static let fewestDocuments = 100

    private let documents: Int
    private let numbers: TermNumbers
    /// The document frequency by term id.
    private let frequency: [Int]

    init(_ articles: [Article]) { self = Weights.reading(articles).weights }

    /// The weights, and each article's terms.
    static func reading(_ articles: [Article]) -> (weights: Weights, words: [ArticleTerms]) {
        Weights([], TermNumbers()).reading(articles, after: [])
    }

    /// The same for these articles and more.
    ///
    /// - Parameter words: The terms of the articles that these weights are from.
    func reading(_ more: [Article], after words: [ArticleTerms]) -> (weights: Weights, words: [ArticleTerms]) {
        var numbers = numbers
        let words = words + more.map { ArticleTerms($0, &numbers) }
        return (Weights(words, numbers), words)
    }

    private init(_ words: [ArticleTerms], _ numbers: TermNumbers) {
        documents = max(words.count, Weights.fewestDocuments)
        var frequency = Array(repeating: 0, count: numbers.count)
        /// The last article with the term.
        var last = Array(repeating: -1, count: numbers.count)
        for (article, terms) in words.enumerated() {
            for term in [terms.title, terms.body].joined() where last[term] != article {
                last[term] = article
                frequency[term] += 1
            }
        }
        self.numbers = numbers
        self.frequency = frequency
    }

    /// The inverse document frequency ln((N + 1) / (df + ½)).
    func of(_ term: String) -> Double { weight(of: numbers.known(term).map { frequency[$0] } ?? 0) }

    /// The weights by term id.
    var all: [Double] { frequency.map(weight) }

    private func weight(of frequency: Int) -> Double { log((Double(documents) + 1) / (Double(frequency) + 0.5)) }

    /// Added up as integers: a set's order changes from run to run, and a sum of floats depends on the order, so the
    /// winner among equal reports would change, too.
    func total(_ terms: some Sequence<String>) -> Double {
        Double(terms.reduce(0) { $0 + Int((of($1) * Self.fraction).rounded()) }) / Self.fraction
    }

    private static let fraction = Double(1 << 32)

    /// The share of the title's weight that the sentence has, from 0 to 1; 0 if the title has no terms.
    func overlap(_ sentence: String, _ title: String) -> Double { overlap(Terms.set(of: sentence), title) }

    private func overlap(_ terms: Set<String>, _ title: String) -> Double {
        let wanted = Terms.set(of: title)
        let all = total(wanted)
        return all > 0 ? total(wanted.intersection(terms)) / all : 0
    }

    /// Whether an article's first `firstTerms` terms have `leastOverlap` of its title's weight: news does, features,
    /// columns and reviews do not. An interview may, and says in its title what it is.
    func isNews(_ article: Article) -> Bool {
        let front = Terms.list(of: article.body, words: 3 * Self.firstTerms).prefix(Self.firstTerms)
        return overlap(Set(front), article.title) >= Self.leastOverlap && !isLabelled(article.title)
    }

    private static let (firstTerms, leastOverlap, longestLabel) = (20, 0.2, 4)

    /// Whether a title begins like “Interview | …” or “The Saturday interview: …”.
    private func isLabelled(_ title: String) -> Bool {
        guard let end = title.firstIndex(where: { ":|".contains($0) }) else { return false }
        let words = Terms.words(of: title[..<end])
        return words.count <= Self.longestLabel && words.contains(where: Self.features.contains)
    }

    private static let features = Set(Language.allCases.flatMap(\.leadLexicon.features))

    /// The least `newness` of a sentence that is news.
    static let leastNew = 0.3

    /// The share of a sentence's weighted words, names and numbers included, that are not among these terms, from 0 to 1;
    /// 0 if it has no terms.
    func newness(of sentence: String, beyond known: Set<String>) -> Double {
        let terms = Terms.set(of: sentence)
        let all = total(terms)
        return all > 0 ? total(terms.subtracting(known)) / all : 0
    }
}

/// Ids of terms: each word is stemmed once, and ids are fast to compare.
struct TermNumbers {
    /// By stem.
    private var numbers: [String: Int] = [:]
    /// By the original word; -1 for stop words.
    private var seen: [String: Int] = [:]

    var count: Int { numbers.count }

    func known(_ term: String) -> Int? { numbers[term] }

    mutating func number(of word: String) -> Int? {
        if let number = seen[word] { return number < 0 ? nil : number }
        let number = Terms.term(word).map { term in
            let number = numbers[term] ?? numbers.count
            numbers[term] = number
            return number
        }
        seen[word] = number ?? -1
        return number
    }
}

/// The terms of an article, as ids.
struct ArticleTerms {
    private(set) var title: [Int] = []
    private(set) var body: [Int] = []
    /// How many of the body's terms are compared with other articles.
    private(set) var compared = 0

    init(_ article: Article, _ numbers: inout TermNumbers) {
        Terms.scan(article.title) { word, _ in
            if let number = numbers.number(of: word) { title.append(number) }
        }
        Terms.scan(article.body, words: Weights.countedWords) { word, looked in
            guard let number = numbers.number(of: word) else { return }
            body.append(number)
            if looked <= WordVectors.comparedWords { compared = body.count }
        }
    }
}
