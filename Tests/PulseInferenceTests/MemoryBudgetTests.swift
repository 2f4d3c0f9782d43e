#if os(Linux)
    import Foundation
    import Testing

    @testable import PulseInference

    /// What may still be taken, read from made-up `/proc` and `/sys` trees.
    @Suite(.timeLimit(.minutes(20))) struct MemoryBudgetTests {
        private let tree: SystemTree

        init() throws { tree = try SystemTree() }

        private var budget: MemoryBudget { MemoryBudget.current(root: tree.path) }

        @Test func nothingIsKnownOfAnEmptyTree() { #expect(budget.machine == nil && budget.group == nil) }

        @Test func theMachine() throws {
            try tree.put(available: 800 * 1024)
            #expect(budget.machine == 800 * 1024)
            try tree.put("MemTotal: 5 kB\nMemAvailable: lots", at: "/proc/meminfo")
            #expect(budget.machine == nil)
        }

        @Test func aGroupOfVersion1() throws {
            try tree.put("4:memory:/box\n0::/", at: "/proc/self/cgroup")
            let box = "/sys/fs/cgroup/memory/box"
            try tree.put("500000", at: "\(box)/memory.limit_in_bytes")
            try tree.put("400000", at: "\(box)/memory.usage_in_bytes")
            #expect(budget.group == 100_000)
            // File pages are dropped before anybody is refused.
            try tree.put(
                "cache 90\nactive_file 7\ntotal_inactive_file 200000\ntotal_active_file 50000", at: "\(box)/memory.stat"
            )
            #expect(budget.group == 350_000)
        }

        @Test func noLimitOfVersion1IsNone() throws {
            try tree.put("4:memory:/\n", at: "/proc/self/cgroup")
            try tree.put("9223372036854771712", at: "/sys/fs/cgroup/memory/memory.limit_in_bytes")
            #expect(budget.group == nil)
        }

        @Test func theTightestOfNestedGroupsOfVersion2() throws {
            try tree.put("0::/user/app", at: "/proc/self/cgroup")
            try tree.put("max", at: "/sys/fs/cgroup/user/app/memory.max")
            try tree.put("700000", at: "/sys/fs/cgroup/user/memory.max")
            try tree.put("100000", at: "/sys/fs/cgroup/user/memory.current")
            #expect(budget.group == 600_000)
            // A group is slowed down to nothing above `memory.high`, long before it is killed.
            try tree.put("300000", at: "/sys/fs/cgroup/user/app/memory.high")
            try tree.put("120000", at: "/sys/fs/cgroup/user/app/memory.current")
            try tree.put("anon 5\nactive_file 10000\ninactive_file 10000", at: "/sys/fs/cgroup/user/app/memory.stat")
            #expect(budget.group == 200_000)
            // In a container, its own group is the root.
            try tree.put("50000", at: "/sys/fs/cgroup/memory.max")
            try tree.put("60000", at: "/sys/fs/cgroup/memory.current")
            #expect(budget.group == 0)
        }

        @Test func thisMachineHasMemory() throws { #expect(try #require(MemoryBudget.current().machine) > 1 << 20) }

        // MARK: - Pressure

        private let stalls = """
            some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000
            full avg10=0.00 avg60=0.00 avg300=0.00 total=1000000
            """

        @Test func theMachinesPressure() throws {
            try tree.put(available: 8 << 20)
            try tree.put(stalls, at: "/proc/pressure/memory")
            let sample = PressureSample.current(root: tree.path)
            #expect(sample == PressureSample(left: 8 << 20, stalled: .milliseconds(1000)))
        }

        @Test func theGroupsOwnPressureComesFirst() throws {
            try tree.put("0::/app", at: "/proc/self/cgroup")
            try tree.put(stalls, at: "/proc/pressure/memory")
            try tree.put("some avg10=0.00 total=9\nfull avg10=0.00 total=7", at: "/sys/fs/cgroup/app/memory.pressure")
            #expect(PressureSample.current(root: tree.path).stalled == .microseconds(7))
            try tree.put("some total=9\nfull total=junk", at: "/sys/fs/cgroup/app/memory.pressure")
            #expect(PressureSample.current(root: tree.path).stalled == nil)
        }

        @Test func kernelsThatDoNotTell() { #expect(PressureSample.current(root: tree.path) == PressureSample()) }
    }
#endif
