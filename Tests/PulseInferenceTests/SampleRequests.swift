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
        var category: String?
    }

    private static let articles: [Article] = {
        let path = root.appendingPathComponent("Tests/Fixtures/sample-history.jsonl")
        let lines = ((try? String(contentsOf: path, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.compactMap { try? JSONDecoder().decode(Article.self, from: Data($0.utf8)) }
    }()

    private static let system = """
        You write one paragraph of a reader's daily news digest. You are given the articles the reader read in one \
        category. In two or three sentences, say what they report, the most important first.
        """

    /// One request a category.
    static func digest(_ grounding: Grounding, tokens: Int = 160) -> [GenerationRequest] {
        let categories = Dictionary(grouping: articles) { $0.category ?? "" }.sorted { $0.key < $1.key }
        return categories.map { category, articles in
            request(articles.prefix(5), about: "Category: \(category)\n\n", grounding, tokens: tokens)
        }
    }

    /// One request an article.
    static func summaries(_ grounding: Grounding, tokens: Int = 120) -> [GenerationRequest] {
        articles.map { request([$0], about: "", grounding, tokens: tokens) }
    }

    private static func request(
        _ articles: some Collection<Article>, about: String, _ grounding: Grounding, tokens: Int
    ) -> GenerationRequest {
        var parts = [ChatMessage.Part(text: about)]
        for (number, article) in articles.enumerated() {
            let text = String((article.content ?? article.description ?? "").prefix(600))
            parts += [
                .init(text: "Title: "), .init(text: article.title ?? "", source: number), .init(text: "\nText: "),
                .init(text: text, source: number), .init(text: "\n\n"),
            ]
        }
        parts.append(.init(text: "Write the paragraph."))
        return GenerationRequest(
            messages: [ChatMessage(role: .system, text: system), ChatMessage(role: .user, parts: parts)],
            maximumTokens: tokens, minimumSentences: 2, maximumSentences: 4, grounding: grounding)
    }

    static func engine(
        sequences: Int = EngineOptions.defaultSequences, cells: Int? = nil, recorder: CallRecorder? = nil
    ) async throws -> Engine {
        try await Engine.load(
            EngineOptions(modelPath: model, sequences: sequences, cells: cells, threads: 1), recorder: recorder,
            now: Fixture.clock)
    }
}
