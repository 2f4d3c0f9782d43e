#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ties a handle of libllama to the thread that made it. libllama has no locks, so a call from a second thread would
/// corrupt memory; this check ends the process instead.
struct ThreadConfinement {
    private let owner = ThreadIdentity.current

    func check() {
        precondition(owner == ThreadIdentity.current, "libllama was called from a second thread")
    }
}

enum ThreadIdentity {
    /// A number that identifies the calling thread while it lives.
    static var current: UInt64 {
        #if canImport(Darwin)
            var number: UInt64 = 0
            // pthread_threadid_np(3): a null thread is the calling one.
            pthread_threadid_np(nil, &number)
            return number
        #else
            // pthread_self(3). Glibc's `gettid` is not imported into Swift.
            return UInt64(pthread_self())
        #endif
    }
}
