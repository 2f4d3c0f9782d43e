#if os(Linux)
    import Foundation
    import PulseTestSupport

    /// Made-up `/proc` and `/sys` trees.
    struct SystemTree {
        private let root: TemporaryFolder

        init() throws { root = try TemporaryFolder() }

        var path: String { root.path }

        func put(_ text: String, at path: String) throws {
            let file = root.path + path
            let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
        }

        /// `/proc/meminfo` with so many bytes available, in whole kibibytes.
        func put(available: UInt64) throws {
            try put("MemTotal: 900 kB\nMemAvailable:     \(available / 1024) kB\nSwapFree: 1 kB", at: "/proc/meminfo")
        }
    }
#endif
