import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into the cancellation of a task, so that a command ends between two tokens and leaves
/// nothing half-written.
final class Interruption: Sendable {
    private let received = Mutex<Int32?>(nil)
    private let sources: Mutex<[any DispatchSourceSignal]>

    /// - Parameter cancel: Called once, with the first signal.
    init(cancel: @escaping @Sendable () -> Void) {
        sources = Mutex([])
        for number in [SIGINT, SIGTERM] {
            // Dispatch watches beside the default action, which would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in self?.take(number, cancel: cancel) }
            source.resume()
            sources.withLock { $0.append(source) }
        }
    }

    /// The signal that came, if one did.
    var signalNumber: Int32? { received.withLock { $0 } }

    private func take(_ number: Int32, cancel: @Sendable () -> Void) {
        let isFirst = received.withLock { received in
            defer { received = received ?? number }
            return received == nil
        }
        // Whoever asks twice does not want to wait; nor is a read that blocks on a terminal worth waiting for. The
        // store is safe either way: what is not committed is rolled back.
        guard isFirst else { _exit(128 + number) }
        cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) { _exit(128 + number) }
    }
}
