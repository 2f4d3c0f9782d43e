#if os(Linux)
    import Foundation

    /// Whether anything reads crontabs on this machine.
    enum CronDaemon {
        /// nil where it cannot be known, such as where other users' processes are hidden.
        static func isRunning(processes: String = "/proc") -> Bool? {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: processes) else { return nil }
            let numbers = names.filter { $0.allSatisfy(\.isNumber) }
            // The first process is shown to everyone, unless /proc is mounted with hidepid.
            guard numbers.contains("1") else { return nil }
            return numbers.contains { number in
                guard let bytes = FileManager.default.contents(atPath: "\(processes)/\(number)/comm") else {
                    return false
                }
                return daemons.contains(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines))
            }
        }

        private static let daemons: Set<String> = ["cron", "crond", "fcron", "anacron", "busybox", "systemd-cron"]
    }
#endif
