/// What the engine's rows are measured with: the prompts that the program itself makes of the sample history.
import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseSources

struct StoryMaterial: Sendable {
    /// One prompt a story.
    let stories: [[ChatMessage]]
    /// The prompt for the summary of one long article.
    let article: [ChatMessage]
    /// A written summary of it (Texts/summary.txt), for the row that has one written.
    let summary: String

    /// A moment to count the sample's reading times from; any would do.
    static let now = Date(timeIntervalSince1970: 1_795_240_000)
    private static let articleID = "world/2026/nov/20/tamsin-dam-gates-arrel-valley"
    /// Everything fits: the model of the benchmark has room.
    private static let limit = 4096

    /// - Parameters:
    ///   - root: The repository.
    ///   - tokens: Counts by the model's own tokenizer.
    init(root: String, tokens: TokenCounter) throws {
        func template(_ job: PromptTemplate.Job) throws -> PromptTemplate {
            let path = "\(root)/prompts/\(job.rawValue).en.md"
            return try PromptTemplate(job: job, parsing: String(contentsOfFile: path, encoding: .utf8), from: path)
        }
        let readings = try Self.readings(root)
        let digest = try template(.digest)
        let selected = StorySelection(from: StoryCandidates(readings), limit: EngineOptions.defaultSequences)
            .sections.flatMap(\.entries)
        stories = selected.compactMap { entry in
            StoryPrompt(entry, template: digest, language: .english).prompt(limit: Self.limit, tokens: tokens)
        }.map(\.messages)
        guard let whole = readings.first(where: { $0.article.id == Self.articleID })?.article,
            let prompt = SummaryPrompt(whole, template: try template(.summary), language: .english)
                .prompt(limit: Self.limit, tokens: tokens)
        else { throw BenchError("The sample history has no article \(Self.articleID).") }
        article = prompt.messages
        summary = try String(contentsOfFile: root + "/Tests/Benchmarks/Texts/summary.txt", encoding: .utf8)
            .split(separator: "\n").joined(separator: " ")
    }

    /// What was read of the sample history in two days.
    static func readings(_ root: String) throws -> [Reading] {
        var lines = try LineReader(path: root + "/Tests/Fixtures/sample-history.jsonl")
        var all: [LineReader.Line] = []
        while let line = try lines.next() { all.append(line) }
        return JSONLines(now: now).batch(all).readings.filter { $0.readAt > now.addingTimeInterval(-48 * 3600) }
    }
}

extension Prompt {
    /// The prompt in the engine's terms, as the program gives it.
    fileprivate var messages: [ChatMessage] {
        [ChatMessage(role: .system, text: system), ChatMessage(role: .user, text: user)]
    }
}
