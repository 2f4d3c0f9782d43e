import Foundation

/// The memory that this process may still take, in bytes, by what limits it. Nil means that no limit is known.
public struct MemoryBudget: Sendable, Hashable {
    /// What the machine can give without swapping.
    public var machine: UInt64?
    /// What the limits of the control groups leave.
    public var group: UInt64?
}

#if canImport(Darwin)
    extension MemoryBudget {
        /// What is free now. macOS compresses and swaps before it refuses, so the machine's memory is the limit.
        public static func current() -> MemoryBudget {
            MemoryBudget(machine: ProcessInfo.processInfo.physicalMemory)
        }
    }
#else
    extension MemoryBudget {
        /// What is free now. `root` is where `/proc` and `/sys` are found.
        public static func current(root: String = "") -> MemoryBudget {
            MemoryBudget(machine: machine(root: root), group: ControlGroup.memoryLeft(root: root))
        }

        /// "An estimate of how much memory is available for starting new applications, without swapping"
        /// (proc_meminfo(5), `MemAvailable`). It counts file pages that can be dropped, among them those of a model
        /// file that was read before. The weights count as needed memory too, so those pages are rightly on both sides.
        static func machine(root: String) -> UInt64? {
            let text = (try? String(contentsOfFile: "\(root)/proc/meminfo", encoding: .utf8)) ?? ""
            let entry = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
            // "MemAvailable:   22653000 kB"
            return entry?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
        }
    }
#endif
