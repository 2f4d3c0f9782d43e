/// The library's log lines: dropped or printed, and the last errors kept, so that a failed load can say why.
/// libllama has one logger for the process, so this is one too.
import CLlama
import Foundation
import PulseText
import Synchronization

final class LogCollector: Sendable {
    static let shared = LogCollector()

    private struct State {
        var isPrinting = false
        /// Errors of each thread apart: two engines may fail at once.
        var errors: [UInt64: [String]] = [:]
        var lastLevel = GGML_LOG_LEVEL_NONE
        /// All lines of the threads that collect theirs.
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
            // What is collected is read by the program: nobody wants to see a dry run's lines before the real ones.
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

    /// What this thread's calls complained of since the last time; nil for nothing.
    func takeErrors() -> String? {
        let thread = ThreadIdentity.current
        let errors = state.withLock { $0.errors.removeValue(forKey: thread) }
        return errors?.joined(separator: "; ")
    }
}
