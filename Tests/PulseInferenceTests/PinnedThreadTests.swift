import PulseTestSupport
import Synchronization
import Testing

@testable import PulseInference

/// The promise that every call into libllama comes from one thread, and that the thread goes when the engine goes.
@Suite(.timeLimit(.minutes(10))) struct PinnedThreadTests {
    @Test func everyCallIntoTheLibraryComesFromOneThread() async throws {
        let recorder = CallRecorder()
        try await use(recorder)
        try await waitUntil { recorder.calls.count { $0.operation == .freeModel } == 2 }
        let calls = recorder.calls
        #expect(Set(calls.map(\.thread)).count == 1)
        #expect(calls.first?.thread != ThreadIdentity.current)
        #expect(Set(calls.map(\.operation)) == Set(CallRecorder.Operation.allCases))
        let frees = calls.map(\.operation).filter { [.freeSampler, .freeContext, .freeModel].contains($0) }
        // First the dry run's, then the real ones.
        let samplers = Array(repeating: CallRecorder.Operation.freeSampler, count: 4)
        #expect(frees == [.freeContext, .freeModel] + samplers + [.freeContext, .freeModel])
    }

    /// A scope of its own, so that the engine is gone at its end.
    private func use(_ recorder: CallRecorder) async throws {
        let engine = try await Fixture.engine(sequences: 2, recorder: recorder)
        _ = await engine.countingTokens { $0("some words") }
        _ = try await engine.promptTokens(of: Fixture.request("Hello").messages)
        let requests = [Fixture.request("One"), Fixture.request("Two")]
        _ = try await engine.generate(requests) { _, _ in }
        // A second time, the places hold what must go.
        _ = try await engine.generate([Fixture.request("Three"), Fixture.request("Four")]) { _, _ in }
    }

    @Test func failedLoadFreesWhatItHad() async throws {
        let recorder = CallRecorder()
        let error = await #expect(throws: EngineError.self) {
            try await Fixture.engine(recorder: recorder) { $0.hasEnd = false }
        }
        #expect(error?.code == .noEndOfText)
        #expect(recorder.calls.last?.operation == .freeModel)
        #expect(Set(recorder.calls.map(\.thread)).count == 1)
    }

    @Test func eventsAreDeliveredOnTheSameThread() async throws {
        let recorder = CallRecorder()
        let engine = try await Fixture.engine(recorder: recorder)
        let threads = Mutex<Set<UInt64>>([])
        _ = try await engine.generate([Fixture.request("Hello")]) { _, _ in
            threads.withLock { _ = $0.insert(ThreadIdentity.current) }
        }
        #expect(threads.withLock { $0 } == Set(recorder.calls.map(\.thread)))
    }

    @Test func jobsRunInOrderAndTheThreadEndsWithItsOwner() async throws {
        let seen = Mutex<[Int]>([])
        weak var ended: PinnedThread?
        do {
            let thread = PinnedThread()
            ended = thread
            for number in 0..<100 {
                await thread.run { seen.withLock { $0.append(number) } }
            }
        }
        #expect(seen.withLock { $0 } == Array(0..<100))
        #expect(ended == nil)
    }

    @Test func severalCallersAreServedOneAfterAnother() async throws {
        let engine = try await Fixture.engine()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask { try await engine.generate([Fixture.request("Hello")]) { _, _ in }.map(\.text).joined() }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(texts).count == 1)
    }

    private func waitUntil(_ condition: () -> Bool) async throws {
        for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(condition())
    }
}
