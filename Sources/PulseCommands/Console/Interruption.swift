import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into the cancellation of a task, so that a command ends between two tokens and leaves
/// nothing half-written.
final class Interruption {
    private let received: Received
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cancel: Called once, with the first signal.
    init(cancel: @escaping @Sendable () -> Void) {
        let received = Received()
        self.received = received
        sources = [SIGINT, SIGTERM].map { number in
            // Dispatch watches beside the default action, which would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { received.take(number, cancel: cancel) }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }

    /// The signal that came, if one did.
    var signalNumber: Int32? { received.number.withLock { $0 } }

    /// What the handlers and the owner share.
    private final class Received: Sendable {
        let number = Mutex<Int32?>(nil)

        func take(_ signal: Int32, cancel: @Sendable () -> Void) {
            if signal == SIGINT, TerminalProgram.isRunning.withLock({ $0 }) { return }
            let isFirst = number.withLock { number in
                defer { number = number ?? signal }
                return number == nil
            }
            // Whoever asks twice does not want to wait; nor is a call that blocks worth waiting for. The store is
            // safe either way: what is not committed is rolled back.
            guard isFirst else { _exit(128 + signal) }
            cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { _exit(128 + signal) }
        }
    }
}
