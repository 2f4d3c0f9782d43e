#if os(Linux)
    import Foundation
    import PulseInference
    import Testing

    /// What the process may compute with, read from made-up `/proc` and `/sys` trees.
    @Suite(.timeLimit(.minutes(20))) struct ProcessorsTests {
        private let tree: SystemTree

        init() throws { tree = try SystemTree() }

        private func allow(_ list: String, siblings: [Int: String] = [:], groups: String = "0::/") throws {
            try tree.put(
                "Name:\ttest\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nVoluntary:\t1", at: "/proc/self/status")
            try tree.put(groups, at: "/proc/self/cgroup")
            for (processor, list) in siblings {
                try tree.put(list, at: "/sys/devices/system/cpu/cpu\(processor)/topology/thread_siblings_list")
            }
        }

        private var processors: Processors { Processors.current(root: tree.path) }

        @Test func siblingsCountOnce() throws {
            try allow("0-3,8", siblings: [0: "0,4", 1: "1,5", 2: "2-3", 3: "2-3", 8: "8"])
            #expect(processors.cores == 4 && processors.quota == nil && processors.usable == 4)
        }

        @Test func everyProcessorIsACoreWhereTheKernelDoesNotSay() throws {
            try allow("0-1,5")
            #expect(processors.usable == 3)
        }

        /// Of version 2, whole and on the way up; of version 1, and none.
        @Test(arguments: [
            ("0::/user/app", ["user/app/cpu.max": "250000 100000"], 2),
            ("0::/user/app", ["user/app/cpu.max": "max 100000", "user/cpu.max": "50000 100000"], 1),
            (
                "4:memory:/x\n3:cpu,cpuacct:/box\n0::/",
                ["cpu,cpuacct/box/cpu.cfs_quota_us": "300000", "cpu,cpuacct/box/cpu.cfs_period_us": "100000"], 3
            ),
            ("3:cpu:/", ["cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"], 8),
        ])
        func quotas(groups: String, files: [String: String], usable: Int) throws {
            try allow("0-7", groups: groups)
            for (path, text) in files { try tree.put(text, at: "/sys/fs/cgroup/" + path) }
            #expect(processors.usable == usable)
        }

        /// What is awake for a moment is not busy, and neither is what was busy before.
        @Test(arguments: [
            ("0.00 0.01 0.05 1/80 11206", 0), ("2.00 1.50 0.70 1/80 11206", 0), ("0.10 0.01 0.05 3/80 11206", 0),
            ("1.02 0.90 0.40 2/80 11206", 1), ("7.90 7.90 7.90 4/80 11206", 3), ("nonsense", 0), ("", 0),
            ("nan 1 1 5/80 1", 0),
        ])
        func othersAtWork(line: String, busy: Int) throws {
            try allow("0-3")
            try tree.put(line, at: "/proc/loadavg")
            #expect(processors.busy == busy)
        }

        /// ggml's threads spin while they wait.
        @Test func ownThreadsAreNotOthers() throws {
            try allow("0-3")
            try tree.put("3.00 2.00 1.00 4/80 11206", at: "/proc/loadavg")
            for (thread, state) in [("7", "R"), ("8", "R"), ("9", "S")] {
                try tree.put("\(thread) (pulse (R) x) \(state) 1 7", at: "/proc/self/task/\(thread)/stat")
            }
            #expect(processors.busy == 2)
        }

        @Test func garbageFallsBack() throws {
            try allow("x-y,5-2,", groups: "nonsense")
            #expect(processors.cores == ProcessInfo.processInfo.activeProcessorCount)
        }

        @Test func thisMachineHasOneAtLeast() {
            #expect(Processors.current().usable >= 1)
            #expect(Processors.current().usable <= ProcessInfo.processInfo.processorCount)
        }
    }
#endif
