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
        let encoder = try await Encoder.load(path: Self.path)
        let question = try await encoder.vector(of: "which rich landowner won after the coup?")
        let near = try await encoder.vector(of: "A wealthy rancher has won the presidential election in Honduras.")
        let far = try await encoder.vector(of: "A meteorite fell through the roof of a greenhouse.")
        #expect(question.count == 384 && abs(product(question, question) - 1) < 0.001)
        #expect(product(question, near) > product(question, far) + 0.2)
    }

    @Test func textsOfAnySizeAreRead() async throws {
        let encoder = try await Encoder.load(path: Self.path)
        for text in [
            "", "?", "\u{1f600}", String(repeating: "word ", count: 20_000), String(repeating: "x", count: 90_000),
        ] {
            #expect(try await encoder.vector(of: text).count == 384)
        }
    }

    /// The check reads a layer in the middle, and what was made of a text in between changes nothing.
    @Test func theCheckReadsTheSameBeforeAndAfter() async throws {
        let encoder = try await Encoder.load(path: Self.path)
        let sentence = ["The", "harbour", "reopened", "."]
        let before = try encoder.vectors(of: [sentence])[0]
        _ = try await encoder.vector(of: "Something else.")
        let after = try encoder.vectors(of: [sentence])[0]
        #expect(before.values == after.values)
        #expect(before.values.count == before.tokens.count * 384)
    }
}
