import Foundation
import PulseCore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseInference

enum Fixture {
    /// An engine on a fresh fixture model. The file is mapped, so it may go as soon as the engine is open.
    static func engine(
        contextLength: Int? = nil, sequences: Int = EngineOptions.defaultSequences, cells: Int? = nil,
        vocabularyOnly: Bool = false, on thread: PinnedThread = PinnedThread(), machine: Machine = Machine(),
        adjust: (inout FixtureModel) -> Void = { _ in }, now: @escaping @Sendable () -> Duration = Fixture.clock
    ) async throws -> Engine {
        let folder = try TemporaryFolder()
        // Held to the end: a folder that nobody uses any more is removed at once.
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("fixture.gguf")
        try FixtureModel.write(to: path, adjust: adjust)
        let options = EngineOptions(
            modelPath: path, contextLength: contextLength, sequences: sequences, cells: cells,
            threads: 1, vocabularyOnly: vocabularyOnly)
        return try await Engine.load(options, on: thread, machine: machine, now: now)
    }

    static let clock: @Sendable () -> Duration = {
        let clock = SuspendingClock()
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }()

    static func request(_ text: String, tokens: Int = 16, sampling: Sampling = Sampling()) -> GenerationRequest {
        GenerationRequest(
            messages: [ChatMessage(role: .system, text: "You write."), ChatMessage(role: .user, text: text)],
            maximumTokens: tokens, sampling: sampling)
    }
}

extension Engine {
    /// The answers, where nobody watches how they are written.
    nonisolated func answers(to requests: [GenerationRequest]) async throws -> [Completion] {
        try await generate(requests) { _, _ in }
    }

    nonisolated func answer(to request: GenerationRequest) async throws -> Completion {
        try #require(try await answers(to: [request]).first)
    }

    /// Holds an answer of a batch to what is written here where each of its choices is made again, without drafts, and
    /// tells how much better this engine would have liked its favourites.
    nonisolated func gaps(
        of completion: Completion, to request: GenerationRequest, by choices: ChoiceLog
    ) async throws -> [Float] {
        let log = ChoiceLog()
        let alone = try await answer(to: request.choosing(log, writing: choices.tokens, drafts: false))
        #expect(alone.text == completion.text && alone.finish == completion.finish)
        #expect(alone.outputTokens == completion.outputTokens && alone.promptTokens == completion.promptTokens)
        #expect(log.gaps.count == choices.tokens.count)
        return log.gaps
    }
}

extension GenerationRequest {
    /// The same, with its choices logged and the first of them given.
    func choosing(_ log: ChoiceLog, writing tokens: [Int32] = [], drafts: Bool? = nil) -> GenerationRequest {
        var request = self
        request.chooser = log.chooser(writing: tokens)
        request.drafts = drafts ?? request.drafts
        return request
    }
}

extension GenerationEvent {
    var isReading: Bool { if case .reading = self { true } else { false } }
    var isThinking: Bool { if case .thinking = self { true } else { false } }
    var isText: Bool { if case .text = self { true } else { false } }
    var isBegunAgain: Bool { if case .begunAgain = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }
}

/// Events as they came, with the number of the request.
final class EventLog: Sendable {
    private let log = Mutex<[(request: Int, event: GenerationEvent)]>([])

    var all: [(request: Int, event: GenerationEvent)] { log.withLock { $0 } }

    func add(_ request: Int, _ event: GenerationEvent) { log.withLock { $0.append((request, event)) } }

    func events(of request: Int = 0) -> [GenerationEvent] { all.filter { $0.request == request }.map(\.event) }

    func text(of request: Int = 0) -> String {
        events(of: request).map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    /// How many pieces of text there were.
    var texts: Int { all.count { $0.event.isText } }

    func readings(of request: Int = 0) -> [Int] {
        events(of: request).compactMap { if case .reading(let tokens, _) = $0 { tokens } else { nil } }
    }
}

/// The choices made in one answer, and how much better the model would have liked its favourite.
final class ChoiceLog: Sendable {
    private let log = Mutex<[(token: Int32, gap: Float)]>([])

    var tokens: [Int32] { log.withLock { $0.map(\.token) } }
    /// The favourite's logit less that of the token: 0 if it is the favourite.
    var gaps: [Float] { log.withLock { $0.map(\.gap) } }

    /// Writes the given tokens and goes on as the sampler does; all choices are logged.
    func chooser(writing tokens: [Int32] = []) -> GenerationRequest.Chooser {
        { [self] written, sampled, logits in
            let token = written < tokens.count ? tokens[written] : sampled
            let gap = (logits.max() ?? 0) - logits[Int(token)]
            log.withLock { $0.append((token, gap)) }
            return token
        }
    }
}

#if os(Linux)
    /// Made-up `/proc` and `/sys` trees.
    struct SystemTree {
        private let root: TemporaryFolder

        init() throws { root = try TemporaryFolder() }

        var path: String { root.path }

        func put(_ text: String, at path: String) throws { try root.write(text + "\n", to: String(path.dropFirst())) }

        /// `/proc/meminfo` with so many bytes available, in whole kibibytes.
        func put(available: UInt64) throws {
            try put("MemTotal: 900 kB\nMemAvailable:     \(available / 1024) kB\nSwapFree: 1 kB", at: "/proc/meminfo")
        }
    }
#endif
