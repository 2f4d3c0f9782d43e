/// Requests as a digest makes them, of the sample history, for the model that comes with the program.
import Foundation

@testable import PulseInference

enum SampleRequests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let model = root.appendingPathComponent("models/pulse-nano.gguf").path

    private struct Article: Decodable {
        var title: String?
        var content: String?
        var description: String?
    }

    private static let articles: [Article] = {
        let path = root.appendingPathComponent("Tests/Fixtures/sample-history.jsonl")
        let lines = ((try? String(contentsOf: path, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.compactMap { try? JSONDecoder().decode(Article.self, from: Data($0.utf8)) }
    }()

    private static let system = """
        You write a reader's daily news digest. You are given an article. In one or two sentences, say what it reports.
        """

    /// One request a story, each of one article.
    static func stories(tokens: Int) -> [GenerationRequest] {
        articles.map { article in
            let text = (article.content ?? article.description ?? "").prefix(600)
            let user = "Title: \(article.title ?? "")\nText: \(text)\n\nWrite the sentences."
            return GenerationRequest(
                messages: [ChatMessage(role: .system, text: system), ChatMessage(role: .user, text: user)],
                maximumTokens: tokens)
        }
    }

    static func engine(
        sequences: Int = EngineOptions.defaultSequences
    ) async throws -> Engine {
        try await Engine.load(
            EngineOptions(modelPath: model, sequences: sequences, threads: 1))
    }
}
