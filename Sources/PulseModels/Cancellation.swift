import Dispatch
import Synchronization

/// The request to stop, as seen by work that blocks its own thread and so cannot ask `Task.isCancelled`.
final class Cancellation: Sendable {
    private let requested = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)

    var isRequested: Bool { requested.load(ordering: .relaxed) }

    func request() {
        requested.store(true, ordering: .relaxed)
        bell.signal()
    }

    /// Throws `.cancelled` once the stop was asked for.
    func check() throws(ModelError) {
        if isRequested { throw .cancelled }
    }

    /// Blocks for `duration`, or until the stop is asked for, and then throws.
    func sleep(_ duration: Duration) throws(ModelError) {
        try check()
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        _ = bell.wait(timeout: .now() + .nanoseconds(nanoseconds))
        try check()
    }
}
