import Foundation

/// A thread of its own for work that blocks (a transfer, a hash of 800 MB, a wait for a lock), because the threads of
/// Swift's pool are as many as the cores and must never wait.
enum BlockingThread {
    /// Runs `body` on a new thread and hands back what it returns or throws. When the calling task is cancelled, the
    /// `Cancellation` says so, and `body` is expected to throw soon.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws(ModelError) -> Value
    ) async throws(ModelError) -> Value {
        let cancellation = Cancellation()
        let result: Result<Value, ModelError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    ignoreBrokenPipes()
                    let result = Result { () throws(ModelError) in try body(cancellation) }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancellation.request()
        }
        return try result.get()
    }

    /// A server that hangs up while TLS is writing raises SIGPIPE, which would end the program. "A SIGPIPE signal
    /// shall also be sent to the thread" (POSIX write, EPIPE), so blocking it on this thread is enough, and leaves the
    /// program's own ways with closed pipes alone.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
