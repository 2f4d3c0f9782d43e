/// How fast the program's own encoder makes vectors of texts, against llama-cpp-python with the same file, library and
/// threads.
import Foundation
import PulseCore
import PulseInference
import PulseRendering
import PulseText

extension Bench {
    func encoder() async throws -> [MeasuredRow] {
        let path = arguments.root + "/models/pulse-meaning.gguf"
        let encoder = try Encoder.load(path, repacksWeights: true)
        let texts = try StoryMaterial.readings(arguments.root).map { Self.passage(of: $0.article.body) }
            .filter { !$0.isEmpty }
        // Opens it, outside of what is measured.
        let mine = try await encoder.vectors(of: texts)
        var arms = [
            Contest.Arm(name: "program") {
                let start = ContinuousClock.now
                _ = try await encoder.vectors(of: texts)
                return Contest.Outcome(seconds: (ContinuousClock.now - start).seconds)
            }
        ]
        var tokens = 0
        if arguments.usesPeer {
            let setup = PeerSetup(root: arguments.root, cache: cache)
            let peer = try Peer(
                python: setup.python(), script: setup.script, model: path, threads: Processors.current().usable,
                length: 512, encodes: true)
            let first = try peer.encode(texts)
            let likeness = zip(mine, first.vectors ?? []).map { zip($0, $1).reduce(0) { $0 + $1.0 * $1.1 } }.min()
            guard let likeness, likeness > 0.99 else { throw BenchError("The two made other vectors of one text.") }
            tokens = first.promptTokens
            arms.append(
                Contest.Arm(name: "llama-cpp-python") {
                    let answer = try peer.encode(texts)
                    return Contest.Outcome(seconds: answer.seconds, elsewhere: answer.cpu)
                })
        }
        let result = try await Self.contest(arguments).run(arms)
        let speed = Double(texts.count) / (result.samples("program").median ?? .infinity)
        let length = tokens > 0 ? ", \(tokens / texts.count) tokens each" : ""
        return [
            MeasuredRow(
                "encoder", "\(texts.count) passages encoded: llama-cpp-python / program", result, "llama-cpp-python",
                "program", .atLeast(0.95),
                String(format: "%.0f a second", speed) + length)
        ]
    }

    /// The first sentences of about 87 tokens.
    private static func passage(of body: String) -> String {
        body.split(whereSeparator: \.isWhitespace).prefix(64).joined(separator: " ")
    }
}
