/// How many threads are worth computing with.
enum Processors {
    /// Models below this many bytes are computed by one thread. A token of theirs takes less than a millisecond, most
    /// of which several threads would spend waiting for one another; and where a processor is busy with something
    /// else, all of it. Measured with 6 MB on two cores beside one busy process: 95 tokens in 0.36 s with one thread,
    /// in 3.5 s with two.
    static let smallModel: UInt64 = 64 << 20

    /// One for each physical core this process may use; at least 1. ggml's threads spin while they wait for one
    /// another, so a second one on the same core, or more than the scheduler grants, only slows the others down.
    static var usable: Int { max(1, count()) }

    /// Threads for a model of so many bytes.
    static func threads(forModelOf bytes: UInt64) -> Int { bytes < smallModel ? 1 : usable }
}
