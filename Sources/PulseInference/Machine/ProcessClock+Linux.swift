#if os(Linux)
    import Glibc

    extension ProcessClock {
        /// Glibc declares it as an enumeration's case, and takes a number.
        static let ownProcess = __rusage_who_t(RUSAGE_SELF.rawValue)
    }
#endif
