#if os(Linux)
    import Foundation

    extension ProcessorTime {
        /// Seconds that anything on the machine has computed, time stolen by a hypervisor included; nil where the
        /// system does not tell. proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal, in ticks.
        static func machine() -> Double? {
            guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
                let line = text.split(separator: "\n").first, line.hasPrefix("cpu ")
            else { return nil }
            let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
            guard ticks.count >= 8 else { return nil }
            let busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]
            return busy / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
#endif
