#if canImport(Darwin)
    import Darwin

    /// The kernel's number of the calling thread.
    enum ThreadIdentity {
        static var current: UInt64 {
            var number: UInt64 = 0
            // pthread_threadid_np(3): a null thread is the calling one.
            pthread_threadid_np(nil, &number)
            return number
        }
    }
#endif
