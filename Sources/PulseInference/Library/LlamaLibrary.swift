import CLlama
import Foundation
import PulseText
import Synchronization

/// The library as a whole: starts it once in a process, and handles its log and its aborts.
package enum LlamaLibrary {
    /// Starts the library at the first call. From now on, log lines go to standard error or not; nil: as before.
    package static func start(logsToStandardError: Bool?) {
        if let logsToStandardError { LogCollector.shared.setPrinting(logsToStandardError) }
        _ = started
    }

    private static let started: Void = {
        // ggml.c, ggml_print_backtrace returns at once if this is set. Otherwise it forks `gdb` and prints its output.
        setenv("GGML_NO_BACKTRACE", "1", 1)
        // llama.h: "The logger state is global so these functions are NOT thread safe", hence only here.
        llama_log_set({ level, text, _ in LogCollector.shared.take(level: level, text: text) }, nil)
        // ggml.h: "Set the abort callback". ggml aborts when it returns; ours does not return.
        ggml_set_abort_callback { message in LlamaLibrary.die(saying: message) }
        // llama.h: "Call once at the start of the program".
        llama_backend_init()
        loadKernels()
    }()

    /// A libllama for many processors has its kernels in modules, of which ggml loads the best one for this CPU. They
    /// are loaded from the installation, because ggml would also search the current folder.
    private static func loadKernels() {
        guard ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) == nil,
            let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        else { return }
        let root = program.deletingLastPathComponent().deletingLastPathComponent()
        ggml_backend_load_all_from_path(root.appendingPathComponent("lib/pulse-digest").path)
    }

    /// Called when the library aborts. Nothing can be freed: prints one sentence and exits (70, EX_SOFTWARE in
    /// sysexits.h). If a server is the cause, only the thread stops.
    private static func die(saying message: UnsafePointer<CChar>?) -> Never {
        let message = message.map { String(cString: $0) }
        RemoteServers.keepThread(ifAtFault: message ?? "")
        let reason = message?.split(separator: "\n").first.map(String.init)
        let line =
            "pulse-digest: the inference library found a fault in itself or in the model and stopped. Verify the "
            + "model; if it is sound, please report this: \(reason ?? "no reason was given")\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        _exit(70)
    }
}

/// Drops or prints the log of the library, which has one logger, and keeps the last errors to explain a failure.
final class LogCollector: Sendable {
    static let shared = LogCollector()

    private struct State {
        var isPrinting = false
        /// By thread, because two engines may fail at the same time.
        var errors: [UInt64: [String]] = [:]
        var lastLevel = GGML_LOG_LEVEL_NONE
        var lines: [UInt64: [String]] = [:]
    }

    private let state = Mutex(State())
    private static let keptErrors = 4

    func setPrinting(_ isPrinting: Bool) { state.withLock { $0.isPrinting = isPrinting } }

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
        // `write(_:)` would end the process if standard error is closed.
        if isPrinting { try? FileHandle.standardError.write(contentsOf: Data(line.utf8)) }
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
