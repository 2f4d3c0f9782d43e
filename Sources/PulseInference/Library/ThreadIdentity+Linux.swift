#if os(Linux)
    import Glibc

    /// The calling thread, as long as it lives: pthread_self(3). (Glibc's `gettid` is not imported into Swift.)
    enum ThreadIdentity {
        static var current: UInt64 { UInt64(pthread_self()) }
    }
#endif
