import CLlama

/// The threads of one context, and how many of them compute.
struct ComputeThreads: ~Copyable {
    private let pool: Threadpool?
    private var governor: ThreadGovernor
    private let isGoverned: Bool

    /// Takes over the threads of a context that has just been opened.
    init(of context: OpaquePointer, _ choice: ThreadChoice) {
        governor = ThreadGovernor(most: choice.most, first: choice.first)
        isGoverned = !choice.isFixed && choice.most > 1
        // A single thread is the caller's own.
        pool = choice.most > 1 ? Threadpool(threads: choice.most) : nil
        pool?.attach(to: context)
        apply(to: context)
    }

    /// Runs a computation of the context, and chooses the number of threads for the next one.
    mutating func run(on context: OpaquePointer, _ compute: () -> Int32) -> Int32 {
        guard isGoverned else { return compute() }
        let start = ProcessClock.now()
        let status = compute()
        let end = ProcessClock.now()
        let before = governor.threads
        // Threads that waited for the disk were not kept from running by other programs: weights are read from the
        // file as they are first used.
        if end.pageWaits - start.pageWaits < Self.mostPageWaits {
            governor.note(wall: end.wall - start.wall, processor: end.processor - start.processor)
        }
        if governor.threads != before { apply(to: context) }
        return status
    }

    private static let mostPageWaits = 50

    private func apply(to context: OpaquePointer) {
        llama_set_n_threads(context, Int32(governor.threads), Int32(governor.threads))
    }
}

/// The threads that compute, kept from one computation to the next. Without a pool ggml starts threads for every token
/// and ends them again. Freed when it goes out of use, after the context it is attached to.
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
