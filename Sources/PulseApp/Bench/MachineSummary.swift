import Foundation

/// The most memory this process ever had, mapped files included.
package enum PeakMemory {
    /// From now on the peak counts anew, where the system can do that. proc(5), clear_refs: "5 … reset the peak
    /// resident set size".
    package static func reset() {
        try? FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(contentsOf: Data("5".utf8))
    }

    package static var bytes: Int {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            // getrusage(2): "This is the maximum resident set size used (in kilobytes)."
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1024
        #endif
    }
}

/// The machine in a line, for the head of a benchmark's table.
package enum MachineSummary {
    package static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let memory = Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded())
        return "\(processor), \(cores) cores, \(memory) GiB, \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "processor"
    }

    /// The load average of the last minute.
    package static var load: Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? loads[0] : 0
    }
}
