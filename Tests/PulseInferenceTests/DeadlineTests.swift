import PulseCore
import PulseInference
import PulseTestSupport
import Synchronization
import Testing

/// A clock that tests move by hand.
final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)
    var now: Duration { time.withLock { $0 } }
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// Cancellation and deadlines, while a prompt is read and while text is written.
@Suite(.timeLimit(.minutes(20))) struct DeadlineTests {
    private let clock = HandClock()

    private func engine(sequences: Int = EngineOptions.defaultSequences) async throws -> Engine {
        try await Fixture.engine(sequences: sequences, now: { [clock] in clock.now })
    }

    /// A request that writes for long: random models end their text now and then, so it is sampled with a fixed seed.
    private let long = Fixture.request("Hello", tokens: 200)

    @Test func stallWhileWriting() async throws {
        let engine = try await engine()
        let log = EventLog()
        try await fails(.tryAgain, "wrote nothing for 5 seconds", hint: "--stall-timeout") {
            try await engine.generate([long], deadlines: Deadlines(stall: .seconds(5))) { [clock] number, event in
                log.add(number, event)
                if case .text = event { clock.advance(by: .seconds(6)) }
            }
        }
        #expect(log.texts == 1)
    }

    @Test func slowButSteadyIsNoStall() async throws {
        let engine = try await engine()
        let completions = try await engine.generate([long], deadlines: Deadlines(stall: .seconds(5))) { [clock] _, _ in
            clock.advance(by: .seconds(4))
        }
        #expect(completions.count == 1)
    }

    @Test func overallCoversAllRequests() async throws {
        let engine = try await engine(sequences: 1)
        let log = EventLog()
        try await fails(.tryAgain, "did not finish within 1.5 seconds", hint: "--timeout") {
            try await engine.generate([long, long], deadlines: Deadlines(overall: .milliseconds(1500))) {
                [clock] number, event in
                log.add(number, event)
                if case .finished = event { clock.advance(by: .seconds(2)) }
            }
        }
        #expect(!log.all.contains { $0.request == 1 })
    }

    @Test func stallWhileReading() async throws {
        let engine = try await engine()
        let request = Fixture.request(String(repeating: "abcdefghij", count: 200))
        let log = EventLog()
        try await fails(.tryAgain, "wrote nothing") {
            try await engine.generate([request], deadlines: Deadlines(stall: .seconds(5))) { [clock] number, event in
                log.add(number, event)
                clock.advance(by: .seconds(6))
            }
        }
        #expect(log.readings() == [0])
    }

    @Test func cancelledBeforeItBegins() async throws {
        let engine = try await engine()
        let log = EventLog()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.generate([long]) { log.add($0, $1) }
        }
        try await fails(.interrupted) { try await task.value }
        #expect(log.all.isEmpty)
    }

    @Test func theLibraryItselfStopsInsideAComputation() async throws {
        // The clock runs on only when it is asked, which the library does between the steps of one computation:
        // a single chunk passes the deadline.
        let ticks = Mutex(0)
        let engine = try await Fixture.engine(now: {
            ticks.withLock { ticks in
                ticks += 1
                return .milliseconds(ticks)
            }
        })
        let request = Fixture.request(String(repeating: "x", count: 400))
        let log = EventLog()
        try await fails(.tryAgain, "did not finish within") {
            try await engine.generate([request], deadlines: Deadlines(overall: .milliseconds(12))) { log.add($0, $1) }
        }
        #expect(log.readings() == [0])
        // What was half read is forgotten: the next answer is that of a fresh engine.
        let after = try await engine.answer(to: Fixture.request("Hello"))
        #expect(try await Fixture.engine().answer(to: Fixture.request("Hello")).text == after.text)
    }
}
