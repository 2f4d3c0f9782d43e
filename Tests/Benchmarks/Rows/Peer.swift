/// llama-cpp-python in a process of its own (Peers/peer.py), loaded once and asked line by line, so that its runs can
/// take turns with the engine's.
import Foundation

final class Peer {
    private struct Question: Encodable {
        struct Prompt: Encodable {
            var system: String
            var user: String
        }
        var prompts: [Prompt]?
        var tokens: Int?
        var texts: [String]?
    }

    struct Answer: Decodable {
        var seconds, cpu: Double
        var promptTokens: Int
        var outputTokens: Int?
        /// Of an encoder: one a text.
        var vectors: [[Float]]?

        private enum CodingKeys: String, CodingKey {
            case seconds, cpu, vectors
            case promptTokens = "prompt_tokens"
            case outputTokens = "output_tokens"
        }
    }

    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private var unread = Data()

    init(python: String, script: String, model: String, threads: Int, length: Int, encodes: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script, model, "\(threads)", "\(length)"] + (encodes ? ["embedding"] : [])
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
        _ = try line()
    }

    deinit {
        try? questions.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The answers to these prompts, one after another.
    func run(_ prompts: [(system: String, user: String)], tokens: Int) throws -> Answer {
        try ask(Question(prompts: prompts.map { Question.Prompt(system: $0.system, user: $0.user) }, tokens: tokens))
    }

    /// The embeddings of these texts, as many at once as it takes.
    func encode(_ texts: [String]) throws -> Answer { try ask(Question(texts: texts)) }

    private func ask(_ question: Question) throws -> Answer {
        try questions.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(question) + [UInt8(ascii: "\n")])
        return try JSONDecoder().decode(Answer.self, from: line())
    }

    private func line() throws -> Data {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Data(unread[..<end])
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw BenchError("llama-cpp-python ended before it answered; what it said stands above.")
            }
            unread += more
        }
    }
}
