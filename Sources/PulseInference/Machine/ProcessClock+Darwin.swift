#if canImport(Darwin)
    import Darwin

    extension ProcessClock {
        static let ownProcess = RUSAGE_SELF
    }
#endif
