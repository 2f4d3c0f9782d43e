public import Foundation
import PulseCore
import PulseDigest
import PulseInference
import Synchronization

/// What cut ends and further tries bring: a model writes about articles, and is checked as a writer nobody knows.
public struct Tries {
    private struct Line: Decodable {
        let title, text: String
    }

    /// One answer, and what is to be shown of it.
    private struct Try {
        let article: Int
        let shown: Sentence?
        let text: String
        let tokens: Int
    }

    public let text: String

    /// - Parameter file: JSON Lines of {"title", "text"}.
    public init(_ file: URL, model path: String) async throws {
        let articles = try Line.lines(of: file).enumerated().map { number, line in
            Article(id: "\(number)", title: line.title, content: line.text, source: "Post", language: "en")
        }
        let template = try PromptTemplate.digest()
        let check = try await Claims.model()
        let engine = try await Engine.load(EngineOptions(modelPath: path))
        let now = Date(timeIntervalSince1970: 1_795_291_200)
        let entries = articles.flatMap { article in
            StorySelection(
                from: StoryCandidates([Reading(article: article, readAt: now, origin: "tries")]), limit: 1
            ).digestSections().flatMap(\.entries)
        }
        let counter = TokenCounter(count: engine.tokens(of:))
        let prompts = entries.map { entry in
            StoryPrompt(entry, template: template, language: .english).prompt(limit: 2000, tokens: counter)
        }
        let log = Mutex<[Try]>([])
        let requests = zip(entries, prompts).enumerated().map { number, pair in
            let reports = StoryPrompt.reports(of: pair.0)
            let progress = AnswerInProgress(
                CheckedAnswer(
                    reports, most: CheckedAnswer.entry, writer: .unknown, model: check,
                    story: StoryCriteria(pair.0, reports: reports)))
            return GenerationRequest(
                messages: [
                    ChatMessage(role: .system, text: pair.1?.system ?? ""),
                    ChatMessage(role: .user, text: pair.1?.user ?? ""),
                ], maximumTokens: 160, isEnough: progress.add
            ) { completion in
                let answer = progress.finish(completion.text, isCut: completion.finish != .endOfText)
                log.withLock {
                    $0.append(
                        Try(
                            article: number, shown: answer.sentences.first, text: completion.text,
                            tokens: completion.outputTokens))
                }
                return progress.beginAgain().map { Sampling(topP: 0.9).varied($0) }
            }
        }
        _ = try await engine.generate(requests) { _, _ in }
        let tries = Dictionary(grouping: log.withLock { $0 }, by: \.article)
        var counts: [String: Int] = [:]
        var (text, tokens) = ("", [Int](repeating: 0, count: 3))
        for (article, tries) in tries.sorted(by: { $0.key < $1.key }) {
            for (number, one) in tries.enumerated() { tokens[number] += one.tokens }
            guard let last = tries.last, let shown = last.shown else {
                text += "\(article + 1), nothing: \(tries.last?.text.prefix(200) ?? "")\n"
                continue
            }
            let kind =
                shown.origin != .written
                ? "copied" : last.text.contains(shown.text) ? "in its own words" : "without its end"
            counts["try \(tries.count), \(kind)", default: 0] += 1
            text += "\(article + 1), try \(tries.count), \(kind): \(shown.text)\n"
        }
        text += "\nof \(entries.count) articles:\n"
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { text += "  \(name): \(count)\n" }
        self.text = text + "tokens written in the first, second and third try: \(tokens)\n"
    }
}
