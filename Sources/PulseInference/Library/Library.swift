import CLlama
import Foundation
import Synchronization

/// libllama as a whole: started once in a process, with its log lines and its last message before an abort caught.
package enum Library {
    /// Starts the library, at the first call. Every call sets whether log lines go to standard error.
    package static func start(logsToStandardError: Bool) {
        LogCollector.shared.setPrinting(logsToStandardError)
        _ = started
    }

    private static let started: Void = {
        // ggml.c, ggml_print_backtrace: returns at once when this is set. Nobody wants a debugger's output from a
        // news digest, and it would fork `gdb`.
        setenv("GGML_NO_BACKTRACE", "1", 1)
        // llama.h: "The logger state is global so these functions are NOT thread safe", hence only here.
        llama_log_set({ level, text, _ in LogCollector.shared.take(level: level, text: text) }, nil)
        // ggml.h: "Set the abort callback". ggml calls it instead of printing, and aborts when it returns; ours does
        // not return.
        ggml_set_abort_callback { message in Library.die(saying: message) }
        // llama.h: "Call once at the start of the program".
        llama_backend_init()
        loadKernels()
    }()

    /// A libllama that is made for many processors has its kernels in modules, of which ggml loads the best that runs
    /// here. They are looked for where such a library is installed: ggml itself would look in the current folder too.
    private static func loadKernels() {
        guard ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) == nil,
            let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        else { return }
        let root = program.deletingLastPathComponent().deletingLastPathComponent()
        ggml_backend_load_all_from_path(root.appendingPathComponent("lib/pulse-digest").path)
    }

    /// The library found a state it cannot go on from. There is nothing left to free: one sentence, and out (70,
    /// EX_SOFTWARE in sysexits.h). Where a server is at fault, only the thread stops.
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
