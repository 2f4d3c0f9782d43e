#if canImport(Darwin)
    import Foundation

    extension MemoryBudget {
        /// What is to be had now. macOS compresses and swaps before it refuses, so the machine's memory is the bound.
        public static func current() -> MemoryBudget {
            MemoryBudget(machine: ProcessInfo.processInfo.physicalMemory)
        }
    }
#endif
