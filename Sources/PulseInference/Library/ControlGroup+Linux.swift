#if os(Linux)
    import Foundation

    /// Where the limits of this process's control groups are found (cgroups(7)), versions 1 and 2.
    enum ControlGroup {
        /// The folders of the group of a controller, and of all groups above it; of version 2's one hierarchy where
        /// `controller` is nil. `root` is where `/proc` and `/sys` are found.
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

        /// The whole of a one-line file, without the line's end; nil where it cannot be read.
        static func line(_ path: String) -> String? {
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// `/a/b` gives `/a/b`, `/a` and the root, which is empty.
        private static func ancestors(of path: String) -> [String] {
            var parts = path.split(separator: "/")
            var paths: [String] = []
            while !parts.isEmpty {
                paths.append("/" + parts.joined(separator: "/"))
                parts.removeLast()
            }
            return paths + [""]
        }
    }
#endif
