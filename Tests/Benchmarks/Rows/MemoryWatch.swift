/// Looks at another process's memory every few milliseconds (proc_pid_status(5)) and keeps the largest figures.
import Foundation
import Synchronization

final class MemoryWatch: Sendable {
    private struct State {
        var anonymous = 0
        var file = 0
        var resident = 0
        var isDone = false
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ process: Int32) {
        let thread = Thread { [self] in
            while !state.withLock({ $0.isDone }) {
                look(process)
                usleep(5000)
            }
            ended.signal()
        }
        thread.start()
    }

    /// Bytes of anonymous memory, of mapped files, and of all together (the kernel's own high-water mark).
    func stop() -> (anonymous: Int, file: Int, resident: Int) {
        state.withLock { $0.isDone = true }
        ended.wait()
        return state.withLock { ($0.anonymous, $0.file, $0.resident) }
    }

    private func look(_ process: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return }
        var figures: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
            if words.count >= 3, words[2] == "kB", let number = Int(words[1]) { figures[words[0]] = number * 1024 }
        }
        state.withLock { state in
            state.anonymous = max(state.anonymous, figures["RssAnon"] ?? 0)
            state.file = max(state.file, figures["RssFile"] ?? 0)
            state.resident = max(state.resident, figures["VmHWM"] ?? 0)
        }
    }
}
