import Foundation
import PulseCore
import PulseInference
import PulseTestSupport
import Testing

/// The encoders that come with the program: the check's, and the one of meanings.
@Suite(.timeLimit(.minutes(10))) struct EncoderTests {
    private static let path = Repository.root.appendingPathComponent("models/pulse-check.gguf").path
    private static let meanings = Repository.root.appendingPathComponent("models/pulse-meaning.gguf").path

    private func product(_ one: [Float], _ other: [Float]) -> Float { zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } }

    /// In one language and across languages.
    @Test(arguments: [
        ("which rich landowner won after the coup?", "A wealthy rancher has won the election in Honduras."),
        ("¿qué latifundista ganó después del golpe?", "Un rico ganadero ganó las elecciones en Honduras."),
        ("que fazendeiro rico venceu depois do golpe?", "A wealthy rancher has won the election in Honduras."),
        ("какой богатый помещик победил на выборах?", "Un riche éleveur a remporté la présidentielle au Honduras."),
    ])
    func whatMeansAlikePointsAlike(question: String, answer: String) async throws {
        let encoder = try Encoder.load(Self.meanings, repacksWeights: true)
        let one = try await encoder.vector(of: "query: " + question)
        let near = try await encoder.vector(of: answer)
        let far = try await encoder.vector(of: "A meteorite fell through the roof of a greenhouse.")
        #expect(one.count == 384 && abs(product(one, one) - 1) < 0.001)
        #expect(product(one, near) > product(one, far) + 0.15)
    }

    /// Texts in another script would all look alike.
    @Test(arguments: ["日本の駅の屋根が落ちた。", "東京で地震、10人がけが。", "سقط سقف المحطة في المدينة", "지진으로 열 명이 다쳤다"])
    func whatItCannotReadHasNoMeaning(text: String) async throws {
        let encoder = try Encoder.load(Self.meanings)
        #expect(try await encoder.vector(of: text).allSatisfy { $0 == 0 })
    }

    @Test func textsOfAnySizeAreRead() async throws {
        let encoder = try Encoder.load(Self.meanings)
        for text in [
            "", "?", "\u{1f600}", String(repeating: "word ", count: 20_000), String(repeating: "x", count: 90_000),
        ] {
            #expect(try await encoder.vector(of: text).count == 384)
        }
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
