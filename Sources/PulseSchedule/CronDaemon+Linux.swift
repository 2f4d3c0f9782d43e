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
                func text(_ file: String) -> String {
                    let bytes = FileManager.default.contents(atPath: "\(processes)/\(number)/\(file)") ?? Data()
                    return String(decoding: bytes, as: UTF8.self)
                }
                let name = text("comm").trimmingCharacters(in: .newlines)
                // Many programs in one: the one that it is comes second then.
                if name == "busybox" { return text("cmdline").split(separator: "\0").dropFirst().first == "crond" }
                return daemons.contains(name)
            }
        }

        /// Not anacron, which has tables of its own.
        private static let daemons: Set<String> = ["cron", "crond", "fcron", "systemd-cron"]
    }
#endif
