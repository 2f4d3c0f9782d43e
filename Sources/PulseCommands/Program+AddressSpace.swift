import Foundation
import PulseInference

extension Program {
    /// The first thing to be called, before anything is awaited. Where `ulimit -v` leaves no room for a few threads,
    /// Dispatch would try for ever to start one, and libraries would fail in the middle of things: better to say so.
    /// - Returns: The exit status where there is no room; nil: go on.
    public static func refusal(environment: [String: String]) -> Int32? {
        guard let left = MemoryBudget.current().addressSpace else { return nil }
        takeOneArena()
        guard left < leastAddressSpace else { return nil }
        Console(environment: environment).say(
            "pulse-digest: The limit on the address space (ulimit -v) leaves \(left >> 20) MiB, and the program alone "
                + "takes \(leastAddressSpace >> 20). Raise it.")
        return ExitCode.tryAgain.rawValue
    }

    /// Each thread would reserve an arena of 64 MiB, most of it never used. mallopt(3), of glibc alone, is not imported
    /// into Swift; malloc.h: "#define M_ARENA_MAX -8".
    private static func takeOneArena() {
        typealias Mallopt = @convention(c) (Int32, Int32) -> Int32
        guard let function = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(function, to: Mallopt.self)(-8, 1)
    }

    /// Stacks of the threads that Swift, Dispatch and the engine start, and the heap.
    private static let leastAddressSpace: UInt64 = 96 << 20
}
