/// The threads of one context, and how many of them compute.
import CLlama

struct ComputeThreads: ~Copyable {
    private let pool: Threadpool?
    private var governor: ThreadGovernor
    private let isGoverned: Bool

    /// Takes over the threads of a context that has just been opened.
    init(of context: OpaquePointer, _ choice: ThreadChoice) {
        governor = ThreadGovernor(most: choice.most, first: choice.first)
        isGoverned = !choice.isFixed && choice.most > 1
        // One thread is the caller's own.
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
        // Who waits for the disk is not kept from running by anybody: weights come in as they are first used.
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
