import Foundation
import PulseCore

/// Small neural networks of one shape that compare the tokens of a claim with those of the evidence; their results are
/// averaged. `make train` trains them.
public struct ParaphraseHead: Sendable {
    /// The numbers of components of an encoder's vector, of a hidden layer, of `TokenFeatures` and of the last layer.
    static let width = 384
    private static let (inner, counted, last) = (96, TokenFeatures.count, 64)
    private static let mostHeads = 4

    private struct Parameters: Sendable {
        var sharpness: Float
        var project, compare, compareBias, first, firstBias, second, secondBias, token: [Float]
        var tokenBias: Float
        var sentence: [Float]
        var sentenceBias: Float
    }

    private let heads: [Parameters]
    /// Means and standard deviations in turn: of each head's score, then of each of `ClaimFeatures`.
    private let scale: [Float]
    /// The weight of each of `ClaimFeatures` in the score.
    private let weights: [Float]

    /// - Parameter bytes: The contents of the file.
    /// - Throws: `.unavailable` if the file is damaged or made for another version.
    public init(_ bytes: [UInt8]) throws {
        var reader = ParameterReader(bytes)
        let sizes = [Self.width, Self.inner, Self.counted, Self.last]
        guard reader.isSound, reader.magic() == "PULSEHD\0", reader.integer() == 2,
            sizes.allSatisfy({ reader.integer() == UInt32($0) }),
            let count = reader.integer(), (1...UInt32(Self.mostHeads)).contains(count),
            let scale = reader.floats(2 * (Int(count) + ClaimFeatures.count)),
            let weights = reader.floats(ClaimFeatures.count)
        else { throw Self.damaged }
        heads = (0..<count).compactMap { _ in Self.parameters(&reader) }
        guard heads.count == count, reader.isAtEnd else { throw Self.damaged }
        (self.scale, self.weights) = (scale, weights)
    }

    private static let damaged = PulseError(
        .unavailable, "The data file that pulse-digest uses to check what a model writes is damaged.",
        hint: "Install the program again.", cause: "pulse-check.head")

    private static func parameters(_ reader: inout ParameterReader) -> Parameters? {
        guard let sharpness = reader.floats(1), let project = reader.floats(inner * width),
            let compare = reader.floats(inner * 3 * inner), let compareBias = reader.floats(inner),
            let first = reader.floats(inner * (inner + counted) * 3), let firstBias = reader.floats(inner),
            let second = reader.floats(last * inner * 3), let secondBias = reader.floats(last),
            let token = reader.floats(last + inner), let tokenBias = reader.floats(1),
            let sentence = reader.floats(3), let sentenceBias = reader.floats(1)
        else { return nil }
        return Parameters(
            sharpness: sharpness[0], project: project, compare: compare, compareBias: compareBias,
            first: taps(first, inputs: inner + counted, outputs: inner), firstBias: firstBias,
            second: taps(second, inputs: inner, outputs: last), secondBias: secondBias, token: token,
            tokenBias: tokenBias[0], sentence: sentence, sentenceBias: sentenceBias[0])
    }

    /// Reorders a convolution's weights from PyTorch's order (output, input, offset) to output, offset, input.
    private static func taps(_ weights: [Float], inputs: Int, outputs: Int) -> [Float] {
        var taps = [Float](repeating: 0, count: weights.count)
        for output in 0..<outputs {
            for input in 0..<inputs {
                for place in 0..<3 {
                    taps[(output * 3 + place) * inputs + input] = weights[(output * inputs + input) * 3 + place]
                }
            }
        }
        return taps
    }

    // MARK: - Computing

    /// - Parameters:
    ///   - evidence: The concatenated vectors of its tokens.
    ///   - similarities: Between the tokens of the claim (rows) and of the evidence (columns).
    ///   - features: `TokenFeatures` of each token of the claim.
    ///   - claimFeatures: `ClaimFeatures` of the claim.
    /// - Returns: How well the evidence supports the claim, by the networks and by `ClaimFeatures`; the networks' part
    ///   of that; and for each token of the claim a number, above 0 if the evidence does not seem to support it.
    func output(
        for claim: TokenVectors, evidence: [Float], similarities: [Float], features: [Float], claimFeatures: [Double]
    ) -> (score: Double, head: Double, logits: [Float]) {
        var logits = [Float](repeating: 0, count: claim.tokens.count)
        var sum: Double = 0
        for (index, head) in heads.enumerated() {
            let (own, score) = Self.compute(head, claim.values, evidence, similarities, features)
            for (place, logit) in own.enumerated() { logits[place] += logit / Float(heads.count) }
            sum += standardized(Double(score), index) / Double(heads.count)
        }
        let score = claimFeatures.enumerated().reduce(sum) { score, feature in
            score + Double(weights[feature.offset]) * standardized(feature.element, heads.count + feature.offset)
        }
        return (score, sum, logits)
    }

    private func standardized(_ value: Double, _ index: Int) -> Double {
        (value - Double(scale[2 * index])) / Double(scale[2 * index + 1])
    }

    private static func compute(
        _ head: Parameters, _ claim: [Float], _ evidence: [Float], _ similarities: [Float], _ features: [Float]
    ) -> (logits: [Float], score: Float) {
        let (rows, columns) = (claim.count / width, evidence.count / width)
        // A projection is linear, so the evidence can be projected before it is averaged.
        let own = product(claim, rows, head.project, inner, width)
        let projected = product(evidence, columns, head.project, inner, width)
        var compared = [Float](repeating: 0, count: rows * 3 * inner)
        for row in 0..<rows {
            let mixed = attended(projected, Array(similarities[row * columns..<(row + 1) * columns]), head.sharpness)
            for k in 0..<inner {
                let (x, y) = (own[row * inner + k], mixed[k])
                compared[row * 3 * inner + k] = x * y
                compared[row * 3 * inner + inner + k] = abs(x - y)
                compared[row * 3 * inner + 2 * inner + k] = x
            }
        }
        var hidden = product(compared, rows, head.compare, inner, 3 * inner)
        for index in hidden.indices { hidden[index] = max(0, hidden[index] + head.compareBias[index % inner]) }
        var joined: [Float] = []
        for row in 0..<rows {
            joined += hidden[row * inner..<(row + 1) * inner]
            joined += features[row * counted..<(row + 1) * counted]
        }
        let first = convolution(joined, rows, inner + counted, head.first, head.firstBias)
        let second = convolution(first, rows, inner, head.second, head.secondBias)
        var logits: [Float] = []
        for row in 0..<rows {
            var sum = head.tokenBias
            for k in 0..<last { sum += head.token[k] * second[row * last + k] }
            for k in 0..<inner { sum += head.token[last + k] * hidden[row * inner + k] }
            logits.append(sum)
        }
        let most = logits.max() ?? 0
        let pooled: [Float] = [
            most + log(logits.reduce(0) { $0 + exp($1 - most) }),
            min(20, logits.reduce(0) { $0 + max(0, $1) }),
            logits.reduce(0) { $0 + 1 / (1 + exp(-$1)) } / Float(max(1, rows)),
        ]
        return (logits, -zip(pooled, head.sentence).reduce(head.sentenceBias) { $0 + $1.0 * $1.1 })
    }

    /// Attention: the mean of the vectors, weighted by the softmax of the similarities.
    private static func attended(_ vectors: [Float], _ similarities: [Float], _ sharpness: Float) -> [Float] {
        let most = similarities.max() ?? 0
        let shares = similarities.map { exp(sharpness * ($0 - most)) }
        let sum = shares.reduce(0, +)
        var mixed = [Float](repeating: 0, count: inner)
        for (column, share) in shares.enumerated() where share > 1e-6 {
            for k in 0..<inner { mixed[k] += share / sum * vectors[column * inner + k] }
        }
        return mixed
    }

    /// A convolution over three tokens, with zeros beyond the ends, and a ReLU.
    private static func convolution(
        _ values: [Float], _ rows: Int, _ inputs: Int, _ weights: [Float], _ bias: [Float]
    ) -> [Float] {
        let zeros = [Float](repeating: 0, count: inputs)
        let padded = zeros + values + zeros
        var windows: [Float] = []
        windows.reserveCapacity(rows * 3 * inputs)
        for row in 0..<rows { windows += padded[row * inputs..<(row + 3) * inputs] }
        var result = product(windows, rows, weights, bias.count, 3 * inputs)
        for index in result.indices { result[index] = max(0, result[index] + bias[index % bias.count]) }
        return result
    }

    /// The dot product of each row of `one` with each row of `other`.
    static func product(_ one: [Float], _ rows: Int, _ other: [Float], _ columns: Int, _ depth: Int) -> [Float] {
        precondition(one.count == rows * depth && other.count == columns * depth)
        var result = [Float](repeating: 0, count: rows * columns)
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                for row in 0..<rows {
                    for column in stride(from: 0, to: columns, by: 4) {
                        // The last four may overlap those before.
                        let first = max(0, min(column, columns - 4))
                        let four = dots(one, row * depth, other, first * depth, depth, min(4, columns))
                        for place in 0..<min(4, columns) { result[row * columns + first + place] = four[place] }
                    }
                }
            }
        }
        return result
    }

    /// The dot products of a row with up to four others, so that its numbers are loaded once. Eight lanes, because the
    /// compiler does not reorder sums of floats.
    private static func dots(
        _ one: UnsafeRawBufferPointer, _ from: Int, _ other: UnsafeRawBufferPointer, _ start: Int, _ depth: Int,
        _ count: Int
    ) -> SIMD4<Float> {
        func eight(_ numbers: UnsafeRawBufferPointer, _ place: Int) -> SIMD8<Float> {
            numbers.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
        }
        func number(_ numbers: UnsafeRawBufferPointer, _ place: Int) -> Float {
            numbers.loadUnaligned(fromByteOffset: 4 * place, as: Float.self)
        }
        let second = start + min(1, count - 1) * depth
        let third = start + min(2, count - 1) * depth
        let fourth = start + (count - 1) * depth
        var (a, b, c, d) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var k = 0
        while k + 8 <= depth {
            let own = eight(one, from + k)
            a += own * eight(other, start + k)
            b += own * eight(other, second + k)
            c += own * eight(other, third + k)
            d += own * eight(other, fourth + k)
            k += 8
        }
        var sums = SIMD4(a.sum(), b.sum(), c.sum(), d.sum())
        while k < depth {
            let others = SIMD4(
                number(other, start + k), number(other, second + k), number(other, third + k),
                number(other, fourth + k))
            sums += number(one, from + k) * others
            k += 1
        }
        return sums
    }
}
