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

        @Test func quotaOfVersion2() throws {
            try allow("0-7", groups: "0::/user/app")
            try tree.put("250000 100000", at: "/sys/fs/cgroup/user/app/cpu.max")
            #expect(processors.quota == 2.5 && processors.usable == 2)
        }

        @Test func smallestQuotaOnTheWayUpCounts() throws {
            try allow("0-7", groups: "0::/user/app")
            try tree.put("max 100000", at: "/sys/fs/cgroup/user/app/cpu.max")
            try tree.put("50000 100000", at: "/sys/fs/cgroup/user/cpu.max")
            #expect(processors.usable == 1)
        }

        @Test func quotaOfVersion1() throws {
            try allow("0-7", groups: "4:memory:/x\n3:cpu,cpuacct:/box\n0::/")
            try tree.put("300000", at: "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us")
            try tree.put("100000", at: "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us")
            #expect(processors.usable == 3)
        }

        @Test func noQuotaIsNone() throws {
            try allow("0-3", groups: "3:cpu:/")
            try tree.put("-1", at: "/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
            try tree.put("100000", at: "/sys/fs/cgroup/cpu/cpu.cfs_period_us")
            #expect(processors.usable == 4)
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
