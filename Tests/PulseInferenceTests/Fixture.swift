/// What the engine's tests share: an engine on a fixture model of its own, and what it delivered.
import Foundation
import PulseTestSupport
import Synchronization

@testable import PulseInference

enum Fixture {
    /// An engine on a fresh fixture model. The file is mapped, so it may go as soon as the engine is open.
    static func engine(
        contextLength: Int? = nil, sequences: Int = EngineOptions.defaultSequences, cells: Int? = nil,
        vocabularyOnly: Bool = false, recorder: CallRecorder? = nil,
        adjust: (inout FixtureModel) -> Void = { _ in }, now: @escaping @Sendable () -> Duration = Fixture.clock
    ) async throws -> Engine {
        var model = FixtureModel()
        adjust(&model)
        let folder = try TemporaryFolder()
        // Held to the end: a folder that nobody uses any more is removed at once.
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(file(of: model), to: "fixture.gguf")
        let options = EngineOptions(
            modelPath: path, contextLength: contextLength, sequences: sequences, cells: cells,
            threads: 1, vocabularyOnly: vocabularyOnly)
        return try await Engine.load(options, recorder: recorder, now: now)
    }

    /// Making a model takes longer than loading it.
    private static let files = Mutex<[FixtureModel: Data]>([:])

    private static func file(of model: FixtureModel) -> Data {
        files.withLock { files in
            if let file = files[model] { return file }
            let file = model.data()
            files[model] = file
            return file
        }
    }

    static let clock: @Sendable () -> Duration = {
        let clock = SuspendingClock()
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }()

    static func request(
        _ text: String, tokens: Int = 16, sampling: Sampling = Sampling()
    ) -> GenerationRequest {
        GenerationRequest(
            messages: [ChatMessage(role: .system, text: "You write."), ChatMessage(role: .user, text: text)],
            maximumTokens: tokens, sampling: sampling)
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
