/// The threads that compute, kept from one computation to the next. Without a pool ggml starts threads for every token
/// and ends them again. Freed when it goes out of use; the context it is attached to goes first.
import CLlama

struct Threadpool: ~Copyable {
    private let pointer: ggml_threadpool_t
    private let free: Free

    private typealias New = @convention(c) (UnsafeMutablePointer<ggml_threadpool_params>?) -> ggml_threadpool_t?
    private typealias Free = @convention(c) (ggml_threadpool_t?) -> Void

    /// Nil where the library has none, or no thread can be started.
    init?(threads: Int) {
        // ggml-cpu may be a module that ggml loads when it runs, so its functions are asked for by name
        // (ggml-backend.h: "Get the address of the function in the dynamic library").
        guard let device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU),
            let registry = ggml_backend_dev_backend_reg(device),
            let new = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_new"),
            let free = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_free")
        else { return nil }
        var parameters = ggml_threadpool_params_default(Int32(threads))
        // How long a thread spins for the next computation before it sleeps, 0...100. At 1 it is awake when the next
        // token comes and asleep soon after the last; the default burns a core for a tenth of a second.
        parameters.poll = 1
        guard let pointer = unsafeBitCast(new, to: New.self)(&parameters) else { return nil }
        self.pointer = pointer
        self.free = unsafeBitCast(free, to: Free.self)
    }

    deinit { free(pointer) }

    /// llama.h: "Optional: an auto threadpool gets created in ggml if not passed explicitly".
    func attach(to context: OpaquePointer) {
        llama_attach_threadpool(context, pointer, nil)
    }
}
