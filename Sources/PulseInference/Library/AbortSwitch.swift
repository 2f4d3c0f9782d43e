/// What the library's abort callback asks, many times in one computation: is the watch of the generation that runs
/// now over?
import Synchronization

final class AbortSwitch: Sendable {
    private let watch = Mutex<Watch?>(nil)

    /// True when the computation is to stop. Called by the library on the thread that computes.
    var isThrown: Bool { watch.withLock { $0?.verdict != nil } }

    func follow(_ watch: Watch?) {
        self.watch.withLock { $0 = watch }
    }
}
