public import Foundation
import PulseCore
import PulseInference
import PulseText

/// How often grounded decoding joins halves of sentences, and how many of the joins the check takes back: the embedded
/// model's summaries of the sample history, the model left to choose freely among what the rules allow.
public struct Joins: Sendable {
    public private(set) var sentences = 0
    public private(set) var whole = 0
    public private(set) var joined: [(text: String, isSound: Bool)] = []

    /// - Parameters:
    ///   - model: A GGUF file.
    ///   - template: The prompt of a summary.
    ///   - temperatures: The greedy answer, and others that the model finds less likely.
    public init(
        _ material: Material, model: URL, template: URL, temperatures: [Float] = [0, 0.7, 1]
    ) async throws {
        let template = try PromptTemplate(
            job: .summary, parsing: String(decoding: Data(contentsOf: template), as: UTF8.self))
        let engine = try await Engine.load(EngineOptions(modelPath: model.path, threads: 1))
        let maximumTokens = 160
        let frame = try await engine.promptTokens(of: [])
        let limit = engine.model.contextLength - maximumTokens
        let articles = material.articles.filter(\.hasBody)
        let plans = await engine.countingTokens { count in
            articles.map { article in
                SummaryPlan(
                    article: article, template: template, limit: limit,
                    measure: { frame + count($0.system) + count($0.userText) + 16 }, count: count)
            }
        }
        let prompts = zip(articles, plans).flatMap { article, plan in (plan?.prompts ?? []).map { (article, $0) } }
        for temperature in temperatures {
            let requests = prompts.map { _, prompt in
                GenerationRequest(
                    messages: [
                        ChatMessage(role: .system, text: prompt.system),
                        ChatMessage(
                            role: .user, parts: prompt.user.map { ChatMessage.Part(text: $0.text, source: $0.article) }),
                    ],
                    maximumTokens: maximumTokens, minimumSentences: 2, maximumSentences: 4,
                    sampling: Sampling(temperature: temperature, topP: 1, seed: 7), grounding: .strict)
            }
            let answers = try await engine.generate(requests) { _, _ in }
            for (prompt, answer) in zip(prompts, answers) { read(answer.text, of: prompt.0) }
        }
    }

    private mutating func read(_ text: String, of article: Article) {
        let attribution = Attribution([article])
        for sentence in attribution.sentences(of: text) {
            sentences += 1
            guard sentence.origin != .copied else {
                whole += 1
                continue
            }
            joined.append((sentence.text, sentence.isGrounded && attribution.isSoundJoin(sentence.text)))
        }
    }

    public var text: String {
        let refused = joined.filter { !$0.isSound }
        var text =
            "Grounded decoding, the embedded model on the sample history: \(sentences) sentences, \(whole) whole, "
        text += "\(joined.count) joined, of which the check refuses \(refused.count)\n"
        for join in joined { text += "  \(join.isSound ? "shown  " : "refused") \(join.text)\n" }
        return text
    }

    /// The planted joins: the front of one sentence of an article with the end of another that has numbers of its own,
    /// cut where both have the same word. How many there are, and how many are refused.
    public static func planted(_ material: Material) -> Evaluation.Count {
        var count = Evaluation.Count()
        for article in material.articles {
            let attribution = Attribution([article])
            let sentences = article.content.split(separator: "\n\n").flatMap { Sentences.split(String($0)) }
                .filter { $0.contains(where: \.isNumber) }
            for (front, end) in zip(sentences, sentences.dropFirst()) {
                let left = front.split(separator: " ")
                let right = end.split(separator: " ")
                guard
                    let place = left.indices.first(where: { index in
                        index >= 4 && index < left.count - 3 && right.dropFirst(2).contains(left[index])
                    }), let other = right.dropFirst(2).firstIndex(of: left[place])
                else { continue }
                let joined = (left[..<place] + right[other...]).joined(separator: " ")
                // A number from each half, or there is nothing to tell apart.
                guard left[..<place].contains(where: { $0.contains(where: \.isNumber) }),
                    right[other...].contains(where: { $0.contains(where: \.isNumber) })
                else { continue }
                count.add(!attribution.isSoundJoin(joined))
            }
        }
        return count
    }
}
