import CLlama
import Foundation
import PulseText
import Synchronization

/// The library's log lines: dropped or printed, with the last errors kept, so that a failed load can say why.
/// libllama has one logger for the process, so there is one of this too.
final class LogCollector: Sendable {
    static let shared = LogCollector()

    private struct State {
        var isPrinting = false
        /// By thread: two engines may fail at once.
        var errors: [UInt64: [String]] = [:]
        var lastLevel = GGML_LOG_LEVEL_NONE
        /// All lines of the threads that are collecting.
        var lines: [UInt64: [String]] = [:]
    }

    private let state = Mutex(State())
    private static let keptErrors = 4

    func setPrinting(_ isPrinting: Bool) {
        state.withLock { $0.isPrinting = isPrinting }
    }

    func take(level: ggml_log_level, text: UnsafePointer<CChar>?) {
        guard let text else { return }
        // Some lines quote the model file, which is not to be trusted with a terminal.
        let raw = String(cString: text)
        let line = PlainText.printable(raw)
        let thread = ThreadIdentity.current
        let isPrinting = state.withLock { state in
            // ggml.h: GGML_LOG_LEVEL_CONT continues the previous line.
            if level != GGML_LOG_LEVEL_CONT { state.lastLevel = level }
            if state.lastLevel == GGML_LOG_LEVEL_ERROR {
                let tidy = PlainText.line(raw)
                if !tidy.isEmpty {
                    state.errors[thread] = (state.errors[thread] ?? []).suffix(Self.keptErrors - 1) + [tidy]
                }
            }
            // Collected lines are not printed: nobody wants to see a dry run's lines before the real ones.
            guard state.lines[thread]?.append(line) == nil else { return false }
            return state.isPrinting
        }
        if isPrinting { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// From now on this thread's lines are kept, and not printed.
    func startCollecting() {
        let thread = ThreadIdentity.current
        state.withLock { $0.lines[thread] = [] }
    }

    /// This thread's lines since `startCollecting`.
    func stopCollecting() -> [String] {
        let thread = ThreadIdentity.current
        return state.withLock { $0.lines.removeValue(forKey: thread) } ?? []
    }

    /// The errors that this thread's calls have logged since the last time; nil if there are none.
    func takeErrors() -> String? {
        let thread = ThreadIdentity.current
        let errors = state.withLock { $0.errors.removeValue(forKey: thread) }
        return errors?.joined(separator: "; ")
    }
}
