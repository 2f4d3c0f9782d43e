import CLlama
import Foundation
import PulseText
import Synchronization

/// Receives the library's log: drops or prints the lines, and stores the last errors, so that a failed load can be
/// explained. libllama has one logger in a process, so there is one collector.
final class LogCollector: Sendable {
    static let shared = LogCollector()

    private struct State {
        var isPrinting = false
        /// By thread, because two engines may fail at the same time.
        var errors: [UInt64: [String]] = [:]
        var lastLevel = GGML_LOG_LEVEL_NONE
        /// The lines of threads that are collecting.
        var lines: [UInt64: [String]] = [:]
    }

    private let state = Mutex(State())
    private static let keptErrors = 4

    func setPrinting(_ isPrinting: Bool) {
        state.withLock { $0.isPrinting = isPrinting }
    }

    func take(level: ggml_log_level, text: UnsafePointer<CChar>?) {
        guard let text else { return }
        // Lines may quote the model file, which is untrusted.
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
            // Collected lines are not printed: they are a dry run's, and the real ones follow.
            guard state.lines[thread]?.append(line) == nil else { return false }
            return state.isPrinting
        }
        if isPrinting { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// Starts collecting this thread's lines instead of printing them.
    func startCollecting() {
        let thread = ThreadIdentity.current
        state.withLock { $0.lines[thread] = [] }
    }

    /// Stops collecting. Returns this thread's lines since `startCollecting`.
    func stopCollecting() -> [String] {
        let thread = ThreadIdentity.current
        return state.withLock { $0.lines.removeValue(forKey: thread) } ?? []
    }

    /// The errors of this thread since the last call; nil: none.
    func takeErrors() -> String? {
        let thread = ThreadIdentity.current
        let errors = state.withLock { $0.errors.removeValue(forKey: thread) }
        return errors?.joined(separator: "; ")
    }
}
