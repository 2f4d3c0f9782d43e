import Foundation
import PulseCore
import PulseText

/// A sentence, split into pieces, which the encoder reads, and into the keys of its words, which select evidence.
struct TokenizedSentence: Sendable {
    let text: String
    /// Words and punctuation marks, in order.
    let pieces: [String]
    let ranges: [Range<String.Index>]
    /// The keys of the words, with repetitions.
    let keysInOrder: [String]
    let keys: Set<String>
    /// The pairs of consecutive keys.
    let pairs: Set<Pair>

    struct Pair: Hashable, Sendable { let one, next: String }

    private static let (mostWords, mostPieces) = (120, 140)

    init(_ text: String) {
        var ranges: [Range<String.Index>] = []
        var index = text.startIndex
        while index < text.endIndex, ranges.count < Self.mostPieces {
            let word = text[index...].prefix(while: Self.isPart)
            let end = word.isEmpty ? text.index(after: index) : word.endIndex
            if !text[index].isWhitespace { ranges.append(index..<end) }
            index = end
        }
        self.text = text
        self.ranges = ranges
        pieces = ranges.map { String(text[$0]) }
        let keysInOrder = Self.words(text).prefix(Self.mostWords).map { Self.key($0) }
        self.keysInOrder = keysInOrder
        keys = Set(keysInOrder)
        pairs = Set(zip(keysInOrder, keysInOrder.dropFirst()).map { Pair(one: $0, next: $1) })
    }

    static func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// Runs of letters, and numbers with their points, commas and colons: “Covid19” is two.
    static func words(_ text: String) -> [Substring] {
        Words.written(in: text).flatMap { written -> [Substring] in
            var (words, rest) = ([Substring](), written)
            while let first = rest.first {
                let word = rest.prefix { first.isNumber ? $0.isNumber || ".,:".contains($0) : $0.isLetter }
                if !word.isEmpty { words.append(word) }
                // “一” is both a letter and a number, so a run of letters may leave a mark after it.
                rest = rest.dropFirst(max(1, word.count))
            }
            return words
        }
    }

    /// A crude stem, the first six letters: “elected” and “election” have the same key.
    static func key(_ word: some StringProtocol) -> String { String(word.lowercased().prefix(6)) }

    /// The indices of the sentences that cover the claim's words best, in order: up to four, chosen greedily, and
    /// always the first one.
    static func evidence(for claim: TokenizedSentence, in story: [TokenizedSentence]) -> [Int] {
        guard !story.isEmpty else { return [] }
        var weights: [String: Double] = [:]
        for key in claim.keys {
            let held = story.count { $0.keys.contains(key) }
            weights[key] = held == 0 ? 0 : 1 + log(Double(story.count) / Double(held))
        }
        let shared = story.map { $0.keys.intersection(claim.keys).sorted() }
        let pairs = story.map { $0.pairs.intersection(claim.pairs).count }
        var left = weights
        var picked: Set<Int> = []
        for _ in 0..<4 {
            var best: (place: Int, gain: Double)?
            for place in story.indices where !picked.contains(place) {
                var gain = 0.2 * Double(pairs[place]) - 0.004 * Double(story[place].keysInOrder.count)
                for key in shared[place] { gain += (left[key] ?? 0) + 0.15 * (weights[key] ?? 0) }
                if gain > (best?.gain ?? 0) + 1e-9 { best = (place, gain) }
            }
            guard let best else { break }
            picked.insert(best.place)
            for key in shared[best.place] { left[key] = (left[key] ?? 0) * 0.15 }
        }
        return picked.union([0]).sorted()
    }
}

/// The features of a token that the networks get beside its vector.
enum TokenFeatures {
    static let count = 13

    /// - Parameters:
    ///   - parts: The evidence, sentence by sentence.
    ///   - similarities: Between the tokens of the claim and of the evidence.
    static func of(_ claim: TokenVectors, _ text: TokenizedSentence, _ parts: [TokenVectors], similarities: [Float])
        -> [Float]
    {
        let tokens = parts.flatMap(\.tokens)
        let owner = parts.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.tokens.count) }
        let seen = Set(tokens)
        var pairs: Set<[Int32]> = []
        for part in parts { for (a, b) in zip(part.tokens, part.tokens.dropFirst()) { pairs.insert([a, b]) } }
        let columns = tokens.count
        var found: [(place: Int, best: Float, second: Float)] = []
        for row in claim.tokens.indices {
            var (place, best, second) = (0, -Float.infinity, -Float.infinity)
            for column in 0..<columns {
                let value = similarities[row * columns + column]
                if value > best { (place, best, second) = (column, value, best) } else { second = max(second, value) }
            }
            found.append((place, best, columns > 1 ? second : best))
        }
        var votes = [Int](repeating: 0, count: max(1, parts.count))
        for one in found { votes[owner[one.place]] += 1 }
        let main = votes.firstIndex(of: votes.max() ?? 0) ?? 0
        var features: [Float] = []
        for row in claim.tokens.indices {
            let (one, piece) = (found[row], text.pieces[claim.pieces[row]])
            let before = row > 0 ? found[row - 1] : one
            let step = one.place - before.place
            let isKept = row > 0 && pairs.contains([claim.tokens[row - 1], claim.tokens[row]])
            let isFirst = text.ranges[claim.pieces[row]].lowerBound == text.text.startIndex
            let facts: [Bool] = [
                seen.contains(claim.tokens[row]), isKept, row > 0 && step == 1, row == 0 || abs(step) <= 5,
                row == 0 || owner[one.place] == owner[before.place], row > 0 && step < 0, owner[one.place] == main,
                !isFirst && piece.first?.isUppercase == true, piece.contains(where: \.isNumber),
                ParaphraseWords.functionWords.contains(piece.lowercased()),
                !(piece.first.map(TokenizedSentence.isPart) ?? false),
            ]
            features += [one.best, one.best - one.second] + facts.map { $0 ? 1 : 0 }
        }
        return features
    }
}

/// The features of a whole claim. Alone they judge it nearly as well as the networks do.
enum ClaimFeatures {
    static let count = 5
    private static let mostMissing = 3

    /// The share of its words that the evidence has; the share of its pairs of words that the evidence has; the largest
    /// share of its words in a single sentence of the evidence; the number of its names that the evidence lacks; and
    /// the number of its numbers that the evidence lacks.
    static func of(_ claim: TokenizedSentence, _ evidence: [TokenizedSentence]) -> [Double] {
        let keys = evidence.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        let pairs = evidence.reduce(into: Set<TokenizedSentence.Pair>()) { $0.formUnion($1.pairs) }
        let numbers = Set(evidence.flatMap { TokenizedSentence.words($0.text).compactMap(ParaphraseWords.number) })
        let own = claim.keys.subtracting(ParaphraseWords.functionWords)
        let inRow = zip(claim.keysInOrder, claim.keysInOrder.dropFirst())
            .map { TokenizedSentence.Pair(one: $0, next: $1) }
        var (names, missing) = (0, 0)
        for (place, word) in TokenizedSentence.words(claim.text).enumerated() {
            if let number = ParaphraseWords.number(word) {
                if !numbers.contains(number) { missing += 1 }
            } else if place > 0, word.first?.isUppercase == true, !keys.contains(TokenizedSentence.key(word)),
                !ParaphraseWords.functionWords.contains(word.lowercased())
            {
                names += 1
            }
        }
        return [
            Double(own.count(where: keys.contains)) / Double(max(1, own.count)),
            Double(inRow.count(where: pairs.contains)) / Double(max(1, inRow.count)),
            Double(evidence.map { $0.keys.intersection(own).count }.max() ?? 0) / Double(max(1, own.count)),
            Double(min(mostMissing, names)), Double(min(mostMissing, missing)),
        ]
    }
}
