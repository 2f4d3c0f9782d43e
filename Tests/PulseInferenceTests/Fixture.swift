/// What the engine's tests share: an engine on a fixture model of its own, and what it delivered.
import PulseTestSupport
import Synchronization

@testable import PulseInference

enum Fixture {
    /// An engine on a fresh fixture model. The file is mapped, so it may go as soon as the engine is open.
    static func engine(
        contextLength: Int? = nil, vocabularyOnly: Bool = false, recorder: CallRecorder? = nil,
        adjust: (inout FixtureModel) -> Void = { _ in }, now: @escaping @Sendable () -> Duration = Fixture.clock
    ) async throws -> Engine {
        let folder = try TemporaryFolder()
        let path = folder.file("fixture.gguf")
        try FixtureModel.write(to: path, adjust: adjust)
        let options = EngineOptions(
            modelPath: path, contextLength: contextLength, threads: 1, vocabularyOnly: vocabularyOnly)
        return try await Engine.load(options, recorder: recorder, now: now)
    }

    static let clock: @Sendable () -> Duration = {
        let clock = SuspendingClock()
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }()

    static func request(
        _ text: String, tokens: Int = 16, sampling: Sampling = Sampling(), stops: [String] = []
    ) -> GenerationRequest {
        GenerationRequest(
            messages: [ChatMessage(role: .system, text: "You write."), ChatMessage(role: .user, text: text)],
            maximumTokens: tokens, sampling: sampling, stops: stops)
    }
}

/// Events as they came, with the number of the request.
final class EventLog: Sendable {
    private let log = Mutex<[(request: Int, event: GenerationEvent)]>([])

    var all: [(request: Int, event: GenerationEvent)] { log.withLock { $0 } }

    func add(_ request: Int, _ event: GenerationEvent) {
        log.withLock { $0.append((request, event)) }
    }

    func text(of request: Int = 0) -> String {
        all.filter { $0.request == request }.map { entry in
            if case .text(let text) = entry.event { text } else { "" }
        }.joined()
    }

    func readings(of request: Int = 0) -> [Int] {
        all.filter { $0.request == request }.compactMap { entry in
            if case .reading(let tokens, _) = entry.event { tokens } else { nil }
        }
    }
}
