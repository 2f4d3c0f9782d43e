import PulseCore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseInference

/// Every call into libllama comes from one thread, and that thread goes when the engine goes.
///
/// The handles check it themselves: a call from another thread, the freeing of a handle included, ends the process.
@Suite(.timeLimit(.minutes(20))) struct PinnedThreadTests {
    @Test func everyCallIntoTheLibraryComesFromTheEnginesThread() async throws {
        let thread = PinnedThread()
        let own = await thread.run { ThreadIdentity.current }
        let seen = Mutex<Set<UInt64>>([])
        try await use(thread) { seen.withLock { _ = $0.insert(ThreadIdentity.current) } }
        // Jobs run in order: after this one the engine's handles have been freed.
        await thread.run {}
        #expect(seen.withLock { $0 } == [own])
        #expect(own != ThreadIdentity.current)
    }

    /// A scope of its own, so that the engine is gone at its end.
    private func use(_ thread: PinnedThread, note: @escaping @Sendable () -> Void) async throws {
        let engine = try await Fixture.engine(sequences: 2, on: thread)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    _ = engine.tokens(of: "some words")
                    _ = try await engine.promptTokens(of: Fixture.request("Hello").messages)
                    let requests = [Fixture.request("One \(number)"), Fixture.request("Two \(number)")]
                    _ = try await engine.generate(requests) { _, _ in note() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aCallFromAnotherThreadEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let confinement = ThreadConfinement()
            await PinnedThread().run { confinement.check() }
        }
        await #expect(processExitsWith: .success) {
            await PinnedThread().run { ThreadConfinement().check() }
        }
    }

    @Test func aLoadThatFailsFreesItsModelOnTheThread() async throws {
        let thread = PinnedThread()
        try await fails(.unavailable, "no token that ends a text") {
            try await Fixture.engine(on: thread) { $0.hasEnd = false }
        }
        await thread.run {}
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
                group.addTask { try await engine.answer(to: Fixture.request("Hello")).text }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(texts).count == 1)
    }
}
