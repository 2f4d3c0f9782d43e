#if os(Linux)
    import Foundation
    import PulseTestSupport
    import Testing

    @testable import PulseInference

    /// Threads by what the process may use, read from made-up `/proc` and `/sys` trees.
    struct ProcessorsTests {
        private let root: TemporaryFolder

        init() throws {
            root = try TemporaryFolder()
        }

        private func put(_ text: String, at path: String) throws {
            let file = root.path + path
            let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
        }

        private func allow(_ list: String, siblings: [Int: String] = [:], groups: String = "0::/") throws {
            try put(
                "Name:\ttest\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nVoluntary:\t1", at: "/proc/self/status")
            try put(groups, at: "/proc/self/cgroup")
            for (processor, list) in siblings {
                try put(list, at: "/sys/devices/system/cpu/cpu\(processor)/topology/thread_siblings_list")
            }
        }

        private var count: Int { Processors.count(root: root.path) }

        @Test func siblingsCountOnce() throws {
            try allow("0-3,8", siblings: [0: "0,4", 1: "1,5", 2: "2-3", 3: "2-3", 8: "8"])
            #expect(count == 4)
        }

        @Test func everyProcessorIsACoreWhereTheKernelDoesNotSay() throws {
            try allow("0-1,5")
            #expect(count == 3)
        }

        @Test func quotaOfVersion2() throws {
            try allow("0-7", groups: "0::/user/app")
            try put("250000 100000", at: "/sys/fs/cgroup/user/app/cpu.max")
            #expect(count == 2)
        }

        @Test func smallestQuotaOnTheWayUpCounts() throws {
            try allow("0-7", groups: "0::/user/app")
            try put("max 100000", at: "/sys/fs/cgroup/user/app/cpu.max")
            try put("50000 100000", at: "/sys/fs/cgroup/user/cpu.max")
            #expect(count == 1)
        }

        @Test func quotaOfVersion1() throws {
            try allow("0-7", groups: "4:memory:/x\n3:cpu,cpuacct:/box\n0::/")
            try put("300000", at: "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us")
            try put("100000", at: "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us")
            #expect(count == 3)
        }

        @Test func noQuotaIsNone() throws {
            try allow("0-3", groups: "3:cpu:/")
            try put("-1", at: "/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
            try put("100000", at: "/sys/fs/cgroup/cpu/cpu.cfs_period_us")
            #expect(count == 4)
        }

        @Test func smallModelsTakeOneThread() {
            #expect(Processors.threads(forModelOf: 16 << 20) == 1)
            #expect(Processors.threads(forModelOf: 800 << 20) == Processors.usable)
        }

        @Test func memoryIsTheLeastOfMachineAndGroups() throws {
            try allow("0", groups: "4:memory:/box\n0::/user")
            #expect(Memory.available(root: root.path) == nil)
            try put("MemTotal: 900 kB\nMemAvailable:     800 kB\nSwapFree: 1 kB", at: "/proc/meminfo")
            #expect(Memory.available(root: root.path) == 800 * 1024)
            try put("500000", at: "/sys/fs/cgroup/memory/box/memory.limit_in_bytes")
            try put("100000", at: "/sys/fs/cgroup/memory/box/memory.usage_in_bytes")
            #expect(Memory.available(root: root.path) == 400_000)
            try put("max", at: "/sys/fs/cgroup/user/memory.max")
            try put("300000", at: "/sys/fs/cgroup/memory.max")
            try put("350000", at: "/sys/fs/cgroup/memory.current")
            #expect(Memory.available(root: root.path) == 0)
        }

        @Test func thisMachineHasMemory() throws {
            #expect(try #require(Memory.available()) > 1 << 20)
        }

        @Test func garbageFallsBack() throws {
            try allow("x-y,5-2,", groups: "nonsense")
            #expect(count == ProcessInfo.processInfo.activeProcessorCount)
        }

        @Test func thisMachineHasOneAtLeast() {
            #expect(Processors.usable >= 1)
            #expect(Processors.usable <= ProcessInfo.processInfo.processorCount)
        }
    }
#endif
