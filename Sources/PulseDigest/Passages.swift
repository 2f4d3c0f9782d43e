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
    public static func encoderInput(_ passage: String, of article: Article) -> String {
        guard article.hasBody, !article.title.isEmpty else { return passage }
        return article.title.prefix(longestTitle) + ". " + passage
    }

    /// The three consecutive sentences of a longer passage that share most with the question.
    public static func excerpt(of passage: String, for question: String) -> String {
        let all = Sentences.split(passage)
        guard all.count > sentences else { return PlainText.cut(passage, limit: longestExcerpt) }
        let wanted = Terms.set(of: question)
        let shared = all.map { Terms.set(of: $0).intersection(wanted) }
        let starts = 0...(all.count - sentences)
        let counts = starts.map { start in
            shared[start..<start + sentences].reduce(into: Set<String>()) { $0.formUnion($1) }.count
        }
        // The first among equals.
        let best = counts.firstIndex(of: counts.max() ?? 0) ?? 0
        return PlainText.cut(all[best..<best + sentences].joined(separator: " "), limit: longestExcerpt)
    }

    /// In characters, because a sentence may have any number of them.
    private static let longestExcerpt = 2000

    /// The part of a passage that fits into `tokens`. It begins at the sentence from which it has the most words in
    /// common with the question.
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
        // Each start is tokenised anew, so only some are tried.
        let step = all.count / mostBeginnings + 1
        for start in stride(from: step, to: all.count, by: step) {
            let text = Excerpt(of: all[start...].joined(separator: " "), tokens: tokens, count: count).text
            let shared = shared(text)
            if shared > best.shared { best = (text, shared) }
        }
        return best.text
    }

    /// The terms of a question, each once; without those that only ask, unless there are no others.
    public static func terms(of question: String) -> [String] {
        var seen: Set<String> = []
        let terms = Terms.list(of: question, words: mostWords).filter { seen.insert($0).inserted }
        let telling = terms.filter { !AskedWord.askingTerms.contains($0) }
        return telling.isEmpty ? terms : telling
    }

    private static let mostWords = 64
    private static let mostBeginnings = 64

    /// For each text, the share of the question's words that it contains, each weighted by its rarity, as
    /// `Store.shares` gives it for articles of the history.
    public static func shares(of question: String, in texts: [String]) -> [Double] {
        let wanted = Set(terms(of: question))
        let shared = texts.map { Terms.set(of: $0).intersection(wanted) }
        let counts = shared.joined().reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        func rarity(_ words: Set<String>) -> Double {
            words.reduce(0) { $0 + log((Double(texts.count) + 1) / (Double(counts[$1, default: 0]) + 0.5)) }
        }
        let all = rarity(wanted)
        return shared.map { $0.isEmpty ? 0 : rarity($0) / all }
    }

    /// Groups articles by story, as indices; the groups and their members keep the given order.
    public static func stories(_ articles: [Article], meanings: Meanings = .none) -> [[Int]] {
        let (weights, words) = Weights.reading(articles)
        var merger = StoryMerger(articles, words: words, weights: weights, meanings: meanings)
        return merger.groups()
    }
}

/// Stored vectors of an article's passages, 388 bytes each: the reciprocal of the length as a 32-bit float, and 384
/// 8-bit integers.
public enum PassageVectors {
    /// The format's version, raised whenever the encoder, the passages or this layout change.
    public static let form = 2
    /// The same format, while some passages have no vector yet.
    public static let begun = -form

    public static let width = 384
    fileprivate static let stride = width + 4

    public static func pack(_ vectors: [[Float]]) -> [UInt8] {
        vectors.flatMap { vector in
            let vector = CompactVector(vector)
            return withUnsafeBytes(of: vector.scale.bitPattern.littleEndian, Array.init) + vector.bytes
        }
    }

    /// Zeros in place of the vectors of this many passages.
    public static func room(for passages: Int) -> [UInt8] { Array(repeating: 0, count: passages * stride) }

    /// Puts a passage's vector in its place among stored ones.
    public static func put(_ vector: [Float], at place: Int, in stored: inout [UInt8]) {
        stored.replaceSubrange(place * stride..<(place + 1) * stride, with: pack([vector]))
    }

    /// Whether none is missing.
    public static func areAll(in stored: [UInt8]) -> Bool {
        Swift.stride(from: 0, to: stored.count, by: stride).allSatisfy { place in
            stored[place..<min(place + 4, stored.count)].contains { $0 != 0 }
        }
    }

    /// The first of stored vectors; nil if there is none.
    public static func first(in stored: [UInt8]) -> CompactVector? {
        stored.count < stride ? nil : CompactVector(bytes: Array(stored[4..<stride]))
    }
}

extension CompactVector {
    /// The cosines with stored vectors of passages, from -1 to 1, in their order; nil for one that is not there yet.
    public func cosines(with stored: UnsafeRawBufferPointer) -> [Float?] {
        (0..<stored.count / PassageVectors.stride).map { place in
            let start = place * PassageVectors.stride
            let bits = UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            if bits == 0 { return nil }
            let other = UnsafeRawBufferPointer(rebasing: stored[(start + 4)..<(start + PassageVectors.stride)])
            return product(with: other) * scale * Float(bitPattern: bits)
        }
    }
}

/// A word of a question that says what it is about.
public struct AskedWord: Sendable, Hashable {
    /// As it was typed.
    public let text: String
    /// With its ending cut, as it is searched for.
    public let term: String
    /// Whether it is written like a name, or is a number.
    public let isName: Bool
    /// Whether it follows an article, a preposition or the like, as verbs seldom do.
    public let isThing: Bool

    public var isNumber: Bool { text.first?.isNumber == true }

    /// Words used to ask, besides the languages' stop words.
    private static let asking = Set(
        """
        read reading happened happen happens happening news article articles report reports anything something everything \
        tell told know find found list show there's what's who's much many long
        li leu lido ler aconteceu acontecem noticia noticias artigo artigos algo alguma houve saiu diga sobre quanto quantos
        quanta quantas quem qual quais onde quando
        lei leido leer paso pasado articulo articulos hubo cuenta cuanto cuantos cuanta cuantas quien quienes cual cuales
        donde cuando
        lu lire passe quelque chose actualites combien quel quelle quels quelles quoi neuf s'est-il s'est qu'est-ce \
        passe-t-il passa-t-il a-t-il
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    fileprivate static let askingTerms = Set(asking.compactMap(Terms.term))

    private static let markers = Set(
        """
        the a an of in on at by from with about for which many any some no every this these those my your his her its our \
        their
        o a os as um uma do da dos das no na nos nas de em com sobre ao aos
        el la los las un una del en con al le les des du dans sur avec au aux
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The share of these words that an article has.
    public static func share(_ words: [AskedWord], in article: Article) -> Double {
        guard !words.isEmpty else { return 0 }
        let own = Terms.set(of: [article.title, article.text, article.source].joined(separator: "\n"))
        return Double(words.count { own.contains($0.term) }) / Double(words.count)
    }

    /// Each once, in their order.
    public static func all(in question: String) -> [AskedWord] {
        // In all capitals, names cannot be recognised.
        let hasNames = question.contains(where: \.isLowercase)
        var seen: Set<String> = []
        var before = ""
        return question.split { !$0.isLetter && !$0.isNumber && !"'’-".contains($0) }.enumerated().compactMap {
            place, part in
            let word = part.lowercased().replacing("’", with: "'")
            let isThing = markers.contains(before)
            before = Words.folded(word)
            // “Qué” is a question word and “que” a conjunction: neither is searched for.
            guard !asking.contains(before), Terms.term(before) != nil, let term = Terms.term(word),
                seen.insert(term).inserted
            else { return nil }
            let isCapital = hasNames && place > 0 && part.first?.isUppercase == true
            return AskedWord(
                text: String(part), term: term, isName: isCapital || part.contains(where: \.isNumber),
                isThing: isThing)
        }
    }
}
