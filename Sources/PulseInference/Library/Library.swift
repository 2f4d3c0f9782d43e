import CLlama
import Foundation
import Synchronization

/// The library as a whole: starts it once in a process, and handles its log and its aborts.
package enum Library {
    /// Starts the library at the first call. Each call sets whether log lines go to standard error.
    package static func start(logsToStandardError: Bool) {
        LogCollector.shared.setPrinting(logsToStandardError)
        _ = started
    }

    private static let started: Void = {
        // ggml.c, ggml_print_backtrace returns at once if this is set. Otherwise it forks `gdb`, whose output nobody
        // expects from a news digest.
        setenv("GGML_NO_BACKTRACE", "1", 1)
        // llama.h: "The logger state is global so these functions are NOT thread safe", hence only here.
        llama_log_set({ level, text, _ in LogCollector.shared.take(level: level, text: text) }, nil)
        // ggml.h: "Set the abort callback". ggml calls it instead of printing a message, and aborts when it returns.
        // Ours does not return.
        ggml_set_abort_callback { message in Library.die(saying: message) }
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
        FileHandle.standardError.write(Data(line.utf8))
        _exit(70)
    }
}
