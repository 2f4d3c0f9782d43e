import Foundation

/// The memory that this process may still allocate, in bytes. Nil means that no limit is known.
public struct MemoryBudget: Sendable, Hashable {
    /// What the machine has available without swapping.
    public var machine: UInt64?
    /// What the limits of control groups leave.
    public var group: UInt64?
}

#if canImport(Darwin)
    extension MemoryBudget {
        /// The free memory now. macOS compresses and swaps before it refuses, so the machine's memory is the limit.
        public static func current() -> MemoryBudget {
            MemoryBudget(machine: ProcessInfo.processInfo.physicalMemory)
        }
    }
#else
    extension MemoryBudget {
        /// The free memory now. `root` is where `/proc` and `/sys` are mounted.
        public static func current(root: String = "") -> MemoryBudget {
            MemoryBudget(machine: machine(root: root), group: ControlGroup.memoryLeft(root: root))
        }

        /// "An estimate of how much memory is available for starting new applications, without swapping"
        /// (proc_meminfo(5), `MemAvailable`). It includes page cache, and so the pages of a model file that was read
        /// before. That is right, because the needed memory includes the weights.
        static func machine(root: String) -> UInt64? {
            let text = (try? String(contentsOfFile: "\(root)/proc/meminfo", encoding: .utf8)) ?? ""
            let entry = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
            // "MemAvailable:   22653000 kB"
            return entry?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
        }
    }
#endif
