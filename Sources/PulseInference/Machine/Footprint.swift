/// What a model and a context of some shape take, in bytes.
public struct Footprint: Sendable, Hashable {
    /// The weights. They are mapped from the file, and what is mapped can be dropped and read again; but every token
    /// takes all of them, so a machine that has to drop some is one that reads the disk for every token. On processors
    /// for which ggml rearranges weights, most of them are copied besides, and those cannot be dropped. So they count
    /// whole.
    public var weights: UInt64
    /// The keys and values of the tokens read and written.
    public var cache: UInt64
    /// The buffers of the computation and of its results.
    public var buffers: UInt64
    /// The file's size: what mapping it takes of the address space.
    public var file: UInt64
    /// Threads that compute, each with a stack.
    public var threads: Int
    /// Whether cache and buffers are the library's own figures, from a load without allocations; otherwise they are
    /// reckoned from the model's dimensions.
    public var isSimulated: Bool

    public init(
        weights: UInt64, cache: UInt64, buffers: UInt64, file: UInt64, threads: Int = 1, isSimulated: Bool = true
    ) {
        self.weights = weights
        self.cache = cache
        self.buffers = buffers
        self.file = file
        self.threads = threads
        self.isSimulated = isSimulated
    }

    /// For the program around it: its heap, the vocabulary, the prompts, the store. And a little that stays free, so
    /// that what others take in the meantime is not at once too much.
    public static let reserve: UInt64 = 64 << 20

    /// Stacks as pthreads have them unless told otherwise.
    private static let stack: UInt64 = 8 << 20

    /// What must be had of the memory.
    public var memory: UInt64 { weights + cache + buffers + Self.reserve }

    /// What must be had of the address space: copied weights are there twice.
    public var addressSpace: UInt64 {
        file + weights + cache + buffers + Self.reserve + UInt64(max(0, threads)) * Self.stack
    }
}
