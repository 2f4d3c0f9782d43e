#if os(Linux)
    import Foundation

    /// The limits of this process's control groups (cgroups(7)), versions 1 and 2.
    enum ControlGroup {
        /// The folders of a controller's group and of its parents, the innermost first; if `controller` is nil, those
        /// of version 2's single hierarchy. `root` is where `/proc` and `/sys` are mounted.
        ///
        /// In a container, the path may be the host's while the group is mounted as the root, so the root is included.
        static func folders(of controller: String?, root: String) -> [String] {
            let groups = (try? String(contentsOfFile: "\(root)/proc/self/cgroup", encoding: .utf8)) ?? ""
            return groups.split(separator: "\n").flatMap { entry -> [String] in
                // "hierarchy-ID:controller-list:cgroup-path"
                let fields = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard fields.count == 3 else { return [] }
                let paths = ancestors(of: String(fields[2]))
                guard let controller else {
                    return fields[1].isEmpty ? paths.map { "\(root)/sys/fs/cgroup\($0)" } : []
                }
                guard fields[1].split(separator: ",").contains(Substring(controller)) else { return [] }
                return Set([controller, String(fields[1])]).flatMap { mount in
                    paths.map { "\(root)/sys/fs/cgroup/\(mount)\($0)" }
                }
            }
        }

        static func line(_ path: String) -> String? {
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// `/a/b` gives `/a/b`, `/a` and the root, which is empty.
        private static func ancestors(of path: String) -> [String] {
            let parts = path.split(separator: "/")
            return (0...parts.count).reversed().map { count in parts.prefix(count).map { "/\($0)" }.joined() }
        }

        /// The memory that the most restrictive group leaves, in bytes; nil if no group has a limit.
        static func memoryLeft(root: String) -> UInt64? {
            // Version 2 (kernel, admin-guide/cgroup-v2): `memory.high` slows down, `memory.max` kills.
            let unified = folders(of: nil, root: root).flatMap { folder in
                ["memory.high", "memory.max"].compactMap { limit in
                    left(of: limit, use: "memory.current", files: ["active_file", "inactive_file"], in: folder)
                }
            }
            // Version 1 (kernel, admin-guide/cgroup-v1/memory): `total_` entries include the groups below.
            let legacy = folders(of: "memory", root: root).compactMap { folder in
                left(
                    of: "memory.limit_in_bytes", use: "memory.usage_in_bytes",
                    files: ["total_active_file", "total_inactive_file"], in: folder)
            }
            return (unified + legacy).min()
        }

        /// Limit minus usage, without page cache: the kernel drops that before it refuses memory.
        private static func left(of limit: String, use: String, files: [String], in folder: String) -> UInt64? {
            // "max" means no limit; version 1 has a number that no machine reaches.
            guard let limit = line("\(folder)/\(limit)").flatMap({ UInt64($0) }), limit < 1 << 60 else { return nil }
            let used = line("\(folder)/\(use)").flatMap { UInt64($0) } ?? 0
            let statistics = (try? String(contentsOfFile: "\(folder)/memory.stat", encoding: .utf8)) ?? ""
            let dropped = statistics.split(separator: "\n").reduce(UInt64(0)) { sum, entry in
                let fields = entry.split(separator: " ")
                guard fields.count == 2, files.contains(String(fields[0])) else { return sum }
                return sum + (UInt64(fields[1]) ?? 0)
            }
            let held = used - min(used, dropped)
            return limit - min(limit, held)
        }
    }
#endif
