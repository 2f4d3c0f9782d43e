import CLlama

/// The compute threads of a context.
struct ComputeThreads: ~Copyable {
    private let pool: Threadpool?
    private var governor: ThreadGovernor
    private let isGoverned: Bool

    /// Attaches threads to a context that has just been opened.
    init(of context: OpaquePointer, _ choice: ThreadChoice) {
        governor = ThreadGovernor(most: choice.most, first: choice.first)
        isGoverned = !choice.isFixed && choice.most > 1
        // A single thread is the calling one.
        pool = choice.most > 1 ? Threadpool(threads: choice.most) : nil
        pool?.attach(to: context)
        apply(to: context)
    }

    /// Runs a computation and adapts the number of threads for the next one.
    mutating func run(on context: OpaquePointer, _ compute: () -> Int32) -> Int32 {
        guard isGoverned else { return compute() }
        let start = ProcessClock.now()
        let status = compute()
        let end = ProcessClock.now()
        let before = governor.threads
        // Ignores computations that waited for the disk, because mapped weights are read at their first use: these
        // threads were not preempted.
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

/// A ggml thread pool. Without one, ggml starts and ends threads for every token. Must be freed after its context.
struct Threadpool: ~Copyable {
    private let pointer: ggml_threadpool_t
    private let free: Free

    private typealias New = @convention(c) (UnsafeMutablePointer<ggml_threadpool_params>?) -> ggml_threadpool_t?
    private typealias Free = @convention(c) (ggml_threadpool_t?) -> Void

    /// Nil if the library has no thread pools, or no thread can be started.
    init?(threads: Int) {
        // ggml-cpu may be a dynamically loaded module, so its functions are looked up by name (ggml-backend.h: "Get the
        // address of the function in the dynamic library").
        guard let device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU),
            let registry = ggml_backend_dev_backend_reg(device),
            let new = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_new"),
            let free = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_free")
        else { return nil }
        var parameters = ggml_threadpool_params_default(Int32(threads))
        // How long a thread spins before it sleeps, 0...100. At 1 it is awake for the next token and asleep soon after
        // the last; the default burns a core for a tenth of a second.
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
