#if os(Linux)
    import Foundation
    import PulseTestSupport
    import Testing

    /// The built program in control groups that are too small for the model: it says so and quotes the publications, and
    /// nothing ends it.
    @Suite(.timeLimit(.minutes(20))) struct MemoryLimitTests {
        @Test(.enabled(if: ControlGroupBox.isAllowed, "this machine lets the test make no control group for memory"))
        func aControlGroupTooSmall() throws {
            let (sandbox, box) = (try Sandbox.withSample(), try ControlGroupBox(mebibytes: 64))
            let words = ["\"$P\" today --category gardening"] + sandbox.written.map { "'\($0)'" }
            let command = words.joined(separator: " ")
            try sandbox.shell("\(box.enter) && \(command)")
                .ends(0, "the limit of the control group leaves", "quoted instead", printing: "“")
        }
    }

    /// A control group below the test's own, with a limit on its memory; gone with its owner.
    private final class ControlGroupBox {
        private let folder: String
        private let limit: String

        /// The folder of this process's group where memory is limited, and the file that limits it.
        private static let place: (folder: String, limit: String)? = {
            let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
            for entry in groups.split(separator: "\n") {
                let fields = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard fields.count == 3 else { continue }
                if fields[1].split(separator: ",").contains("memory") {
                    return ("/sys/fs/cgroup/memory\(fields[2])", "memory.limit_in_bytes")
                }
            }
            let path = groups.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3) ?? ""
            let folder = "/sys/fs/cgroup\(path)"
            let controllers = (try? String(contentsOfFile: folder + "/cgroup.subtree_control", encoding: .utf8)) ?? ""
            return controllers.contains("memory") ? (folder, "memory.max") : nil
        }()

        static let isAllowed: Bool = (try? ControlGroupBox(mebibytes: 64)) != nil

        init(mebibytes: Int) throws {
            guard let place = Self.place else { throw CocoaError(.featureUnsupported) }
            folder = "\(place.folder)/pulse-digest-test-\(UUID().uuidString)"
            limit = place.limit
            guard mkdir(folder, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
            try "\(mebibytes << 20)".write(toFile: "\(folder)/\(limit)", atomically: false, encoding: .utf8)
        }

        deinit { rmdir(folder) }

        /// Puts the shell, and what it starts, into the group.
        var enter: String { "echo $$ > '\(folder)/cgroup.procs'" }
    }
#endif
