#if canImport(Darwin)
    extension ProcessorTime {
        /// Not told: no round counts as disturbed.
        static func machine() -> Double? { nil }
    }
#endif
