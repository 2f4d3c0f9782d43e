public import Foundation
import PulseCore
import Synchronization

/// Runs mutated inputs through parsers, one after the other, and watches what each takes.
///
/// Each input is on disk before it is parsed, so that one that ends the process is there afterwards.
public final class Fuzzer: Sendable {
    /// In seconds, for an input of at most `Mutator.longest` bytes. It is a hang and no measurement: the machine may be
    /// busy.
    static let longestRun = 20.0
    /// In bytes, more than before the input.
    static let mostMemory = 400 << 20

    /// What was run of a target.
    public struct Tally: Sendable, CustomStringConvertible {
        public var target: String
        public var runs = 0
        public var refused = 0
        /// In seconds.
        public var slowest = 0.0
        public var slowestSize = 0

        public var description: String {
            "\(target): \(runs) inputs, \(refused) refused, the slowest \(Int(slowest * 1000)) ms (\(slowestSize) bytes)"
        }
    }

    private struct Running {
        var target: String
        var since: ContinuousClock.Instant
        var memory: Int
    }

    private let running = Mutex<Running?>(nil)
    /// Where the input that is being parsed is.
    public let current: String

    /// An input that hangs or takes too much memory ends the process, which does nothing else: beside other work it would
    /// not be known who takes what.
    ///
    /// - Parameter folder: Where inputs are written to. It is made.
    public init(folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        current = folder + "/current"
        Thread.detachNewThread { [weak self] in
            while let fuzzer = self {
                fuzzer.watch()
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    /// Runs inputs until there were so many, or until it is so late.
    public func run(
        _ target: FuzzTarget, seed: UInt64, most: Int = .max, until end: ContinuousClock.Instant? = nil
    ) async throws -> Tally {
        var tally = Tally(target: target.name)
        var mutator = Mutator(seed: seed, dictionary: target.dictionary)
        while tally.runs < most, end.map({ ContinuousClock.now < $0 }) ?? true {
            let input = mutator.input(from: target.seeds)
            let start = ContinuousClock.now
            if try await !parse(input, target) { tally.refused += 1 }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            if seconds > tally.slowest { (tally.slowest, tally.slowestSize) = (seconds, input.count) }
            tally.runs += 1
        }
        return tally
    }

    /// - Returns: Whether it was parsed and not refused.
    public func parse(_ input: Data, _ target: FuzzTarget) async throws -> Bool {
        // Not atomically: the folder of exports and databases has no other file in it.
        try input.write(to: URL(fileURLWithPath: current))
        running.withLock { $0 = Running(target: target.name, since: .now, memory: Self.memory()) }
        defer { running.withLock { $0 = nil } }
        do {
            try await target.run(input, current)
            return true
        } catch is PulseError {
            return false
        }
    }

    private func watch() {
        guard let running = running.withLock({ $0 }) else { return }
        let seconds = (ContinuousClock.now - running.since) / .seconds(1)
        let fault: String
        if seconds > Self.longestRun {
            fault = "runs for more than \(Int(Self.longestRun)) s"
        } else if Self.memory() - running.memory > Self.mostMemory {
            fault = "takes more than \(Self.mostMemory >> 20) MiB"
        } else {
            return
        }
        // What hangs cannot be stopped otherwise.
        FileHandle.standardError.write(Data("\(running.target): \(fault); the input is \(current)\n".utf8))
        _exit(70)
    }

    /// The resident set in bytes; 0 where the system does not say (proc(5)).
    private static func memory() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }
}
