#if os(Linux)
    import Foundation

    /// The memory this process may still take.
    enum Memory {
        /// Bytes: what the kernel thinks can be had without swapping (proc_meminfo(5), `MemAvailable`), and no more
        /// than the control groups leave. Nil where neither is known.
        static func available(root: String = "") -> UInt64? {
            let bounds = [machine(root: root)] + groups(root: root).map(Optional.some)
            return bounds.compactMap { $0 }.min()
        }

        private static func machine(root: String) -> UInt64? {
            let text = (try? String(contentsOfFile: "\(root)/proc/meminfo", encoding: .utf8)) ?? ""
            let entry = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
            // "MemAvailable:   22653000 kB"
            return entry?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
        }

        /// Limit less use, of each group: `memory.max` and `memory.current` in version 2 (kernel,
        /// admin-guide/cgroup-v2), `memory.limit_in_bytes` and `memory.usage_in_bytes` in version 1.
        private static func groups(root: String) -> [UInt64] {
            let names = [
                (nil, "memory.max", "memory.current"), ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
            ]
            return names.flatMap { controller, limit, use in
                ControlGroup.folders(of: controller, root: root).compactMap { folder -> UInt64? in
                    guard let limit = ControlGroup.line("\(folder)/\(limit)").flatMap({ UInt64($0) }) else {
                        return nil
                    }
                    let used = ControlGroup.line("\(folder)/\(use)").flatMap { UInt64($0) } ?? 0
                    return limit - min(limit, used)
                }
            }
        }
    }
#endif
