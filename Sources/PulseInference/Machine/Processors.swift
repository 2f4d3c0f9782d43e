import Foundation

/// The processors that this process may use.
public struct Processors: Sendable, Hashable {
    /// Physical cores for this process. ggml's threads spin: a second one on a core would only slow the first.
    public var cores: Int
    /// The CPU quota of the control group, in processors; nil: no limit.
    public var quota: Double?
    /// Running threads of other programs.
    public var busy: Int

    init(cores: Int, quota: Double? = nil, busy: Int = 0) {
        self.cores = max(1, cores)
        self.quota = quota
        self.busy = max(0, busy)
    }

    /// The most threads that are useful: the kernel would stop more than the quota in the middle of each period.
    public var usable: Int { min(cores, max(1, Int(quota ?? Double(cores)))) }

    #if canImport(Darwin)
        /// The performance cores, or all physical ones if there is only one kind (sysctl(3), `hw.perflevel0`). The
        /// governor finds out how many are busy.
        public static func current() -> Processors {
            Processors(
                cores: number("hw.perflevel0.physicalcpu") ?? number("hw.physicalcpu")
                    ?? ProcessInfo.processInfo.activeProcessorCount)
        }

        private static func number(_ name: String) -> Int? {
            var value: Int32 = 0
            var size = MemoryLayout<Int32>.size
            guard sysctlbyname(name, &value, &size, nil, 0) == 0, value > 0 else { return nil }
            return Int(value)
        }
    #else
        /// The processors that the process may use now. `root` is where `/proc` and `/sys` are mounted.
        public static func current(root: String = "") -> Processors {
            Processors(cores: cores(root: root), quota: quota(root: root), busy: busy(root: root))
        }

        /// The physical cores of the processors in the affinity mask.
        private static func cores(root: String) -> Int {
            let allowed = allowedProcessors(root: root)
            var cores = Set<String>()
            for processor in allowed {
                let file = "\(root)/sys/devices/system/cpu/cpu\(processor)/topology/thread_siblings_list"
                cores.insert(ControlGroup.line(file) ?? "\(processor)")
            }
            return allowed.isEmpty ? ProcessInfo.processInfo.activeProcessorCount : cores.count
        }

        /// proc_loadavg(5): "0.20 0.18 0.12 3/80 11206": the load of the last minute, and the threads that are runnable
        /// now, including this process's. Any thread may be runnable for a moment, so the smaller of both counts.
        private static func busy(root: String) -> Int {
            let fields = (ControlGroup.line("\(root)/proc/loadavg") ?? "").split(separator: " ")
            guard fields.count > 3, let load = Double(fields[0]), load.isFinite, load >= 0, load < 1e6,
                let runnable = fields[3].split(separator: "/").first.flatMap({ Int($0) })
            else { return 0 }
            return max(0, min(runnable - ownRunnable(root: root), Int(load.rounded())))
        }

        /// This process's runnable threads. proc_pid_stat(5): the state, such as `R`, follows the name in brackets.
        private static func ownRunnable(root: String) -> Int {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/proc/self/task")) ?? []
            return max(
                1,
                threads.count { thread in
                    let line = ControlGroup.line("\(root)/proc/self/task/\(thread)/stat") ?? ""
                    return line.split(separator: ")").last?.hasPrefix(" R") == true
                })
        }

        /// proc_pid_status(5), `Cpus_allowed_list`: `0-3,8`.
        private static func allowedProcessors(root: String) -> [Int] {
            let status = (try? String(contentsOfFile: "\(root)/proc/self/status", encoding: .utf8)) ?? ""
            let field = "Cpus_allowed_list:"
            guard let entry = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { return [] }
            return entry.dropFirst(field.count).split(separator: ",").flatMap { range -> [Int] in
                let bounds = range.split(separator: "-").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
                guard let low = bounds.first, let high = bounds.last, low <= high else { return [] }
                return Array(low...high)
            }
        }

        /// The smallest quota of this process's control group and its parents, in processors; nil: none. Version 2:
        /// `cpu.max` holds "$MAX $PERIOD" (kernel, admin-guide/cgroup-v2). Version 1: `cpu.cfs_quota_us` divided by
        /// `cpu.cfs_period_us`, -1 for none (kernel, scheduler/sched-bwc).
        private static func quota(root: String) -> Double? {
            let unified = ControlGroup.folders(of: nil, root: root).compactMap { folder -> Double? in
                let fields = (ControlGroup.line("\(folder)/cpu.max") ?? "").split(separator: " ").compactMap {
                    Double($0)
                }
                return fields.count == 2 && fields[1] > 0 ? fields[0] / fields[1] : nil
            }
            let legacy = ControlGroup.folders(of: "cpu", root: root).compactMap { folder -> Double? in
                guard let quota = ControlGroup.line("\(folder)/cpu.cfs_quota_us").flatMap(Double.init), quota > 0,
                    let period = ControlGroup.line("\(folder)/cpu.cfs_period_us").flatMap(Double.init), period > 0
                else { return nil }
                return quota / period
            }
            return (unified + legacy).min()
        }
    #endif
}
