#if canImport(Darwin)
    import Foundation

    /// The memory this process may still take.
    enum Memory {
        /// Bytes. macOS compresses and swaps before it refuses, so the machine's memory is the bound.
        static func available() -> UInt64? { ProcessInfo.processInfo.physicalMemory }
    }
#endif
