/// How many threads are worth computing with: one for each physical core this process may use. ggml's threads spin
/// while they wait for one another, so a second one on the same core, or more than the scheduler grants, only slows
/// the others down.
enum Processors {
    /// At least 1.
    static var usable: Int { max(1, count()) }
}
