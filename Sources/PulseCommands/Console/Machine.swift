/// The machine in a line, for the head of a benchmark's table.
import Foundation

package enum Machine {
    package static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let memory = Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded())
        return "\(processor), \(cores) cores, \(memory) GiB, \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    private static var processor: String {
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
