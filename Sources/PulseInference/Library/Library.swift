/// libllama as a whole: started once a process, its log lines and its last words caught.
import CLlama
import Foundation
import Synchronization

package enum Library {
    /// Starts the library. Only the first call does anything; every call sets whether it may talk.
    /// To be called on an engine's own thread.
    package static func start(logsToStandardError: Bool) {
        LogCollector.shared.setPrinting(logsToStandardError)
        _ = started
    }

    /// A static value is made once, whoever asks first (Swift's `static let` is thread-safe).
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
    }()

    /// The library found a state it cannot go on from. There is nothing left to free: one sentence, and out (70,
    /// EX_SOFTWARE in sysexits.h).
    private static func die(saying message: UnsafePointer<CChar>?) -> Never {
        let reason = message.map { String(cString: $0) }?.split(separator: "\n").first.map(String.init)
        let line =
            "pulse-digest: the inference library found a fault in itself or in the model and stopped. Verify the model; "
            + "if it is sound, please report this: \(reason ?? "no reason was given")\n"
        FileHandle.standardError.write(Data(line.utf8))
        _exit(70)
    }
}
