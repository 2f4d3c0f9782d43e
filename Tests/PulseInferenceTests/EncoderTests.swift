import Foundation
import PulseCore
import PulseInference
import PulseTestSupport
import Testing

/// The encoder that comes with the program: one file for the check and for the search.
@Suite(.timeLimit(.minutes(10))) struct EncoderTests {
    private static let path = Repository.root.appendingPathComponent("models/pulse-check.gguf").path

    private func product(_ one: [Float], _ other: [Float]) -> Float { zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } }

    @Test func whatMeansAlikePointsAlike() async throws {
        let encoder = try Encoder.load(Self.path)
        let question = try await encoder.vector(of: "which rich landowner won after the coup?")
        let near = try await encoder.vector(of: "A wealthy rancher has won the presidential election in Honduras.")
        let far = try await encoder.vector(of: "A meteorite fell through the roof of a greenhouse.")
        #expect(question.count == 384 && abs(product(question, question) - 1) < 0.001)
        #expect(product(question, near) > product(question, far) + 0.2)
    }

    @Test func textsOfAnySizeAreRead() async throws {
        let encoder = try Encoder.load(Self.path)
        for text in [
            "", "?", "\u{1f600}", String(repeating: "word ", count: 20_000), String(repeating: "x", count: 90_000),
        ] {
            #expect(try await encoder.vector(of: text).count == 384)
        }
    }

    /// The check reads a layer in the middle, and what was made of a text in between changes nothing.
    @Test func theCheckReadsTheSameBeforeAndAfter() async throws {
        let encoder = try Encoder.load(Self.path)
        let sentence = ["The", "harbour", "reopened", "."]
        let before = try encoder.vectors(of: [sentence])[0]
        _ = try await encoder.vector(of: "Something else.")
        let after = try encoder.vectors(of: [sentence])[0]
        #expect(before.values == after.values)
        #expect(before.values.count == before.tokens.count * 384)
    }

    /// Sentences are computed together, and none sees another.
    @Test func togetherTheyAreReadAsAlone() async throws {
        let encoder = try Encoder.load(Self.path)
        let words = "the harbour of Porto was closed on Friday after a ship had run aground in the fog".split(
            separator: " "
        )
        .map(String.init)
        let sentences =
            [words, [], Array(words.reversed()), Array(repeating: "rain", count: 200)]
            + (1...30).map { Array(words.prefix($0 % 17)) }
        let together = try encoder.vectors(of: sentences)
        #expect(together.count == sentences.count)
        for (sentence, read) in zip(sentences, together) {
            let alone = try encoder.vectors(of: [sentence])[0]
            #expect(alone.tokens == read.tokens && alone.pieces == read.pieces)
            #expect(read.values.count == read.tokens.count * 384 && read.tokens.count <= 100)
            for start in stride(from: 0, to: read.values.count, by: 384) {
                let (one, other) = (alone.values[start..<start + 384], read.values[start..<start + 384])
                #expect(product(Array(one), Array(other)) > 0.998)
            }
        }
    }
}
